build-asan/language/expression_text.o: src/language/expression_text.c \
 src/language/expression_text.h src/language/expression.h \
 src/base/memory.h src/base/status.h src/language/tokens.h \
 src/number/decimal.h src/number/type.h src/number/write.h \
 src/language/types.h src/base/layout.h src/base/pack.h \
 src/language/syntax.h src/number/parse.h
src/language/expression_text.h:
src/language/expression.h:
src/base/memory.h:
src/base/status.h:
src/language/tokens.h:
src/number/decimal.h:
src/number/type.h:
src/number/write.h:
src/language/types.h:
src/base/layout.h:
src/base/pack.h:
src/language/syntax.h:
src/number/parse.h:
