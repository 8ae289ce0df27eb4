build-asan/io/input_inflated.o: src/io/input_inflated.c src/io/bgzf.h \
 src/base/memory.h src/base/status.h src/base/pool.h src/io/gzip.h \
 src/io/filter.h src/base/problem.h src/io/flow.h src/io/input_private.h \
 src/io/input.h src/io/input_name.h src/io/input_copy.h
src/io/bgzf.h:
src/base/memory.h:
src/base/status.h:
src/base/pool.h:
src/io/gzip.h:
src/io/filter.h:
src/base/problem.h:
src/io/flow.h:
src/io/input_private.h:
src/io/input.h:
src/io/input_name.h:
src/io/input_copy.h:
