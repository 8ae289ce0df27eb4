build-asan/io/input.o: src/io/input.c src/io/input_private.h \
 src/io/filter.h src/base/problem.h src/base/status.h src/io/flow.h \
 src/io/input.h src/base/pool.h src/io/input_name.h src/io/input_copy.h \
 src/base/memory.h src/base/timeline.h src/io/bgzf.h src/io/descriptor.h \
 src/process/sandbox.h
src/io/input_private.h:
src/io/filter.h:
src/base/problem.h:
src/base/status.h:
src/io/flow.h:
src/io/input.h:
src/base/pool.h:
src/io/input_name.h:
src/io/input_copy.h:
src/base/memory.h:
src/base/timeline.h:
src/io/bgzf.h:
src/io/descriptor.h:
src/process/sandbox.h:
