build-asan/base/problem.o: src/base/problem.c src/base/problem.h \
 src/base/status.h src/base/message.h
src/base/problem.h:
src/base/status.h:
src/base/message.h:
