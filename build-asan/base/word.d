build-asan/base/word.o: src/base/word.c src/base/word.h
src/base/word.h:
