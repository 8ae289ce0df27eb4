build-asan/io/filter.o: src/io/filter.c src/io/filter.h \
 src/base/problem.h src/base/status.h src/io/flow.h src/io/codec.h \
 src/base/memory.h src/io/frames.h src/io/gzip.h src/text/sniff.h
src/io/filter.h:
src/base/problem.h:
src/base/status.h:
src/io/flow.h:
src/io/codec.h:
src/base/memory.h:
src/io/frames.h:
src/io/gzip.h:
src/text/sniff.h:
