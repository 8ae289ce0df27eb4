/* Ends that nobody planned: a signal, or a driver that aborts the program or calls exit. What must not be left behind is
 * settled first. */
#ifndef PSCAN_ENDING_H
#define PSCAN_ENDING_H

#include <stdbool.h>

#include "status.h"

/* Who has something to settle, in this order. */
enum ending_part { ENDING_OUTPUT, ENDING_CACHE, ENDING_PART_COUNT };

/* Called by a signal handler, on any thread, while all others go on: only what is safe there. crashed: the program
 * failed, nobody told it to end. */
typedef void ending_settle(bool crashed);

/* From now on the part is settled before a signal ends the program; NULL: not any more. Signals that are ignored or
 * handled already stay so. One thread. */
void ending_set(enum ending_part part, ending_settle *settle);

/* Drivers may be loaded from now on: an exit that is not the program's own ends it with this status and a message;
 * STATUS_OK: none may be, any more. One thread. */
void ending_watch_drivers(enum status status);

/* Handlers run last registered, first run: call it when the drivers are loaded, so that theirs come later. */
void ending_drivers_loaded(void);

/* This thread begins to try a driver that nobody named: if the driver aborts or calls exit, on this thread or on one that
 * it starts from here, that thread stops for ever after a warning, and the others go on. Until the trial ends. */
void ending_begin_trial(void);
void ending_end_trial(void);

#endif
