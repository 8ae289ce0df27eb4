build-asan/io/temporary.o: src/io/temporary.c src/io/temporary.h \
 src/base/status.h src/base/message.h src/io/descriptor.h \
 src/process/ending.h
src/io/temporary.h:
src/base/status.h:
src/base/message.h:
src/io/descriptor.h:
src/process/ending.h:
