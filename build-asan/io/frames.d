build-asan/io/frames.o: src/io/frames.c src/io/frames.h src/io/filter.h \
 src/base/problem.h src/base/status.h src/io/flow.h src/base/memory.h \
 src/io/codec.h
src/io/frames.h:
src/io/filter.h:
src/base/problem.h:
src/base/status.h:
src/io/flow.h:
src/base/memory.h:
src/io/codec.h:
