/* Everything pscan says on standard error: one line a message, "pscan: ...". No other module writes there. */
#ifndef PSCAN_BASE_MESSAGE_H
#define PSCAN_BASE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#define PRINTF_LIKE(string, first) __attribute__((format(printf, string, first)))

enum verbosity {
	VERBOSITY_QUIET, /* -q: errors only */
	VERBOSITY_NORMAL, /* errors and warnings */
	VERBOSITY_VERBOSE, /* -v: also what was decided and why */
};

/* Set once, before any thread starts. */
void message_set_verbosity(enum verbosity verbosity);

/* Each prints one whole line with a single write. Arguments that hold the user's text are to be quoted or escaped
 * first. Any thread. */
void message_error(const char *format, ...) PRINTF_LIKE(1, 2);
void message_warning(const char *format, ...) PRINTF_LIKE(1, 2);
void message_verbose(const char *format, ...) PRINTF_LIKE(1, 2);
/* Whether messages go to the file that fstat told this of. */
bool message_goes_to(const struct stat *file);
/* Prints text as it is, a table for -l or the short help on a usage error. */
void message_text(const char *text);
/* The same of so many bytes. Whether they were written. */
bool message_bytes(const void *text, size_t size);

/* From now on what would be printed is kept, as far as there is room; before there are threads, or after. */
void message_keep(void);
/* What was kept; it stays until message_forget, or the next message. */
const char *message_kept(size_t *size);
/* Nothing is kept, and what comes is printed. */
void message_forget(void);

/* One line of a terminal below all messages, which is drawn anew: whoever prints a message takes it away before and
 * draws it again after. Between begin and end one thread at a time draws. */
void message_draw_begin(void);
/* Draws printable ASCII in the place of what is drawn; of no bytes: takes that away. size: at most MESSAGE_DRAWN_MAX,
 * and the columns. */
#define MESSAGE_DRAWN_MAX 160
void message_draw(const char *line, size_t size);
/* What is drawn stays, and what comes next begins a new line. */
void message_draw_end(void);
/* The same when a signal ends the program, perhaps while another thread draws: does not wait for a terminal that was
 * halted. */
void message_draw_end_in_handler(bool crashed);
bool message_is_on_terminal(void);
/* The columns that a line may have now: all but the last, after which a terminal begins a new line. 0: standard error
 * is no terminal, or not for this program to draw on, which runs in the background. */
size_t message_columns(void);

/* What anybody but this module writes to standard error in between is lost: of libraries that write there. Other
 * threads may print messages meanwhile, but not do this. The first gives what the second takes; where it cannot,
 * nothing is lost. */
bool message_mute_others(void);
void message_unmute_others(bool muted);

#define MESSAGE_QUOTED_SIZE 96
/* Writes size bytes of text into out as a C string in double quotes, at most MESSAGE_QUOTED_SIZE bytes with the NUL:
 * what is not printable ASCII or valid UTF-8 beyond it is escaped, so nothing can steer a terminal; the middle of a
 * long text is left out. Returns out. */
const char *message_quote(char out[MESSAGE_QUOTED_SIZE], const void *text, size_t size);

#define MESSAGE_NAME_SIZE 512
/* A file's name fit for a message: control bytes escaped, no quotes. Returns out. */
const char *message_name(char out[MESSAGE_NAME_SIZE], const char *name);

#endif
