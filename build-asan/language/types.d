build-asan/language/types.o: src/language/types.c src/language/types.h \
 src/base/layout.h src/base/pack.h src/base/memory.h src/base/status.h \
 src/language/syntax.h src/language/tokens.h src/number/type.h \
 src/base/message.h src/number/packed.h
src/language/types.h:
src/base/layout.h:
src/base/pack.h:
src/base/memory.h:
src/base/status.h:
src/language/syntax.h:
src/language/tokens.h:
src/number/type.h:
src/base/message.h:
src/number/packed.h:
