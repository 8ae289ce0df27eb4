build-asan/base/message.o: src/base/message.c src/base/message.h \
 src/base/status.h src/base/utf8.h
src/base/message.h:
src/base/status.h:
src/base/utf8.h:
