build-asan/io/gzip_write.o: src/io/gzip_write.c src/io/gzip.h \
 src/base/memory.h src/base/status.h src/io/filter.h src/base/problem.h \
 src/io/flow.h src/base/message.h src/io/compressor.h
src/io/gzip.h:
src/base/memory.h:
src/base/status.h:
src/io/filter.h:
src/base/problem.h:
src/io/flow.h:
src/base/message.h:
src/io/compressor.h:
