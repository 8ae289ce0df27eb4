/* Checks of the unit tests, told in TAP: one line a promise, the plan at the end.
 *
 *     CHECK(condition, "promise ...", ...)   a promise that one condition decides
 *     EXPECT(condition, "detail ...", ...)   one of many conditions of a promise: says something only if it fails
 *     check_promise("promise ...", ...)      ends such a promise: good if no EXPECT since the last one failed
 *     return check_done();                   the plan, and main's exit code
 *
 * One program, one thread. */
#ifndef PSCAN_TESTS_CHECK_H
#define PSCAN_TESTS_CHECK_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK_PRINTF_LIKE(text, rest) __attribute__((format(printf, text, rest)))

/* The most details that are printed for a promise that fails. */
#define CHECK_DETAILS_MAX 8

struct check_state {
	unsigned lines; /* TAP lines so far */
	unsigned broken; /* of them not ok */
	unsigned long conditions; /* EXPECTs of the current promise */
	unsigned long failures; /* of them failed */
};
static struct check_state check_state;

static inline void CHECK_PRINTF_LIKE(2, 0) check_line(bool good, const char *format, va_list arguments)
{
	check_state.lines++;
	check_state.broken += !good;
	(void)printf("%s %u - ", good ? "ok" : "not ok", check_state.lines);
	(void)vprintf(format, arguments);
	(void)putchar('\n');
	(void)fflush(stdout);
}

static inline bool CHECK_PRINTF_LIKE(4, 5)
	check_condition(bool good, const char *file, int line, const char *format, ...)
{
	if (!good)
		(void)printf("# %s:%d\n", file, line);
	va_list arguments;
	va_start(arguments, format);
	check_line(good, format, arguments);
	va_end(arguments);
	return good;
}
#define CHECK(condition, ...) ((void)check_condition((condition), __FILE__, __LINE__, __VA_ARGS__))

static inline void CHECK_PRINTF_LIKE(3, 4) check_detail(const char *file, int line, const char *format, ...)
{
	if (++check_state.failures > CHECK_DETAILS_MAX)
		return;
	(void)printf("# %s:%d: ", file, line);
	va_list arguments;
	va_start(arguments, format);
	(void)vprintf(format, arguments);
	va_end(arguments);
	(void)putchar('\n');
}
#define EXPECT(condition, ...)                                         \
	do {                                                           \
		check_state.conditions++;                              \
		if (!(condition))                                      \
			check_detail(__FILE__, __LINE__, __VA_ARGS__); \
	} while (0)

/* A promise that looked at nothing is broken. */
static inline void CHECK_PRINTF_LIKE(1, 2) check_promise(const char *format, ...)
{
	const bool good = check_state.failures == 0 && check_state.conditions > 0;
	if (!good)
		(void)printf("# %lu of %lu conditions failed\n", check_state.failures, check_state.conditions);
	check_state.conditions = 0;
	check_state.failures = 0;
	va_list arguments;
	va_start(arguments, format);
	check_line(good, format, arguments);
	va_end(arguments);
}

/* A promise that cannot be looked at here. */
static inline void check_skip(const char *promise, const char *reason)
{
	check_state.lines++;
	(void)printf("ok %u - %s # skip %s\n", check_state.lines, promise, reason);
}

static inline int check_done(void)
{
	(void)printf("1..%u\n", check_state.lines);
	return check_state.broken == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
