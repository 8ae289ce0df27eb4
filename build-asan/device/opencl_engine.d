build-asan/device/opencl_engine.o: src/device/opencl_engine.c \
 src/device/opencl_engine.h src/device/engine.h src/base/pool.h \
 src/base/status.h src/base/timeline.h src/scan/row.h \
 src/number/decimal.h src/number/type.h src/number/write.h \
 src/number/packed.h src/scan/row_code.h src/scan/operators.inc \
 src/scan/each_operator.inc src/scan/operator_facts.inc src/scan/window.h \
 src/base/pack.h src/base/memory.h src/base/message.h src/device/opencl.h \
 src/device/opencl_cache.h src/device/opencl_channel.h \
 src/device/opencl_cursor.h src/device/opencl_program.h \
 src/process/ending.h
src/device/opencl_engine.h:
src/device/engine.h:
src/base/pool.h:
src/base/status.h:
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
src/base/memory.h:
src/base/message.h:
src/device/opencl.h:
src/device/opencl_cache.h:
src/device/opencl_channel.h:
src/device/opencl_cursor.h:
src/device/opencl_program.h:
src/process/ending.h:
