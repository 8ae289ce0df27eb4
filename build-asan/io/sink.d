build-asan/io/sink.o: src/io/sink.c src/io/sink.h src/base/status.h \
 src/io/blocks.h src/base/pool.h src/io/compressor.h src/base/memory.h \
 src/base/message.h src/io/descriptor.h src/io/new_file.h \
 src/process/ending.h
src/io/sink.h:
src/base/status.h:
src/io/blocks.h:
src/base/pool.h:
src/io/compressor.h:
src/base/memory.h:
src/base/message.h:
src/io/descriptor.h:
src/io/new_file.h:
src/process/ending.h:
