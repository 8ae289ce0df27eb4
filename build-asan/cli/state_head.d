build-asan/cli/state_head.o: src/cli/state_head.c src/cli/state_head.h \
 src/base/layout.h src/base/pack.h src/base/memory.h src/base/status.h \
 src/base/message.h src/base/version.h src/scan/row.h \
 src/number/decimal.h src/number/type.h src/number/write.h \
 src/number/packed.h src/scan/row_code.h src/scan/operators.inc \
 src/scan/each_operator.inc src/scan/operator_facts.inc
src/cli/state_head.h:
src/base/layout.h:
src/base/pack.h:
src/base/memory.h:
src/base/status.h:
src/base/message.h:
src/base/version.h:
src/scan/row.h:
src/number/decimal.h:
src/number/type.h:
src/number/write.h:
src/number/packed.h:
src/scan/row_code.h:
src/scan/operators.inc:
src/scan/each_operator.inc:
src/scan/operator_facts.inc:
