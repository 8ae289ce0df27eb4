build-asan/cli/synonyms.o: src/cli/synonyms.c src/cli/synonyms.h \
 src/scan/row.h src/number/decimal.h src/number/type.h src/number/write.h \
 src/number/packed.h src/scan/row_code.h src/scan/operators.inc \
 src/scan/each_operator.inc src/scan/operator_facts.inc src/base/word.h
src/cli/synonyms.h:
src/scan/row.h:
src/number/decimal.h:
src/number/type.h:
src/number/write.h:
src/number/packed.h:
src/scan/row_code.h:
src/scan/operators.inc:
src/scan/each_operator.inc:
src/scan/operator_facts.inc:
src/base/word.h:
