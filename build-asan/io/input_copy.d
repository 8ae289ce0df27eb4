build-asan/io/input_copy.o: src/io/input_copy.c src/io/input_copy.h \
 src/base/problem.h src/base/status.h src/base/memory.h \
 src/base/message.h src/io/input_name.h src/io/temporary.h
src/io/input_copy.h:
src/base/problem.h:
src/base/status.h:
src/base/memory.h:
src/base/message.h:
src/io/input_name.h:
src/io/temporary.h:
