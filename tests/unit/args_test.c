/* Options that the command line does not set have the defaults that the manual states. tests/cli/options.bats tests
 * everything else about options. */
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"

#include "check.h"

static void test_defaults(void)
{
	char name[] = "pscan";
	char *arguments[] = {name, NULL};
	static struct options o; /* what is in it lives on */
	(void)unsetenv("PSCAN_DEVICE_TIMEOUT");
	(void)unsetenv("PSCAN_DEVICE");
	CHECK(args_parse(1, arguments, &o) == STATUS_OK, "no arguments are taken");
	CHECK(o.run.device_timeout_s == 60, "a device has 60 seconds");
	CHECK(strcmp(o.run.device, "auto") == 0, "the device is chosen as the run goes");
	CHECK(!o.run.no_sandbox && !o.run.verify, "the sandbox is on, nothing is verified");
}

int main(void)
{
	test_defaults();
	return check_done();
}
