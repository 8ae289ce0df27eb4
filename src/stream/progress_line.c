/* The line is a list of parts; each is shown if it has something to say. The C library's printf must not be used in
 * signal handlers. */
#include "stream/progress_line.h"

#include <string.h>

/* In their order in the line. */
enum part { PART_NAME, PART_PERCENT, PART_BYTES, PART_ELEMENTS, PART_RATE, PART_TIME, PART_COUNT };

/* What a narrow terminal does without, the least important first. */
static const enum part left_out[] = {PART_NAME, PART_ELEMENTS, PART_RATE, PART_BYTES, PART_TIME, PART_PERCENT};
_Static_assert(sizeof left_out / sizeof left_out[0] == PART_COUNT, "every part can be left out");

#define PART_SIZE 40
/* A longer remaining time is not shown. */
#define FORESEEN_MAX_S ((uint64_t)1000 * 3600)

struct text {
	char bytes[PART_SIZE];
	size_t size;
};

static void put(struct text *t, const char *text)
{
	const size_t size = strlen(text);
	memcpy(t->bytes + t->size, text, size);
	t->size += size;
}

/* Writes a number with at least `least` digits. */
static void put_number(struct text *t, uint64_t number, size_t least)
{
	char digits[20];
	size_t count = 0;
	while (number > 0 || count < least) {
		digits[sizeof digits - ++count] = (char)('0' + number % 10);
		number /= 10;
	}
	memcpy(t->bytes + t->size, digits + sizeof digits - count, count);
	t->size += count;
}

/* Minutes and seconds, and hours if there are some. */
static void put_time(struct text *t, uint64_t seconds)
{
	if (seconds >= 3600) {
		put_number(t, seconds / 3600, 1);
		put(t, ":");
	}
	put_number(t, seconds / 60 % 60, seconds >= 3600 ? 2 : 1);
	put(t, ":");
	put_number(t, seconds % 60, 2);
}

/* Three digits, or the bytes of less than 1000 as they are. */
static void put_rate(struct text *t, uint64_t rate)
{
	static const char *const units[] = {" B/s", " kB/s", " MB/s", " GB/s", " TB/s", " PB/s", " EB/s"};
	uint64_t unit = 1;
	size_t power = 0;
	while (rate / unit >= 1000) {
		unit *= 1000;
		power++;
	}
	const uint64_t whole = rate / unit;
	put_number(t, whole, 1);
	if (power > 0 && whole < 100) {
		put(t, ".");
		put_number(t, rate % unit * (whole < 10 ? 100 : 10) / unit, whole < 10 ? 2 : 1);
	}
	put(t, units[power]);
}

/* 100 is the end only. */
static uint64_t percent(const struct progress_now *now)
{
	const uint64_t done = (uint64_t)((double)now->sized_bytes / (double)now->total_bytes * 100);
	return now->sized_bytes < now->total_bytes && done > 99 ? 99 : done;
}

static void put_time_left(struct text *t, const struct progress_now *now)
{
	const uint64_t left = now->total_bytes - now->sized_bytes;
	const uint64_t seconds = now->rate > 0 ? left / now->rate + (left % now->rate > 0) : 0;
	if (now->rate == 0 || seconds > FORESEEN_MAX_S)
		return;
	put_time(t, seconds);
	put(t, " left");
}

static void write_parts(struct text parts[PART_COUNT], const struct progress_now *now)
{
	const bool foreseen = now->total_bytes > 0 && now->sized_bytes <= now->total_bytes;
	put(&parts[PART_NAME], "pscan:");
	if (foreseen) {
		put_number(&parts[PART_PERCENT], percent(now), 1);
		put(&parts[PART_PERCENT], "%");
	}
	put_number(&parts[PART_BYTES], now->bytes, 1);
	put(&parts[PART_BYTES], " bytes");
	put_number(&parts[PART_ELEMENTS], now->elements, 1);
	put(&parts[PART_ELEMENTS], " elements");
	put_rate(&parts[PART_RATE], now->rate);
	if (now->ended) {
		put(&parts[PART_TIME], "in ");
		put_time(&parts[PART_TIME], now->elapsed_s);
	} else if (foreseen) {
		put_time_left(&parts[PART_TIME], now);
	}
}

/* Puts the parts one after the other: all but the name are separated by commas. */
static size_t join(char out[PROGRESS_LINE_SIZE], const struct text parts[PART_COUNT])
{
	size_t size = 0;
	const char *separator = "";
	for (size_t i = 0; i < PART_COUNT; i++) {
		if (parts[i].size == 0)
			continue;
		memcpy(out + size, separator, strlen(separator));
		size += strlen(separator);
		memcpy(out + size, parts[i].bytes, parts[i].size);
		size += parts[i].size;
		separator = i == PART_NAME ? " " : ", ";
	}
	out[size] = '\0';
	return size;
}

size_t progress_line(char out[PROGRESS_LINE_SIZE], size_t columns, const struct progress_now *now)
{
	struct text parts[PART_COUNT] = {0};
	write_parts(parts, now);
	size_t size = join(out, parts);
	for (size_t i = 0; i < PART_COUNT && size > columns; i++) {
		parts[left_out[i]].size = 0;
		size = join(out, parts);
	}
	return size;
}
