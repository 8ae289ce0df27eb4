build-asan/cli/args_op.o: src/cli/args_op.c src/cli/args_op.h \
 src/base/status.h src/base/memory.h src/base/message.h
src/cli/args_op.h:
src/base/status.h:
src/base/memory.h:
src/base/message.h:
