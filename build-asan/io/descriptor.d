build-asan/io/descriptor.o: src/io/descriptor.c src/io/descriptor.h
src/io/descriptor.h:
