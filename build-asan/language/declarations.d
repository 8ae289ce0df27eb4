build-asan/language/declarations.o: src/language/declarations.c \
 src/language/declarations.h src/base/status.h src/number/packed.h \
 src/number/type.h src/language/types.h src/base/layout.h src/base/pack.h \
 src/base/memory.h src/language/syntax.h src/language/tokens.h
src/language/declarations.h:
src/base/status.h:
src/number/packed.h:
src/number/type.h:
src/language/types.h:
src/base/layout.h:
src/base/pack.h:
src/base/memory.h:
src/language/syntax.h:
src/language/tokens.h:
