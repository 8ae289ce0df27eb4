build-asan/device/several_engines.o: src/device/several_engines.c \
 src/base/memory.h src/base/status.h src/device/engine.h src/base/pool.h \
 src/base/timeline.h src/scan/row.h src/number/decimal.h \
 src/number/type.h src/number/write.h src/number/packed.h \
 src/scan/row_code.h src/scan/operators.inc src/scan/each_operator.inc \
 src/scan/operator_facts.inc src/scan/window.h src/base/pack.h
src/base/memory.h:
src/base/status.h:
src/device/engine.h:
src/base/pool.h:
src/base/timeline.h:
src/scan/row.h:
src/number/decimal.h:
src/number/type.h:
src/number/write.h:
src/number/packed.h:
src/scan/row_code.h:
src/scan/operators.inc:
src/scan/each_operator.inc:
src/scan/operator_facts.inc:
src/scan/window.h:
src/base/pack.h:
