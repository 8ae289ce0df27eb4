build-asan/language/tokens.o: src/language/tokens.c src/language/tokens.h \
 src/base/memory.h src/base/status.h
src/language/tokens.h:
src/base/memory.h:
src/base/status.h:
