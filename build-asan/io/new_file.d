build-asan/io/new_file.o: src/io/new_file.c src/io/new_file.h \
 src/base/message.h src/base/status.h src/process/ending.h \
 src/io/descriptor.h
src/io/new_file.h:
src/base/message.h:
src/base/status.h:
src/process/ending.h:
src/io/descriptor.h:
