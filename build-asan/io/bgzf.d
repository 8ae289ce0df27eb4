build-asan/io/bgzf.o: src/io/bgzf.c src/io/bgzf.h src/base/memory.h \
 src/base/status.h src/base/pool.h src/io/descriptor.h src/io/gzip.h \
 src/io/filter.h src/base/problem.h src/io/flow.h src/io/inflater.h
src/io/bgzf.h:
src/base/memory.h:
src/base/status.h:
src/base/pool.h:
src/io/descriptor.h:
src/io/gzip.h:
src/io/filter.h:
src/base/problem.h:
src/io/flow.h:
src/io/inflater.h:
