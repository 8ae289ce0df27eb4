build-asan/alone.o: src/alone.c src/ranks.h src/base/status.h
src/ranks.h:
src/base/status.h:
