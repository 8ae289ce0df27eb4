/* Answers SIGUSR1, by which a user asks for the progress. */
#ifndef PSCAN_PROCESS_INQUIRY_H
#define PSCAN_PROCESS_INQUIRY_H

/* A function that answers. A signal handler calls it, on any thread that does not block the signal, while all other
 * threads go on, so it must be safe in a signal handler. It may change errno. */
typedef void inquiry_answer(void);

/* Sets the function that answers the signal. NULL: from now on the signal has no effect, if a function was set before.
 * Does nothing if the signal was ignored, or handled by others, when a function was set for the first time. Only one
 * thread at a time may call this. */
void inquiry_set(inquiry_answer *answer);

/* If this module handles the signal, installs its handler again. Call it after a driver's call, which may have replaced
 * the handler (LLVM has one for this signal). */
void inquiry_keep(void);

/* Blocks the signal in the calling thread, and in the threads and programs that it starts. So it does not interrupt a
 * driver's calls, and does not end a compiler that a driver runs when a whole job gets the signal. */
void inquiry_leave_alone(void);

#endif
