#!/usr/bin/python3
"""Lists the OpenCL devices, one a line: type, name, driver, separated by tabs. Nothing where there is no OpenCL.

A process of its own, because a driver that is loaded stays.
"""
import ctypes
import sys

PLATFORM_NAME = 0x0902
DEVICE_TYPE = 0x1000
DEVICE_NAME = 0x102B
DRIVER_VERSION = 0x102D
ALL_DEVICES = 0xFFFFFFFF
TYPES = {2: "cpu", 4: "gpu", 8: "accelerator"}


def get_handles(function, *arguments) -> list:
    """What clGetPlatformIDs or clGetDeviceIDs gives, as pointers; nothing if it fails."""
    count = ctypes.c_uint(0)
    if function(*arguments, 0, None, ctypes.byref(count)) != 0:
        return []
    handles = (ctypes.c_void_p * count.value)()
    return list(handles) if function(*arguments, count, handles, None) == 0 else []


def get_info(function, handle, name: int) -> bytes:
    """One value of clGetPlatformInfo or clGetDeviceInfo as bytes; empty if it fails."""
    size = ctypes.c_size_t(0)
    if function(ctypes.c_void_p(handle), name, ctypes.c_size_t(0), None, ctypes.byref(size)) != 0:
        return b""
    value = ctypes.create_string_buffer(size.value)
    if function(ctypes.c_void_p(handle), name, size, value, None) != 0:
        return b""
    return value.raw


def text(value: bytes) -> str:
    """A C string as one field of a line."""
    return " ".join(value.rstrip(b"\0").decode("utf-8", "replace").split())


def main() -> int:
    """Every device of every platform."""
    try:
        opencl = ctypes.CDLL("libOpenCL.so.1")
    except OSError:
        return 0
    for platform in get_handles(opencl.clGetPlatformIDs):
        platform_name = text(get_info(opencl.clGetPlatformInfo, platform, PLATFORM_NAME))
        of_platform = (ctypes.c_void_p(platform), ctypes.c_uint64(ALL_DEVICES))
        for device in get_handles(opencl.clGetDeviceIDs, *of_platform):
            kind = int.from_bytes(get_info(opencl.clGetDeviceInfo, device, DEVICE_TYPE), sys.byteorder)
            name = text(get_info(opencl.clGetDeviceInfo, device, DEVICE_NAME))
            driver = text(get_info(opencl.clGetDeviceInfo, device, DRIVER_VERSION))
            print(TYPES.get(kind & 14, "other"), name, f"{platform_name} {driver}", sep="\t")
    return 0


if __name__ == "__main__":
    sys.exit(main())
