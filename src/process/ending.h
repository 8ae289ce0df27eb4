/* Cleans up when the program ends early: by a signal, or because a driver aborts it or calls exit. */
#ifndef PSCAN_PROCESS_ENDING_H
#define PSCAN_PROCESS_ENDING_H

#include <stdbool.h>

/* The parts of the program that have something to clean up. They are cleaned up in this order. */
enum ending_part {
	ENDING_OUTPUT,
	ENDING_PICTURE,
	ENDING_TRACE,
	ENDING_STATE,
	ENDING_CACHE,
	ENDING_LINE,
	ENDING_PART_COUNT
};

/* Call this before every other function here. Children that are forked later clean up nothing. */
void ending_prepare(void);

/* A function that cleans up. A signal handler calls it, on any thread, while all other threads go on, so it must be
 * safe in a signal handler. crashed: true if the program crashed or a driver ended it, false if it was asked to end. */
typedef void ending_clean_up(bool crashed);

/* Sets the function that cleans up a part before a signal or a driver ends the program. NULL: the part has nothing to
 * clean up. A function is also called for signals from now on, but for those that are ignored or handled already. Only
 * one thread at a time may call this. */
void ending_set(enum ending_part part, ending_clean_up *function);

/* From now until ending_release no signal that can be handled ends the program, on whichever thread it arrives. For
 * creating something and registering it with ending_set in one step. If a signal is already ending the program, this
 * does not return. Only one thread at a time may do this. */
void ending_hold(void);
/* Ends ending_hold, on the same thread. A signal that has come since then ends the program now. */
void ending_release(void);

/* From now on the first signal among SIGHUP, SIGINT and SIGTERM does not end the program but writes a byte to fd. The
 * next one, whichever of the three it is, ends the program. Signals that are ignored stay ignored. Only one thread at a
 * time may call this. */
void ending_defer(int fd);
/* If a signal was deferred, ends the program by this signal, without cleaning up. */
void ending_end_deferred(void);

/* From now on any call of exit or abort counts as a driver's: the parts are cleaned up, and after a message the program
 * ends with `status`. status 0: from now on such a call is the program's own. Only one thread at a time may call
 * this. */
void ending_watch_exit(int status);

/* Call this when the drivers are loaded. Registers an exit handler after the drivers' own, since the last one
 * registered runs first, and the handler of SIGABRT again. */
void ending_drivers_loaded(void);

/* Call this when everything is done and the program is about to exit with `status`. If a driver's exit handler or
 * destructor then crashes or hangs, the program ends at once with this status. The longest hang is limit_s seconds, but
 * not more than 5; 0: unlimited. Does nothing if no drivers were loaded. */
void ending_leave(int status, unsigned limit_s);

#endif
