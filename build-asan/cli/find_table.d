build-asan/cli/find_table.o: src/cli/find_table.c src/cli/find_table.h \
 src/base/status.h src/stream/plan.h src/base/memory.h src/scan/row.h \
 src/number/decimal.h src/number/type.h src/number/write.h \
 src/number/packed.h src/scan/row_code.h src/scan/operators.inc \
 src/scan/each_operator.inc src/scan/operator_facts.inc \
 src/text/members.h src/text/npy.h src/base/message.h src/text/rules.h \
 src/base/hash.h src/number/printf_format.h src/text/line.h \
 src/cli/args.h src/cli/help.h src/io/compressor.h src/stream/stats.h \
 src/stream/slot.h src/base/problem.h src/base/timeline.h \
 src/device/engine.h src/base/pool.h src/scan/window.h src/base/pack.h \
 src/io/input.h src/io/input_name.h src/number/interleave.h \
 src/plot/key_curves.h src/plot/curve.h src/stream/slot_emit.h \
 src/text/result.h src/stream/slot_map.h src/text/decode.h \
 src/number/scan_text.h src/text/edit.h src/text/gap_place.h \
 src/text/grouper.h src/text/header.h src/text/names.h src/text/resets.h \
 src/text/encode.h src/cli/args_fields.h src/cli/args_value.h \
 src/cli/list_columns.h src/number/parse.h src/text/marks.h \
 src/text/record.h src/text/quotes.h src/text/screen.h
src/cli/find_table.h:
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
src/text/line.h:
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
src/text/gap_place.h:
src/text/grouper.h:
src/text/header.h:
src/text/names.h:
src/text/resets.h:
src/text/encode.h:
src/cli/args_fields.h:
src/cli/args_value.h:
src/cli/list_columns.h:
src/number/parse.h:
src/text/marks.h:
src/text/record.h:
src/text/quotes.h:
src/text/screen.h:
