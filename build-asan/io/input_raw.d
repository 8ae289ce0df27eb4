build-asan/io/input_raw.o: src/io/input_raw.c src/io/input_private.h \
 src/io/filter.h src/base/problem.h src/base/status.h src/io/flow.h \
 src/io/input.h src/base/pool.h src/io/input_name.h src/io/input_copy.h
src/io/input_private.h:
src/io/filter.h:
src/base/problem.h:
src/base/status.h:
src/io/flow.h:
src/io/input.h:
src/base/pool.h:
src/io/input_name.h:
src/io/input_copy.h:
