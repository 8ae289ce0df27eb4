build-asan/cli/bad_expression.o: src/cli/bad_expression.c \
 src/cli/bad_expression.h src/base/status.h src/base/message.h
src/cli/bad_expression.h:
src/base/status.h:
src/base/message.h:
