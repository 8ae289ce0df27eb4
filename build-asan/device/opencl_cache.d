build-asan/device/opencl_cache.o: src/device/opencl_cache.c \
 src/device/opencl_cache.h src/base/message.h src/base/status.h \
 src/process/ending.h
src/device/opencl_cache.h:
src/base/message.h:
src/base/status.h:
src/process/ending.h:
