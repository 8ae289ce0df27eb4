build-asan/cli/plan_lanes.o: src/cli/plan_lanes.c src/cli/plan_lanes.h \
 src/base/status.h src/stream/plan.h src/base/memory.h src/scan/row.h \
 src/number/decimal.h src/number/type.h src/number/write.h \
 src/number/packed.h src/scan/row_code.h src/scan/operators.inc \
 src/scan/each_operator.inc src/scan/operator_facts.inc \
 src/text/members.h src/text/npy.h src/base/message.h src/text/rules.h \
 src/base/hash.h src/number/printf_format.h src/cli/args.h src/cli/help.h \
 src/io/compressor.h src/stream/stats.h src/stream/slot.h \
 src/base/problem.h src/base/timeline.h src/device/engine.h \
 src/base/pool.h src/scan/window.h src/base/pack.h src/io/input.h \
 src/io/input_name.h src/number/interleave.h src/plot/key_curves.h \
 src/plot/curve.h src/stream/slot_emit.h src/text/result.h \
 src/stream/slot_map.h src/text/decode.h src/number/scan_text.h \
 src/text/edit.h src/text/line.h src/text/gap_place.h src/text/grouper.h \
 src/text/header.h src/text/names.h src/text/resets.h src/text/encode.h \
 src/cli/args_value.h src/cli/args_fields.h src/cli/find_table.h \
 src/cli/make_plan.h src/cli/plan_map.h src/cli/plan_names.h \
 src/cli/plan_exclusive.h src/scan/program.h src/language/declarations.h \
 src/language/types.h src/base/layout.h src/language/syntax.h \
 src/language/tokens.h src/scan/program_host.h src/language/expression.h
src/cli/plan_lanes.h:
src/base/status.h:
src/stream/plan.h:
src/base/memory.h:
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
src/cli/args.h:
src/cli/help.h:
src/io/compressor.h:
src/stream/stats.h:
src/stream/slot.h:
src/base/problem.h:
src/base/timeline.h:
src/device/engine.h:
src/base/pool.h:
src/scan/window.h:
src/base/pack.h:
src/io/input.h:
src/io/input_name.h:
src/number/interleave.h:
src/plot/key_curves.h:
src/plot/curve.h:
src/stream/slot_emit.h:
src/text/result.h:
src/stream/slot_map.h:
src/text/decode.h:
src/number/scan_text.h:
src/text/edit.h:
src/text/line.h:
src/text/gap_place.h:
src/text/grouper.h:
src/text/header.h:
src/text/names.h:
src/text/resets.h:
src/text/encode.h:
src/cli/args_value.h:
src/cli/args_fields.h:
src/cli/find_table.h:
src/cli/make_plan.h:
src/cli/plan_map.h:
src/cli/plan_names.h:
src/cli/plan_exclusive.h:
src/scan/program.h:
src/language/declarations.h:
src/language/types.h:
src/base/layout.h:
src/language/syntax.h:
src/language/tokens.h:
src/scan/program_host.h:
src/language/expression.h:
