build-asan/io/zstd_write.o: src/io/zstd_write.c src/io/compressor.h \
 src/base/memory.h src/base/status.h src/base/message.h
src/io/compressor.h:
src/base/memory.h:
src/base/status.h:
src/base/message.h:
