build-asan/cli/check_missing.o: src/cli/check_missing.c \
 src/cli/check_missing.h src/stream/plan.h src/base/memory.h \
 src/base/status.h src/scan/row.h src/number/decimal.h src/number/type.h \
 src/number/write.h src/number/packed.h src/scan/row_code.h \
 src/scan/operators.inc src/scan/each_operator.inc \
 src/scan/operator_facts.inc src/text/members.h src/text/npy.h \
 src/base/message.h src/text/rules.h src/base/hash.h \
 src/number/printf_format.h src/number/parse.h src/scan/program.h \
 src/language/declarations.h src/language/types.h src/base/layout.h \
 src/base/pack.h src/language/syntax.h src/language/tokens.h \
 src/scan/program_host.h src/language/expression.h
src/cli/check_missing.h:
src/stream/plan.h:
src/base/memory.h:
src/base/status.h:
src/scan/row.h:
src/number/decimal.h:
src/number/type.h:
src/number/write.h:
src/number/packed.h:
src/scan/row_code.h:
src/scan/operators.inc:
src/scan/each_operator.inc:
src/scan/operator_facts.inc:
src/text/members.h:
src/text/npy.h:
src/base/message.h:
src/text/rules.h:
src/base/hash.h:
src/number/printf_format.h:
src/number/parse.h:
src/scan/program.h:
src/language/declarations.h:
src/language/types.h:
src/base/layout.h:
src/base/pack.h:
src/language/syntax.h:
src/language/tokens.h:
src/scan/program_host.h:
src/language/expression.h:
