build-asan/base/memory.o: src/base/memory.c src/base/memory.h \
 src/base/status.h src/base/message.h
src/base/memory.h:
src/base/status.h:
src/base/message.h:
