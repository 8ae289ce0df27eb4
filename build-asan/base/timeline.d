build-asan/base/timeline.o: src/base/timeline.c src/base/timeline.h
src/base/timeline.h:
