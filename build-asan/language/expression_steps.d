build-asan/language/expression_steps.o: src/language/expression_steps.c \
 src/language/expression_steps.h src/language/expression_text.h \
 src/language/expression.h src/base/memory.h src/base/status.h \
 src/language/tokens.h src/number/decimal.h src/number/type.h \
 src/number/write.h src/language/syntax.h
src/language/expression_steps.h:
src/language/expression_text.h:
src/language/expression.h:
src/base/memory.h:
src/base/status.h:
src/language/tokens.h:
src/number/decimal.h:
src/number/type.h:
src/number/write.h:
src/language/syntax.h:
