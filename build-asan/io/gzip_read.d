build-asan/io/gzip_read.o: src/io/gzip_read.c src/io/gzip.h \
 src/base/memory.h src/base/status.h src/io/filter.h src/base/problem.h \
 src/io/flow.h src/io/inflater.h
src/io/gzip.h:
src/base/memory.h:
src/base/status.h:
src/io/filter.h:
src/base/problem.h:
src/io/flow.h:
src/io/inflater.h:
