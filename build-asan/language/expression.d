build-asan/language/expression.o: src/language/expression.c \
 src/language/expression.h src/base/memory.h src/base/status.h \
 src/language/tokens.h src/number/decimal.h src/number/type.h \
 src/number/write.h src/language/expression_steps.h \
 src/language/expression_text.h src/language/syntax.h \
 src/language/types.h src/base/layout.h src/base/pack.h
src/language/expression.h:
src/base/memory.h:
src/base/status.h:
src/language/tokens.h:
src/number/decimal.h:
src/number/type.h:
src/number/write.h:
src/language/expression_steps.h:
src/language/expression_text.h:
src/language/syntax.h:
src/language/types.h:
src/base/layout.h:
src/base/pack.h:
