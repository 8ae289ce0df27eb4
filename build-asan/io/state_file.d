build-asan/io/state_file.o: src/io/state_file.c src/io/state_file.h \
 src/base/pack.h src/base/memory.h src/base/status.h src/base/hash.h \
 src/base/message.h src/io/descriptor.h src/io/gzip.h src/io/filter.h \
 src/base/problem.h src/io/flow.h src/io/new_file.h src/process/ending.h
src/io/state_file.h:
src/base/pack.h:
src/base/memory.h:
src/base/status.h:
src/base/hash.h:
src/base/message.h:
src/io/descriptor.h:
src/io/gzip.h:
src/io/filter.h:
src/base/problem.h:
src/io/flow.h:
src/io/new_file.h:
src/process/ending.h:
