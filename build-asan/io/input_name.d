build-asan/io/input_name.o: src/io/input_name.c src/io/input_name.h
src/io/input_name.h:
