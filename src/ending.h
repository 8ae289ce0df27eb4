/* Ends that nobody planned: a signal, or a driver that aborts the program or calls exit. What must not be left behind is
 * settled first. */
#ifndef PSCAN_ENDING_H
#define PSCAN_ENDING_H

#include <stdbool.h>

/* Who has something to settle, in this order. */
enum ending_part { ENDING_OUTPUT, ENDING_CACHE, ENDING_PART_COUNT };

/* Before any other thread starts: whatever signals whoever started the program has blocked, its threads are told from
 * drivers'. */
void ending_prepare(void);

/* Called by a signal handler, on any thread, while all others go on: only what is safe there. crashed: the program
 * failed, nobody told it to end. */
typedef void ending_settle(bool crashed);

/* From now on the part is settled before a signal ends the program; NULL: not any more. Signals that are ignored or
 * handled already stay so. One thread. */
void ending_set(enum ending_part part, ending_settle *settle);

/* From now on an exit is not the program's own: it ends with STATUS_SYSTEM after a message; or every exit is its own
 * again. One thread. */
void ending_watch_exit(bool watch);

/* Handlers run last registered, first run: call it when the drivers are loaded, so that theirs come later. */
void ending_drivers_loaded(void);

/* Everything is done, and the program is about to return this exit status: drivers' exit handlers and destructors may
 * crash from here on, or hang for some seconds, at most limit_s; 0: for ever. */
void ending_leave(int status, unsigned limit_s);

/* If a driver aborts the program or calls exit, on this thread or on one that it starts from here, that thread stops for
 * ever and the others go on: ending_driver_ended from then on. If that thread has damaged or locked the heap, whoever asks
 * first may not come back: the program then ends within seconds, as by an exit. */
void ending_mark_driver_thread(void);
bool ending_driver_ended(void);

#endif
