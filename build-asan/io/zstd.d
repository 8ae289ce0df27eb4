build-asan/io/zstd.o: src/io/zstd.c src/io/codec.h src/base/memory.h \
 src/base/status.h src/io/filter.h src/base/problem.h src/io/flow.h
src/io/codec.h:
src/base/memory.h:
src/base/status.h:
src/io/filter.h:
src/base/problem.h:
src/io/flow.h:
