/* Ends that nobody planned: a signal, or a driver that aborts the program or calls exit. What must not stay is
 * cleaned up first. */
#ifndef PSCAN_PROCESS_ENDING_H
#define PSCAN_PROCESS_ENDING_H

#include <stdbool.h>

/* Who has something to clean up, in this order. */
enum ending_part {
	ENDING_OUTPUT,
	ENDING_PICTURE,
	ENDING_TRACE,
	ENDING_STATE,
	ENDING_CACHE,
	ENDING_LINE,
	ENDING_PART_COUNT
};

/* First of all: a child that is forked later has nothing to clean up. */
void ending_prepare(void);

/* Called by a signal handler, on any thread, while all others go on: only what is safe there. crashed: the program
 * failed, nobody told it to end. */
typedef void ending_clean_up(bool crashed);

/* From now on the part is cleaned up before a signal ends the program; NULL: not any more. Signals that are ignored or
 * handled already stay so. One thread. */
void ending_set(enum ending_part part, ending_clean_up *function);

/* Between the two calls no signal ends the program, whichever thread it comes to: what is to be cleaned up can be made,
 * and told of with ending_set. One thread. */
void ending_hold(void);
void ending_release(void);

/* From now on the first SIGHUP, SIGINT or SIGTERM ends nothing: a byte is written to that descriptor. Those that are
 * ignored stay so. One thread. */
void ending_defer(int fd);
/* If one of them came: ends the program by it. */
void ending_end_deferred(void);

/* From now on an exit is not the program's own: it ends with this status after a message; 0: every exit is its own
 * again. One thread. */
void ending_watch_exit(int status);

/* Handlers run last registered, first run: call it when the drivers are loaded, so that theirs come later. */
void ending_drivers_loaded(void);

/* Everything is done, and the program is about to return this exit status: drivers' exit handlers and destructors may
 * crash from here on, or hang for some seconds, at most limit_s; 0: for ever. */
void ending_leave(int status, unsigned limit_s);

#endif
