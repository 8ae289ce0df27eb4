build-asan/language/side_by_side.o: src/language/side_by_side.c \
 src/language/side_by_side.h src/base/memory.h src/base/status.h \
 src/language/syntax.h src/language/tokens.h
src/language/side_by_side.h:
src/base/memory.h:
src/base/status.h:
src/language/syntax.h:
src/language/tokens.h:
