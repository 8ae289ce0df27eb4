/* A message is built in a local buffer and written with one write(2), so that the lines of several threads (and of the
 * other programs of a pipeline) do not mix. The program goes on if standard error is closed or full. */
#include "base/message.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/utf8.h"

/* Columns of a terminal that does not report how many it has. */
#define COLUMNS_USUAL 80

/* Set before any thread starts, constant afterwards. */
static enum verbosity current_verbosity = VERBOSITY_NORMAL;

void message_set_verbosity(enum verbosity verbosity)
{
	current_verbosity = verbosity;
}

/* Where messages go: standard error, or a duplicate of it since the first message_mute_others. */
static atomic_int own_descriptor = STDERR_FILENO;

static bool write_all(const char *text, size_t size)
{
	const int saved_errno = errno;
	while (size > 0) {
		const ssize_t written = write(atomic_load(&own_descriptor), text, size);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			break;
		text += written;
		size -= (size_t)written;
	}
	errno = saved_errno;
	return size == 0;
}

/* --- Messages that are kept instead ------------------------------------------------------------------------------- */

/* Bytes of kept messages. The first messages are kept, and the last one, for which KEPT_LAST_MAX bytes are reserved. */
#define KEPT_MAX ((size_t)1 << 20)
#define KEPT_LAST_MAX ((size_t)8 << 10)

static atomic_bool keeps;
static pthread_mutex_t kept_mutex = PTHREAD_MUTEX_INITIALIZER;
/* Guarded by kept_mutex. */
static char kept[KEPT_MAX];
static size_t kept_size;
static size_t kept_first; /* Bytes of the first messages. A last message after them is replaced by the next one. */

static void keep(const char *text, size_t size)
{
	(void)pthread_mutex_lock(&kept_mutex);
	if (kept_first == kept_size && size <= KEPT_MAX - KEPT_LAST_MAX - kept_size) {
		memcpy(kept + kept_size, text, size);
		kept_first = kept_size += size;
	} else if (size <= KEPT_LAST_MAX) {
		memcpy(kept + kept_first, text, size);
		kept_size = kept_first + size;
	}
	(void)pthread_mutex_unlock(&kept_mutex);
}

void message_keep(void)
{
	kept_first = kept_size = 0;
	atomic_store(&keeps, true);
}

const char *message_kept(size_t *size)
{
	*size = kept_size;
	return kept;
}

void message_forget(void)
{
	kept_first = kept_size = 0;
	atomic_store(&keeps, false);
}

/* --- A line that is drawn below the messages ---------------------------------------------------------------------- */

/* Whether a line may be drawn. If not, messages are written without drawn_mutex. */
static atomic_bool may_draw;
/* Whether a line is on the screen, for signal handlers. Written with drawn_mutex held, and by handlers. */
static atomic_bool is_drawn;
static pthread_mutex_t drawn_mutex = PTHREAD_MUTEX_INITIALIZER;
/* The line on the screen. Guarded by drawn_mutex. */
static char drawn[MESSAGE_DRAWN_MAX];
static size_t drawn_size;

bool message_is_on_terminal(void)
{
	return isatty(atomic_load(&own_descriptor)) == 1;
}

bool message_may_style(void)
{
	const char *none = getenv("NO_COLOR");
	const char *terminal = getenv("TERM");
	return (none == NULL || none[0] == '\0') && terminal != NULL && strcmp(terminal, "dumb") != 0;
}

size_t message_columns(void)
{
	const int fd = atomic_load(&own_descriptor);
	const pid_t foreground = tcgetpgrp(fd); /* -1: the terminal is not this program's controlling terminal. */
	struct winsize size;
	if (!message_is_on_terminal() || (foreground >= 0 && foreground != getpgrp()))
		return 0;
	return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col - 1u : COLUMNS_USUAL - 1;
}

/* Columns of the drawn line to overwrite: no more than the terminal has, which may have become narrower. */
static size_t drawn_columns(void)
{
	const size_t columns = message_columns();
	return columns > 0 && columns < drawn_size ? columns : drawn_size;
}

/* Writes a line over the drawn one, and blanks over the rest of the drawn one. Works on every terminal, as it needs no
 * escape sequences. Call with drawn_mutex held. */
static void overwrite(const char *line, size_t size)
{
	char text[3 * MESSAGE_DRAWN_MAX + 1];
	const size_t before = drawn_columns();
	const size_t rest = before > size ? before - size : 0;
	text[0] = '\r';
	memcpy(text + 1, line, size);
	memset(text + 1 + size, ' ', rest);
	memset(text + 1 + size + rest, '\b', rest);
	(void)write_all(text, 1 + size + 2 * rest);
}

static void set_drawn(const char *line, size_t size)
{
	memcpy(drawn, line, size);
	drawn_size = size;
	atomic_store(&is_drawn, size > 0);
}

/* Also called in a child after fork, where drawn_mutex may be held by a thread that does not exist there. */
static void draw_no_more(void)
{
	atomic_store(&may_draw, false);
	atomic_store(&is_drawn, false);
}

void message_draw_begin(void)
{
	(void)pthread_atfork(NULL, NULL, draw_no_more);
	atomic_store(&may_draw, true);
}

void message_draw(const char *line, size_t size)
{
	(void)pthread_mutex_lock(&drawn_mutex);
	if (atomic_load(&may_draw) && size + drawn_size > 0) {
		overwrite(line, size);
		set_drawn(line, size);
	}
	(void)pthread_mutex_unlock(&drawn_mutex);
}

void message_draw_end(void)
{
	(void)pthread_mutex_lock(&drawn_mutex);
	if (atomic_load(&is_drawn))
		(void)write_all("\n", 1);
	set_drawn("", 0);
	draw_no_more();
	(void)pthread_mutex_unlock(&drawn_mutex);
}

void message_draw_end_in_handler(bool crashed)
{
	struct pollfd terminal = {.fd = atomic_load(&own_descriptor), .events = POLLOUT};
	(void)crashed;
	if (atomic_exchange(&is_drawn, false) && poll(&terminal, 1, 0) == 1)
		(void)write_all("\n", 1);
	draw_no_more();
}

/* Keeps a message, or writes it above the drawn line. Returns whether it was kept or written. */
static bool write_message(const char *text, size_t size)
{
	if (atomic_load(&keeps)) {
		keep(text, size);
		return true;
	}
	if (!atomic_load(&may_draw))
		return write_all(text, size);
	(void)pthread_mutex_lock(&drawn_mutex);
	if (drawn_size > 0)
		overwrite("", 0);
	const bool written = write_all(text, size);
	(void)write_all(drawn, drawn_size);
	(void)pthread_mutex_unlock(&drawn_mutex);
	return written;
}

/* --- Messages ----------------------------------------------------------------------------------------------------- */

void message_print(enum verbosity least, const char *kind, const char *format, ...)
{
	char line[2048];
	va_list arguments;
	if (current_verbosity < least)
		return;
	const int prefix = snprintf(line, sizeof line, "pscan: %s", kind);
	va_start(arguments, format);
	const int text = vsnprintf(line + prefix, sizeof line - (size_t)prefix - 1, format, arguments);
	va_end(arguments);
	size_t size = (size_t)prefix + (text > 0 ? (size_t)text : 0);
	if (size > sizeof line - 2)
		size = sizeof line - 2;
	line[size] = '\n';
	(void)write_message(line, size + 1);
}

bool message_goes_to(const struct stat *file)
{
	struct stat st;
	return fstat(atomic_load(&own_descriptor), &st) == 0 && st.st_dev == file->st_dev && st.st_ino == file->st_ino;
}

bool message_mute_others(void)
{
	int own = atomic_load(&own_descriptor);
	const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	/* The duplicate stays in use for good, because another thread may be writing a message at any time. */
	if (null >= 0 && own == STDERR_FILENO) {
		own = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		if (own >= 0)
			atomic_store(&own_descriptor, own);
	}
	const bool muted = null >= 0 && own >= 0;
	if (muted)
		(void)dup2(null, STDERR_FILENO);
	if (null >= 0)
		(void)close(null);
	return muted;
}

void message_unmute_others(bool muted)
{
	if (muted)
		(void)dup2(atomic_load(&own_descriptor), STDERR_FILENO);
}

bool message_bytes(const void *text, size_t size)
{
	return write_message(text, size);
}

void message_release(void)
{
	const size_t size = kept_size;
	message_forget();
	if (size > 0)
		(void)message_bytes(kept, size);
}

void message_text(const char *text)
{
	(void)message_bytes(text, strlen(text));
}

/* Whether a character steers the terminal or the direction of writing, is invisible, or looks like a blank. */
static bool steers(uint32_t character)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{0x80, 0xa0},     {0x00ad, 0x00ad}, {0x034f, 0x034f},   {0x061c, 0x061c}, {0x115f, 0x1160},
		{0x1680, 0x1680}, {0x17b4, 0x17b5}, {0x180b, 0x180f},   {0x2000, 0x200f}, {0x2028, 0x202f},
		{0x205f, 0x206f}, {0x3000, 0x3000}, {0x3164, 0x3164},   {0xfe00, 0xfe0f}, {0xfeff, 0xfeff},
		{0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0xe0000, 0xe0fff},
	};
	for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
		if (character >= ranges[i].first && character <= ranges[i].last)
			return true;
	}
	return false;
}

/* Escapes text into out, at most `room` bytes, without a NUL. Returns the bytes written; *used is the bytes read. */
static size_t escape(char *out, size_t room, const char *text, size_t size, bool quoted, size_t *used)
{
	size_t o = 0;
	size_t i = 0;
	while (i < size) {
		char piece[8];
		size_t read = 1;
		uint32_t character;
		size_t length = utf8_decode(text + i, text + size, &character);
		if (length > 0 && !steers(character)) {
			memcpy(piece, text + i, length);
			read = length;
		} else if (quoted && (text[i] == '"' || text[i] == '\\')) {
			length = (size_t)snprintf(piece, sizeof piece, "\\%c", text[i]);
		} else if (text[i] >= 0x20 && text[i] < 0x7f) {
			piece[0] = text[i];
			length = 1;
		} else {
			length = (size_t)snprintf(piece, sizeof piece, "\\x%02x", (unsigned char)text[i]);
		}
		if (o + length > room)
			break;
		memcpy(out + o, piece, length);
		o += length;
		i += read;
	}
	*used = i;
	return o;
}

const char *message_quote(char out[MESSAGE_QUOTED_SIZE], const void *text, size_t size)
{
	size_t used;
	out[0] = '"';
	size_t o = 1 + escape(out + 1, MESSAGE_QUOTED_SIZE - 6, text, size, true, &used);
	if (used < size) {
		memcpy(out + o, "...", 3);
		o += 3;
	}
	out[o] = '"';
	out[o + 1] = '\0';
	return out;
}

const char *message_name(char out[MESSAGE_NAME_SIZE], const char *name)
{
	size_t used;
	const size_t size = escape(out, MESSAGE_NAME_SIZE - 1, name, strlen(name), false, &used);
	out[size] = '\0';
	return out;
}
