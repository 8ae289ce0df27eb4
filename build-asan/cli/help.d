build-asan/cli/help.o: src/cli/help.c src/cli/help.h src/base/memory.h \
 src/base/status.h src/base/message.h src/scan/row.h src/number/decimal.h \
 src/number/type.h src/number/write.h src/number/packed.h \
 src/scan/row_code.h src/scan/operators.inc src/scan/each_operator.inc \
 src/scan/operator_facts.inc src/cli/options.inc
src/cli/help.h:
src/base/memory.h:
src/base/status.h:
src/base/message.h:
src/scan/row.h:
src/number/decimal.h:
src/number/type.h:
src/number/write.h:
src/number/packed.h:
src/scan/row_code.h:
src/scan/operators.inc:
src/scan/each_operator.inc:
src/scan/operator_facts.inc:
src/cli/options.inc:
