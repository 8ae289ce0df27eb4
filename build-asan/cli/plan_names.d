build-asan/cli/plan_names.o: src/cli/plan_names.c src/cli/plan_names.h \
 src/stream/plan.h src/base/memory.h src/base/status.h src/scan/row.h \
 src/number/decimal.h src/number/type.h src/number/write.h \
 src/number/packed.h src/scan/row_code.h src/scan/operators.inc \
 src/scan/each_operator.inc src/scan/operator_facts.inc \
 src/text/members.h src/text/npy.h src/base/message.h src/text/rules.h \
 src/base/hash.h src/number/printf_format.h src/text/json.h \
 src/text/line.h
src/cli/plan_names.h:
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
src/text/json.h:
src/text/line.h:
