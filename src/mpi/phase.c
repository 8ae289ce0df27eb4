#include "mpi/phase.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "mpi/comm.h"

static const char *const names[] = {
	[PHASE_BEGUN] = "begun",       [PHASE_PLANNED] = "planned", [PHASE_OPENED] = "opened",
	[PHASE_GATHERED] = "gathered", [PHASE_CARRIED] = "carried", [PHASE_SCANNED] = "scanned",
	[PHASE_CLOSED] = "closed",     [PHASE_ENDED] = "ended",
};
_Static_assert(sizeof names / sizeof names[0] == PHASE_COUNT, "every phase has a name");

/* Returns the phase at which rank *rank is to be killed, or PHASE_COUNT if no rank is. *bad becomes whether the
 * variable's value is invalid. */
static enum phase wanted(long *rank, bool *bad)
{
	const char *value = getenv("PSCAN_MPI_KILL");
	char *name;
	size_t phase = 0;
	*bad = false;
	if (value == NULL || value[0] == '\0')
		return PHASE_COUNT;
	*rank = strtol(value, &name, 10);
	while (phase < PHASE_COUNT && (name[0] != ':' || strcmp(name + 1, names[phase]) != 0))
		phase++;
	*bad = phase == PHASE_COUNT;
	return (enum phase)phase;
}

enum status phase_check(void)
{
	long rank;
	bool bad;
	(void)wanted(&rank, &bad);
	if (!bad)
		return STATUS_OK;
	return message_refuse("PSCAN_MPI_KILL: not RANK:PHASE");
}

void phase_reach(enum phase phase)
{
	long rank = -1;
	bool bad;
	if (wanted(&rank, &bad) == phase && rank == comm_rank())
		(void)raise(SIGKILL);
}
