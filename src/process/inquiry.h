/* SIGUSR1: somebody asks how far the program is. */
#ifndef PSCAN_PROCESS_INQUIRY_H
#define PSCAN_PROCESS_INQUIRY_H

/* Called by a signal handler, on any thread that does not block the signal, while all others go on: only what is safe
 * there, and errno may change. */
typedef void inquiry_answer(void);

/* From now on the signal is answered so, unless it was ignored when the program started; NULL: it is ignored. One
 * thread. */
void inquiry_set(inquiry_answer *answer);

/* A driver's call has returned, which may have left a handler of its own (LLVM's takes this signal for a question to
 * it). */
void inquiry_keep(void);

/* The calling thread, and the threads and programs that it starts, are not asked: a driver's calls are not
 * interrupted, and no compiler that it runs is ended where a whole job gets the signal. */
void inquiry_leave_alone(void);

#endif
