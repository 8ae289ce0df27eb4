build-asan/base/layout.o: src/base/layout.c src/base/layout.h \
 src/base/pack.h src/base/memory.h src/base/status.h src/base/message.h
src/base/layout.h:
src/base/pack.h:
src/base/memory.h:
src/base/status.h:
src/base/message.h:
