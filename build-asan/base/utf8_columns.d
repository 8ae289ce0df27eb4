build-asan/base/utf8_columns.o: src/base/utf8_columns.c src/base/utf8.h
src/base/utf8.h:
