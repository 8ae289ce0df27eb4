/* All output to standard error. A message is one line, "pscan: ...". No other module writes to standard error. */
#ifndef PSCAN_BASE_MESSAGE_H
#define PSCAN_BASE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/status.h"

#define PRINTF_LIKE(string, first) __attribute__((format(printf, string, first)))

enum verbosity {
	VERBOSITY_QUIET, /* -q: errors only. */
	VERBOSITY_NORMAL, /* Errors and warnings. */
	VERBOSITY_VERBOSE, /* -v: errors, warnings, and what pscan decided and why. */
};

/* Sets whether message_warning and message_verbose print. Call it before any thread starts. */
void message_set_verbosity(enum verbosity verbosity);

/* Prints one line, with a single write: "pscan: ", `kind`, and a text as printf makes it. Prints nothing if the
 * verbosity is less than `least`. A line of more than 2047 bytes is cut. The caller must quote or escape the user's
 * text (message_quote, message_name). Any thread. */
void message_print(enum verbosity least, const char *kind, const char *format, ...) PRINTF_LIKE(3, 4);
/* Prints an error. */
#define message_error(...) message_print(VERBOSITY_QUIET, "", __VA_ARGS__)
/* message_error as an expression with the value STATUS_USAGE. */
#define message_refuse(...) (message_error(__VA_ARGS__), STATUS_USAGE)
/* message_error as an expression with the value STATUS_SYSTEM. */
#define message_fail(...) (message_error(__VA_ARGS__), STATUS_SYSTEM)
/* Prints a warning. Prints nothing with -q. */
#define message_warning(...) message_print(VERBOSITY_NORMAL, "warning: ", __VA_ARGS__)
/* Prints what pscan decided and why. Prints only with -v. */
#define message_verbose(...) message_print(VERBOSITY_VERBOSE, "", __VA_ARGS__)
/* Whether standard error is the file described by *file (from fstat). */
bool message_goes_to(const struct stat *file);
/* Prints text unchanged at any verbosity, such as the table of -l or the short help after a usage error. */
void message_text(const char *text);
/* Prints `size` bytes unchanged, at any verbosity. Returns whether all bytes were written. After message_keep the bytes
 * are kept like a message; the function then returns true even if the bytes are dropped. Any thread. */
bool message_bytes(const void *text, size_t size);

/* From now on messages are kept in memory and not printed: the first ones, up to about 1 MiB, and after these only the
 * last one of at most 8 KiB. Messages that were kept before are dropped. No other thread may run during the call. */
void message_keep(void);
/* Returns the kept messages and sets *size to their bytes. They are valid until the next message or message_forget. */
const char *message_kept(size_t *size);
/* Drops the kept messages. From now on messages are printed again. */
void message_forget(void);
/* Prints the kept messages. From now on messages are printed again. No other thread may run during the call. */
void message_release(void);

/* From now until message_draw_end, message_draw shows a line at the bottom of the terminal, such as progress; before
 * and after, it shows nothing. Printing a message removes the line first and draws it again afterwards. This function
 * draws nothing itself. Only one thread at a time may call message_draw_begin and message_draw_end; any thread may call
 * message_draw. */
void message_draw_begin(void);
/* Replaces the drawn line by `size` bytes of printable ASCII: at most MESSAGE_DRAWN_MAX, and at most message_columns().
 * 0 bytes remove the line. */
#define MESSAGE_DRAWN_MAX 160
void message_draw(const char *line, size_t size);
/* Leaves the drawn line on the screen and moves on to the next line. */
void message_draw_end(void);
/* message_draw_end for a signal handler that ends the program, perhaps while another thread draws. Takes no lock, and
 * does not wait for a terminal whose output is halted. `crashed` is not used. */
void message_draw_end_in_handler(bool crashed);
/* Whether standard error is a terminal. */
bool message_is_on_terminal(void);
/* Whether terminals should show colours and bold letters: NO_COLOR is not set or empty, and TERM is set and not
 * "dumb". */
bool message_may_style(void);
/* Columns that a drawn line may take now: the terminal's without the last one, where it would wrap. 0: standard error
 * is no terminal, or pscan runs in the background and must not draw on it. */
size_t message_columns(void);

/* From now until message_unmute_others, what libraries write to standard error is lost. Messages are still printed.
 * Only one thread at a time may mute; other threads may print messages. Returns the argument for message_unmute_others:
 * whether libraries are muted. (They are not if the process has no descriptor left.) */
bool message_mute_others(void);
/* Ends message_mute_others, which returned `muted`. */
void message_unmute_others(bool muted);

#define MESSAGE_QUOTED_SIZE 96
/* Writes `size` bytes of text into out as a C string in double quotes, at most MESSAGE_QUOTED_SIZE bytes with the NUL.
 * Everything is escaped but printable ASCII and visible UTF-8, so no text can steer a terminal. A text that is too long
 * is cut and ends in "...". Returns out. */
const char *message_quote(char out[MESSAGE_QUOTED_SIZE], const void *text, size_t size);

/* message_quote, of `size` bytes or of a string. The result is valid until the end of the block. */
#define message_quoted_part(text, size) message_quote((char[MESSAGE_QUOTED_SIZE]){""}, (text), (size))
#define message_quoted(text) message_quoted_part(text, strlen(text))

#define MESSAGE_NAME_SIZE 512
/* Writes a file's name into out as a C string, without quotes around it. Escapes what message_quote escapes, except "
 * and \, which stay as they are. A name that is too long is cut. Returns out. */
const char *message_name(char out[MESSAGE_NAME_SIZE], const char *name);
/* message_name, valid until the end of the block. */
#define message_shown(name) message_name((char[MESSAGE_NAME_SIZE]){""}, name)

#endif
