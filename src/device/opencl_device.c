#define _GNU_SOURCE /* dladdr, strcasestr */
/* Finds devices and reports failures. Platforms and devices that do not answer queries are left out. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/message.h"
#include "device/opencl.h"
#include "device/opencl_cache.h"
#include "device/opencl_engine.h"
#include "process/ending.h"
#include "process/sandbox.h"

/* The ICD loader's CL_PLATFORM_NOT_FOUND_KHR. */
#define PLATFORM_NOT_FOUND (-1001)

const char *opencl_error_name(cl_int code)
{
	static const struct {
		cl_int code;
		const char *name;
	} names[] = {
		{CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND"},
		{CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
		{CL_COMPILER_NOT_AVAILABLE, "CL_COMPILER_NOT_AVAILABLE"},
		{CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
		{CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
		{CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
		{CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
		{CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
		{CL_INVALID_VALUE, "CL_INVALID_VALUE"},
		{CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS"},
		{CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
		{CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"},
	};
	static _Thread_local char number[32];
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (names[i].code == code)
			return names[i].name;
	}
	(void)snprintf(number, sizeof number, "OpenCL error %d", (int)code);
	return number;
}

enum status opencl_failed_because(struct opencl_context *c, const char *what)
{
	if (c->was_reported)
		return STATUS_DEVICE;
	c->was_reported = true;
	if (c->named)
		message_error("device %s: %s", c->label, what);
	else
		message_warning("device %s: %s; the host goes on", c->label, what);
	return STATUS_DEVICE;
}

enum status opencl_failed(struct opencl_context *c, const char *call, cl_int code)
{
	char what[120];
	(void)snprintf(what, sizeof what, "%s: %s", call, opencl_error_name(code));
	return opencl_failed_because(c, what);
}

static void device_describe(struct opencl_device *d)
{
	cl_device_fp_config single = 0;
	cl_device_fp_config twice = 0;
	cl_bool little = CL_TRUE;
	cl_bool unified = CL_FALSE;
	const cl_device_fp_config ieee = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST;
	(void)clGetDeviceInfo(d->id, CL_DEVICE_TYPE, sizeof d->type, &d->type, NULL);
	(void)clGetDeviceInfo(d->id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof d->memory_bytes, &d->memory_bytes, NULL);
	(void)clGetDeviceInfo(d->id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof d->local_bytes, &d->local_bytes, NULL);
	(void)clGetDeviceInfo(d->id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof d->work_group_max, &d->work_group_max, NULL);
	(void)clGetDeviceInfo(d->id, CL_DEVICE_NAME, sizeof d->name - 1, d->name, NULL);
	(void)clGetDeviceInfo(d->id, CL_DEVICE_VERSION, sizeof d->version - 1, d->version, NULL);
	(void)clGetDeviceInfo(d->id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof single, &single, NULL);
	(void)clGetDeviceInfo(d->id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof twice, &twice, NULL);
	(void)clGetDeviceInfo(d->id, CL_DEVICE_ENDIAN_LITTLE, sizeof little, &little, NULL);
	(void)clGetDeviceInfo(d->id, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof unified, &unified, NULL);
	const uint16_t probe = 1;
	unsigned char first;
	memcpy(&first, &probe, 1);
	d->fp64 = twice != 0;
	const char *memory = getenv("PSCAN_MEMORY");
	d->shares_memory = unified == CL_TRUE && (memory == NULL || strcmp(memory, "copy") != 0);
	d->divides_exactly = (single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
	d->bit_exact = (single & ieee) == ieee && (twice == 0 || (twice & ieee) == ieee) && d->divides_exactly &&
		       (first == 1) == (little == CL_TRUE);
}

/* Appends the devices of one platform, at most 64, to the list. STATUS_SYSTEM after a message if memory is missing. */
static enum status add_platform(struct bytes *list, cl_platform_id platform, unsigned platform_index)
{
	cl_uint count = 0;
	cl_device_id ids[64];
	if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count) != CL_SUCCESS)
		return STATUS_OK;
	if (count > 64)
		count = 64;
	if (count == 0 || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids, NULL) != CL_SUCCESS)
		return STATUS_OK;
	for (cl_uint i = 0; i < count; i++) {
		struct opencl_device d = {.platform_index = platform_index, .device_index = i, .id = ids[i]};
		device_describe(&d);
		if (bytes_append(list, &d, sizeof d) != STATUS_OK)
			return STATUS_SYSTEM;
	}
	return STATUS_OK;
}

/* Sets *devices to all devices of all platforms, platform by platform (see opencl_choose_devices). */
static enum status find_devices(struct opencl_device **devices, size_t *count, cl_int *failure)
{
	struct bytes list = {0};
	cl_platform_id platforms[32];
	cl_uint platform_count = 0;
	*failure = clGetPlatformIDs(32, platforms, &platform_count);
	if (*failure != CL_SUCCESS)
		platform_count = 0;
	if (*failure == PLATFORM_NOT_FOUND)
		*failure = CL_SUCCESS;
	for (cl_uint p = 0; p < platform_count && p < 32; p++) {
		if (add_platform(&list, platforms[p], p) != STATUS_OK) {
			bytes_free(&list);
			return STATUS_SYSTEM;
		}
	}
	*devices = (struct opencl_device *)(void *)list.data;
	*count = list.size / sizeof **devices;
	return STATUS_OK;
}

const char *opencl_engine_loader(void)
{
	Dl_info info;
	cl_int (*const function)(cl_uint, cl_platform_id *, cl_uint *) = clGetPlatformIDs;
	const void *address;
	memcpy(&address, &function, sizeof address);
	return dladdr(address, &info) != 0 && info.dli_fname != NULL ? info.dli_fname : "ICD loader";
}

static bool device_matches(const struct opencl_device *d, const char *spec)
{
	char place[32];
	(void)snprintf(place, sizeof place, "%u:%u", d->platform_index, d->device_index);
	if (spec == NULL || strcmp(spec, "auto") == 0)
		return d->bit_exact && (d->type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR)) != 0;
	if (strcmp(spec, "gpu") == 0 || strcmp(spec, "gpus") == 0)
		return (d->type & CL_DEVICE_TYPE_GPU) != 0;
	if (strcmp(spec, "cpu") == 0)
		return (d->type & CL_DEVICE_TYPE_CPU) != 0;
	return strcmp(spec, place) == 0 || (strchr(spec, ':') == NULL && strcasestr(d->name, spec) != NULL);
}

/* Moves the first device that spec names, or for "gpus" all that match, to the front. Returns their number. */
static size_t keep_matching(struct opencl_device *devices, size_t count, const char *spec)
{
	const size_t wanted = spec != NULL && strcmp(spec, "gpus") == 0 ? count : 1;
	size_t kept = 0;
	for (size_t i = 0; i < count && kept < wanted; i++) {
		if (device_matches(&devices[i], spec))
			devices[kept++] = devices[i];
	}
	return kept;
}

enum status opencl_choose_devices(const char *spec, struct opencl_device **chosen, size_t *count, cl_int *failure)
{
	size_t all;
	TRY(find_devices(chosen, &all, failure));
	*count = keep_matching(*chosen, all, spec);
	if (*count == 0 && spec != NULL && strcmp(spec, "auto") == 0)
		*count = keep_matching(*chosen, all, "cpu");
	return STATUS_OK;
}

enum status opencl_none(const char *spec, cl_int failure)
{
	const char *name = message_quoted(spec);
	if (failure == CL_SUCCESS && strcmp(spec, "auto") == 0)
		message_error("no OpenCL device, which an operator of your own needs: install pocl-opencl-icd or a "
			      "GPU's driver%s",
			      opencl_engine_hint());
	else if (failure == CL_SUCCESS)
		message_error("no OpenCL device %s (see --list-devices)%s", name, opencl_engine_hint());
	else
		message_error("no OpenCL device %s: clGetPlatformIDs: %s", name, opencl_error_name(failure));
	return STATUS_DEVICE;
}

/* The length of the first two words of a version such as "OpenCL 1.2 and what the vendor adds". */
static int version_length(const char *version)
{
	const char *space = strchr(version, ' ');
	const char *end = space != NULL ? strchr(space + 1, ' ') : NULL;
	return end != NULL ? (int)(end - version) : (int)strlen(version);
}

static const char *type_name(cl_device_type type)
{
	if (type & CL_DEVICE_TYPE_GPU)
		return "gpu";
	if (type & CL_DEVICE_TYPE_CPU)
		return "cpu";
	return type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator" : "other";
}

void opencl_engine_prepare(bool named)
{
	ending_watch_exit(named ? STATUS_DEVICE : STATUS_SYSTEM);
	opencl_cache_open(opencl_engine_may_have_gpu());
}

void opencl_engine_end(void)
{
	opencl_cache_close();
	ending_watch_exit(0);
}

typedef bool driver_check(const char *library);

/* Whether `check` returns true for the library that an .icd file names. False if the file cannot be read. */
static bool check_file(const char *directory, const char *name, driver_check *check)
{
	char path[PATH_MAX];
	char library[PATH_MAX] = "";
	const size_t size = strlen(name);
	if (size < 4 || strcmp(name + size - 4, ".icd") != 0 ||
	    snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path)
		return false;
	FILE *file = fopen(path, "re");
	if (file == NULL)
		return false;
	const bool read = fgets(library, sizeof library, file) != NULL;
	(void)fclose(file);
	library[strcspn(library, "\n")] = '\0';
	return read && check(library);
}

/* Whether `check` returns true for any of the drivers that a directory lists. */
static bool check_drivers(const char *directory_name, driver_check *check)
{
	DIR *directory = opendir(directory_name);
	if (directory == NULL)
		return false;
	bool holds = false;
	const struct dirent *entry;
	while (!holds && (entry = readdir(directory)) != NULL)
		holds = check_file(directory_name, entry->d_name, check);
	(void)closedir(directory);
	return holds;
}

static bool is_pocl(const char *library)
{
	return strstr(library, "pocl") != NULL;
}

/* Whether PoCL may be installed. It may be if the directory does not list the drivers, or a variable names others. */
static bool may_have_pocl(const char *vendors)
{
	struct stat st;
	return stat(vendors, &st) != 0 || !S_ISDIR(st.st_mode) || getenv("OCL_ICD_FILENAMES") != NULL ||
	       getenv("OPENCL_VENDOR_PATH") != NULL || check_drivers(vendors, is_pocl);
}

static bool is_other_driver(const char *library)
{
	return !is_pocl(library);
}

static bool is_hidden(const char *library)
{
	const int fd = library[0] == '/' ? open(library, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return library[0] == '/' && sandbox_denied(library);
	(void)close(fd);
	return false;
}

/* The directory that lists drivers, unless an environment variable names another. */
#define VENDORS "/etc/OpenCL/vendors"

bool opencl_engine_may_have_gpu(void)
{
	/* Which drivers the loader finds by these variables is known only to the loader. */
	static const char *const unknown[] = {"OCL_ICD_VENDORS", "OCL_ICD_FILENAMES", "OPENCL_VENDOR_PATH",
					      "OPENCL_LAYERS"};
	for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
		if (getenv(unknown[i]) != NULL)
			return true;
	}
	return check_drivers(VENDORS, is_other_driver);
}

const char *opencl_engine_vendors(void)
{
	const char *named = getenv("OCL_ICD_VENDORS");
	return named != NULL ? named : VENDORS;
}

/* Why a library or the list of drivers cannot be loaded. Only one thread uses it. */
static char load_failure[MESSAGE_NAME_SIZE];

static bool cannot_load(const char *library)
{
	/* A library that can be loaded stays loaded; the ICD loader has loaded it before. */
	/* cppcheck-suppress leakReturnValNotUsed */
	if (dlopen(library, RTLD_LAZY | RTLD_LOCAL) != NULL)
		return false;
	const char *why = dlerror();
	(void)snprintf(load_failure, sizeof load_failure, "; %s", message_shown(why != NULL ? why : library));
	return true;
}

/* Whether the list of drivers cannot be read, for instance for lack of descriptors. The loader needs two descriptors at
 * once, for the directory and a file in it. */
static bool cannot_list(const char *vendors)
{
	DIR *directory = opendir(vendors);
	const int second = directory != NULL ? open(vendors, O_RDONLY | O_CLOEXEC) : -1;
	if (second < 0 && errno != ENOENT && errno != ENOTDIR)
		(void)snprintf(load_failure, sizeof load_failure, "; %s: %s", vendors, strerror(errno));
	if (second >= 0)
		(void)close(second);
	if (directory != NULL)
		(void)closedir(directory);
	return load_failure[0] != '\0';
}

const char *opencl_engine_hint(void)
{
	const char *vendors = opencl_engine_vendors();
	if (cannot_list(vendors))
		return load_failure;
	if (check_drivers(vendors, is_hidden))
		return "; the sandbox hides a driver (see --no-sandbox)";
	if (opencl_cache_is_useless() && may_have_pocl(vendors))
		return "; no kernels can be kept (see POCL_CACHE_DIR)";
	return check_drivers(vendors, cannot_load) ? load_failure : "";
}

enum status opencl_engine_list(struct bytes *text)
{
	struct opencl_device *devices = NULL;
	size_t count = 0;
	cl_int failure;
	opencl_cache_mend();
	enum status status = find_devices(&devices, &count, &failure);
	ending_drivers_loaded();
	if (status == STATUS_OK && failure != CL_SUCCESS) {
		message_error("no OpenCL device: clGetPlatformIDs: %s", opencl_error_name(failure));
		status = STATUS_DEVICE;
	}
	for (size_t i = 0; i < count && status == STATUS_OK; i++) {
		const struct opencl_device *d = &devices[i];
		const char *version = message_shown(d->version);
		status = bytes_format(text, "%u:%u  %s  %s  %" PRIu64 " MiB  %.*s  %s  %s\n", d->platform_index,
				      d->device_index, message_shown(d->name), type_name(d->type),
				      (uint64_t)(d->memory_bytes >> 20), version_length(version), version,
				      d->fp64 ? "fp64" : "no-fp64", d->bit_exact ? "bit-exact" : "not-bit-exact");
	}
	memory_free(devices);
	if (status == STATUS_OK && count == 0)
		message_warning("no OpenCL device%s", opencl_engine_hint());
	return status;
}
