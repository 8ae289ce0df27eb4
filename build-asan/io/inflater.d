build-asan/io/inflater.o: src/io/inflater.c src/io/inflater.h \
 src/base/status.h src/io/flow.h src/base/memory.h
src/io/inflater.h:
src/base/status.h:
src/io/flow.h:
src/base/memory.h:
