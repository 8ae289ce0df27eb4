build-asan/io/backwards.o: src/io/backwards.c src/io/backwards.h \
 src/base/status.h src/io/sink.h src/io/blocks.h src/base/pool.h \
 src/io/compressor.h src/base/memory.h src/io/temporary.h
src/io/backwards.h:
src/base/status.h:
src/io/sink.h:
src/io/blocks.h:
src/base/pool.h:
src/io/compressor.h:
src/base/memory.h:
src/io/temporary.h:
