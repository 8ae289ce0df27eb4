build-asan/device/opencl_program.o: src/device/opencl_program.c \
 src/device/opencl_program.h src/base/memory.h src/base/status.h \
 src/device/engine.h src/base/pool.h src/base/timeline.h src/scan/row.h \
 src/number/decimal.h src/number/type.h src/number/write.h \
 src/number/packed.h src/scan/row_code.h src/scan/operators.inc \
 src/scan/each_operator.inc src/scan/operator_facts.inc src/scan/window.h \
 src/base/pack.h src/device/opencl.h src/base/message.h \
 src/device/build_log.h src/number/convert.h src/scan/kernel_text.h \
 src/scan/program.h src/language/declarations.h src/language/types.h \
 src/base/layout.h src/language/syntax.h src/language/tokens.h \
 src/scan/program_host.h src/language/expression.h
src/device/opencl_program.h:
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
src/device/opencl.h:
src/base/message.h:
src/device/build_log.h:
src/number/convert.h:
src/scan/kernel_text.h:
src/scan/program.h:
src/language/declarations.h:
src/language/types.h:
src/base/layout.h:
src/language/syntax.h:
src/language/tokens.h:
src/scan/program_host.h:
src/language/expression.h:
