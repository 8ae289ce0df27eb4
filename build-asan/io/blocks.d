build-asan/io/blocks.o: src/io/blocks.c src/io/blocks.h src/base/pool.h \
 src/base/status.h src/io/compressor.h src/base/memory.h
src/io/blocks.h:
src/base/pool.h:
src/base/status.h:
src/io/compressor.h:
src/base/memory.h:
