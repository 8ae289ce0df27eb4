#define _GNU_SOURCE /* dl_iterate_phdr, RTLD_NEXT */
/* Whose call it is tells the address that it returns to: within the program, within a library that decodes for it, or
 * elsewhere. Nothing here allocates memory, and the log is written by system calls, so that no hook is entered
 * again. */
#include "libc_rules.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Where the log's descriptor is put, above those that the program may come to have. */
#define LOG_FD_MIN 700
/* A power of two, far above what the program owns at once. */
#define BLOCKS_MAX 32768
#define TRANSFER_MAX 1000

#define LIBC_CALL_NAME(name) [LIBC_##name] = #name,
static const char *const names[] = {EACH_LIBC_CALL(LIBC_CALL_NAME)};
_Static_assert(sizeof names / sizeof names[0] == LIBC_COUNT, "a name for every call");

struct range {
	uintptr_t begin, end;
};

/* Set when it is loaded, before any other thread. Before that no call is the program's. */
static struct range program;
/* Of the libraries that decode; each is the program's alone. */
static const char *const library_names[] = {"/libz.so", "/libzstd.so", "/liblzma.so", "/libbz2.so", "/liblz4.so"};
#define LIBRARY_COUNT (sizeof library_names / sizeof library_names[0])
static struct range libraries[LIBRARY_COUNT];
static int log_fd = -1;
static enum libc_call failing = LIBC_COUNT;
static unsigned long failing_number;
static int failing_errno;
static bool sticky;
static unsigned long interrupt_every;
static bool short_transfers;

static _Atomic unsigned long counts[LIBC_COUNT];
static _Atomic unsigned long interruptible, interrupted, shortened;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
/* Guarded by mutex: the program's blocks, open addressing; a hole that was in use is TOMBSTONE. */
#define TOMBSTONE ((uintptr_t)1)
static struct {
	uintptr_t block, caller;
} blocks[BLOCKS_MAX];

__attribute__((format(printf, 1, 2))) static void log_line(const char *format, ...)
{
	char line[160];
	va_list arguments;
	va_start(arguments, format);
	const int size = vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	if (log_fd >= 0 && syscall(SYS_write, log_fd, line, (size_t)size) != size)
		_exit(97); /* a proof with holes is none */
}

static bool lies_in(struct range range, const void *address)
{
	return (uintptr_t)address >= range.begin && (uintptr_t)address < range.end;
}

/* The program or library that an address is in, or NULL. */
static const struct range *range_of(const void *address)
{
	if (lies_in(program, address))
		return &program;
	for (size_t i = 0; i < LIBRARY_COUNT; i++) {
		if (lies_in(libraries[i], address))
			return &libraries[i];
	}
	return NULL;
}

void libc_find_next(const char *name, void *function)
{
	void *const found = dlsym(RTLD_NEXT, name);
	memcpy(function, &found, sizeof found);
}

/* --- Which calls fail --- */

static bool count_and_judge(enum libc_call call)
{
	const unsigned long number = atomic_fetch_add(&counts[call], 1) + 1;
	if (call != failing || number < failing_number || (number > failing_number && !sticky))
		return false;
	log_line("failed %s %lu %d\n", names[call], number, failing_errno);
	errno = failing_errno;
	return true;
}

/* From now on no call is the program's: what it is built with (gcov) writes what it knows. */
__attribute__((visibility("default"))) void libc_faults_rest(void);
void libc_faults_rest(void)
{
	program.end = program.begin;
	memset(libraries, 0, sizeof libraries);
}

bool libc_fails(enum libc_call call, const void *caller)
{
	return lies_in(program, caller) && count_and_judge(call);
}

bool libc_allocation_fails(enum libc_call call, const void *caller)
{
	const struct range *range = range_of(caller);
	return range != NULL && count_and_judge(range == &program ? call : LIBC_library_malloc);
}

bool libc_is_interrupted(const void *caller)
{
	if (interrupt_every == 0 || !lies_in(program, caller) ||
	    (atomic_fetch_add(&interruptible, 1) + 1) % interrupt_every != 0)
		return false;
	(void)atomic_fetch_add(&interrupted, 1);
	errno = EINTR;
	return true;
}

size_t libc_transfer_size(size_t size, const void *caller)
{
	if (!short_transfers || !lies_in(program, caller) || size < 2)
		return size;
	(void)atomic_fetch_add(&shortened, 1);
	return size > 2 * TRANSFER_MAX ? TRANSFER_MAX : (size + 1) / 2;
}

/* --- What the program owns --- */

static size_t block_place(uintptr_t block)
{
	return (size_t)(block >> 4) * 2654435761u % BLOCKS_MAX;
}

void libc_note_block(const void *block, const void *caller)
{
	const struct range *range = range_of(caller);
	if (block == NULL || range == NULL)
		return;
	(void)pthread_mutex_lock(&mutex);
	size_t i = block_place((uintptr_t)block);
	size_t looks = 0;
	while (blocks[i].block > TOMBSTONE && looks++ < BLOCKS_MAX)
		i = (i + 1) % BLOCKS_MAX;
	if (looks >= BLOCKS_MAX)
		_exit(97);
	blocks[i].block = (uintptr_t)block;
	blocks[i].caller = (uintptr_t)caller - range->begin;
	(void)pthread_mutex_unlock(&mutex);
}

void libc_forget_block(const void *block)
{
	if (block == NULL || program.end == 0)
		return;
	(void)pthread_mutex_lock(&mutex);
	size_t i = block_place((uintptr_t)block);
	for (size_t looks = 0; blocks[i].block != 0 && looks < BLOCKS_MAX; looks++) {
		if (blocks[i].block == (uintptr_t)block) {
			blocks[i].block = TOMBSTONE;
			break;
		}
		i = (i + 1) % BLOCKS_MAX;
	}
	(void)pthread_mutex_unlock(&mutex);
}

/* --- The beginning and the end --- */

static int find_ranges(struct dl_phdr_info *info, size_t size, void *context)
{
	struct range range = {UINTPTR_MAX, 0};
	(void)size;
	(void)context;
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
		const uintptr_t end = begin + info->dlpi_phdr[i].p_memsz;
		if (info->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		range.begin = begin < range.begin ? begin : range.begin;
		range.end = end > range.end ? end : range.end;
	}
	if (program.end == 0)
		program = range; /* comes first */
	for (size_t i = 0; i < LIBRARY_COUNT; i++) {
		if (strstr(info->dlpi_name, library_names[i]) != NULL)
			libraries[i] = range;
	}
	return 0;
}

static bool parse_failure(const char *setting)
{
	char name[32];
	char mode[8] = "once";
	int end = 0;
	if (setting == NULL)
		return true;
	if (sscanf(setting, "%31[^:]:%lu:%d%n:%7s%n", name, &failing_number, &failing_errno, &end, mode, &end) < 3 ||
	    setting[end] != '\0' || failing_number == 0 || failing_errno <= 0)
		return false;
	sticky = strcmp(mode, "sticky") == 0;
	for (size_t i = 0; i < LIBC_COUNT; i++) {
		if (strcmp(name, names[i]) == 0)
			failing = (enum libc_call)i;
	}
	return failing != LIBC_COUNT && (sticky || strcmp(mode, "once") == 0);
}

/* Programs that a driver starts (linkers) do not concern the test. */
static void leave_children_alone(void)
{
	(void)unsetenv("LD_PRELOAD");
}

__attribute__((constructor)) static void load(void)
{
	const char *const path = getenv("FAULT_LIBC_LOG");
	const char *const every = getenv("FAULT_LIBC_EINTR");
	if (path == NULL || !parse_failure(getenv("FAULT_LIBC_FAIL")))
		return; /* without proof */
	interrupt_every = every == NULL ? 0 : strtoul(every, NULL, 10);
	short_transfers = getenv("FAULT_LIBC_SHORT") != NULL;
	const long fd = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	log_fd = (int)syscall(SYS_fcntl, (int)fd, F_DUPFD_CLOEXEC, LOG_FD_MIN);
	(void)syscall(SYS_close, (int)fd);
	log_line("loaded\n");
	leave_children_alone();
	(void)dl_iterate_phdr(find_ranges, NULL);
}

static void log_descriptors(void)
{
	char link[32];
	char target[80];
	for (int fd = 3; fd < LOG_FD_MIN; fd++) {
		(void)snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
		const ssize_t size = syscall(SYS_readlink, link, target, sizeof target - 1);
		if (size < 0)
			continue;
		target[size] = '\0';
		log_line("descriptor %s %d\n", target, fd);
	}
}

__attribute__((destructor)) static void end(void)
{
	for (size_t i = 0; i < LIBC_COUNT; i++) {
		const unsigned long count = atomic_load(&counts[i]);
		if (count > 0)
			log_line("count %s %lu\n", names[i], count);
	}
	for (size_t i = 0; i < BLOCKS_MAX; i++) {
		if (blocks[i].block > TOMBSTONE)
			log_line("block %#lx\n", (unsigned long)blocks[i].caller);
	}
	log_descriptors();
	log_line("interrupted %lu\n", atomic_load(&interrupted));
	log_line("shortened %lu\n", atomic_load(&shortened));
	log_line("end\n");
}
