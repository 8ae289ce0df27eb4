/* The values of options that say what the bytes of input and output are. */
#ifndef PSCAN_CLI_ARGS_FORMAT_H
#define PSCAN_CLI_ARGS_FORMAT_H

#include "cli/args.h"

/* The format that an option's value names. STATUS_USAGE after a message, as for all of these. */
enum status args_format(const char *option, const char *value, bool with_auto, enum format *format) MUST_CHECK;
/* --alike. */
enum status args_alike(const char *value, struct options *o) MUST_CHECK;
/* --axis. */
enum status args_axis(const char *value, struct options *o) MUST_CHECK;
/* An option that compresses, at a level up to a greatest one, or NULL. The last one counts. */
enum status args_compressor(const char *option, const char *value, const struct compressor *compressor,
			    uint64_t level_max, struct options *o) MUST_CHECK;

#endif
