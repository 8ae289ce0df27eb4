build-asan/device/build_log.o: src/device/build_log.c \
 src/device/build_log.h src/scan/program.h src/base/memory.h \
 src/base/status.h src/language/declarations.h src/number/packed.h \
 src/number/type.h src/language/types.h src/base/layout.h src/base/pack.h \
 src/language/syntax.h src/language/tokens.h src/scan/program_host.h \
 src/language/expression.h src/number/decimal.h src/number/write.h \
 src/scan/row.h src/scan/row_code.h src/scan/operators.inc \
 src/scan/each_operator.inc src/scan/operator_facts.inc
src/device/build_log.h:
src/scan/program.h:
src/base/memory.h:
src/base/status.h:
src/language/declarations.h:
src/number/packed.h:
src/number/type.h:
src/language/types.h:
src/base/layout.h:
src/base/pack.h:
src/language/syntax.h:
src/language/tokens.h:
src/scan/program_host.h:
src/language/expression.h:
src/number/decimal.h:
src/number/write.h:
src/scan/row.h:
src/scan/row_code.h:
src/scan/operators.inc:
src/scan/each_operator.inc:
src/scan/operator_facts.inc:
