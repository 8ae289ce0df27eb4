build-asan/base/hash.o: src/base/hash.c src/base/hash.h src/base/status.h \
 src/base/message.h
src/base/hash.h:
src/base/status.h:
src/base/message.h:
