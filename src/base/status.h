/* How a function or the whole program ended. The values are the program's exit statuses, as in the manual. */
#ifndef PSCAN_BASE_STATUS_H
#define PSCAN_BASE_STATUS_H

enum status {
	STATUS_OK = 0,
	STATUS_DATA = 1, /* the data was bad or damaged */
	STATUS_USAGE = 2, /* the command line was wrong */
	STATUS_SYSTEM = 3, /* input, output or memory failed */
	STATUS_DEVICE = 4, /* a device failed or does not exist; the program exits with it only if the user named one */
};

/* Makes the compiler reject a call that ignores the function's result. */
#define MUST_CHECK __attribute__((warn_unused_result))

/* Makes a call that returns a status. If the status is not STATUS_OK, the function that contains TRY returns it at
 * once. That function must then own nothing that it would have to free. */
#define TRY(call)                                      \
	do {                                           \
		const enum status try_status = (call); \
		if (try_status != STATUS_OK)           \
			return try_status;             \
	} while (0)

#endif
