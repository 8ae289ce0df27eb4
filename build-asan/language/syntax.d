build-asan/language/syntax.o: src/language/syntax.c src/language/syntax.h \
 src/language/tokens.h src/base/memory.h src/base/status.h
src/language/syntax.h:
src/language/tokens.h:
src/base/memory.h:
src/base/status.h:
