#include "ranks.h"

#include "device/opencl_engine.h"
#include "mpi/comm.h"
#include "mpi/scan.h"

/* The ranks have called scan_together, which gives them one status. */
static bool have_agreed;

static bool is_first(void)
{
	return comm_rank() == 0;
}

static enum status scan(const struct options *o, enum status status)
{
	have_agreed = true;
	status = scan_together(o, status);
	opencl_engine_end();
	return status;
}

static int end(int status)
{
	/* A rank whose command line was refused has not called `scan`, and the others may be waiting there. */
	const int all = have_agreed ? status : (int)comm_agree((enum status)status);
	comm_end();
	return all;
}

static const struct ranks mpi = {.begin = comm_begin, .is_first = is_first, .scan = scan, .end = end};

const struct ranks *const ranks = &mpi;
