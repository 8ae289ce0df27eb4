/* What the sandbox forbids and what it allows. Child processes enter the sandbox and try it. */
#define _GNU_SOURCE /* syscall */
#include "process/sandbox.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "device/opencl_cache.h"

#define LANDLOCK_CREATE_RULESET 444

/* A directory of the test's own; others are below it. */
static char root[PATH_MAX];

static const char *in_root(const char *name)
{
	static char paths[32][PATH_MAX];
	static unsigned next;
	char *path = paths[next++ % 32];
	(void)snprintf(path, PATH_MAX, "%.4000s/%s", root, name);
	return path;
}

static void make_file(const char *name)
{
	const int fd = open(in_root(name), O_WRONLY | O_CREAT, 0600);
	if (fd < 0 || write(fd, "1\n", 2) != 2 || close(fd) != 0)
		abort();
}

static void make_directory(const char *name)
{
	if (mkdir(in_root(name), 0700) != 0)
		abort();
}

/* Each answers 0 or an errno. */

static int try_read(const char *path)
{
	return open(path, O_RDONLY) < 0 ? errno : 0;
}

static int try_write(const char *path)
{
	return open(path, O_WRONLY | O_CREAT, 0600) < 0 ? errno : 0;
}

static int try_mkdir(const char *path)
{
	return mkdir(path, 0700) != 0 ? errno : 0;
}

static int try_unlink(const char *path)
{
	return unlink(path) != 0 ? errno : 0;
}

/* To a name without its last letter. */
static int try_rename(const char *path)
{
	char to[PATH_MAX];
	(void)snprintf(to, sizeof to, "%.*s", (int)strlen(path) - 1, path);
	return rename(path, to) != 0 ? errno : 0;
}

static int try_execute(const char *path)
{
	(void)execl(path, path, (char *)NULL);
	return errno;
}

/* Connects to a port of this machine on which no program listens. */
static int try_connect(const char *address)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9)};
	const int fd = socket(AF_INET, SOCK_STREAM, 0);
	if (fd < 0 || inet_pton(AF_INET, address, &to.sin_addr) != 1)
		return -1;
	return connect(fd, (const struct sockaddr *)(const void *)&to, sizeof to) != 0 ? errno : 0;
}

/* What a process that has entered the sandbox gets; an exec that succeeds ends with the program's status. */
static int inside(const struct sandbox *s, int (*attempt)(const char *), const char *path)
{
	int status;
	const pid_t child = fork();
	if (child < 0)
		abort();
	if (child == 0) {
		sandbox_enter(s);
		_exit(attempt(path));
	}
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static void check_inputs(void)
{
	const char *const names[] = {"-", in_root("input"), in_root("later/input"), in_root("directory"),
				     in_root("link")};
	const struct sandbox s = {.inputs = names, .input_count = 5};
	const struct sandbox none = {0};
	EXPECT(inside(&s, try_read, names[1]) == 0, "an input");
	EXPECT(inside(&s, try_read, names[4]) == 0, "an input that is a link");
	EXPECT(inside(&s, try_read, names[2]) == ENOENT, "an input that is not there is told so");
	EXPECT(inside(&s, try_read, names[3]) == 0, "a directory can be opened, to be told that it is one");
	check_promise("inputs can be opened");
	EXPECT(inside(&none, try_read, names[1]) == EACCES, "the same file, as no input");
	EXPECT(inside(&s, try_read, in_root("other")) == EACCES, "a file beside it");
	EXPECT(inside(&s, try_read, in_root("directory/file")) == EACCES, "a file in a directory that is an input");
	EXPECT(inside(&s, try_read, "/etc/passwd") == EACCES, "a file of the system");
	check_promise("no other file can be read");
	EXPECT(inside(&s, try_write, names[1]) == EACCES, "an input");
	EXPECT(inside(&s, try_write, in_root("new")) == EACCES, "a new file");
	EXPECT(inside(&s, try_unlink, names[1]) == EACCES, "removal");
	EXPECT(inside(&s, try_mkdir, in_root("new")) == EACCES, "a directory");
	EXPECT(inside(&s, try_execute, "/bin/true") == EACCES, "a program");
	check_promise("nothing can be written, removed, made or executed");
}

static void check_output(void)
{
	const struct sandbox s = {.temporary = in_root("directory/temporary")};
	make_file("directory/temporary");
	EXPECT(inside(&s, try_rename, s.temporary) == 0, "renamed");
	EXPECT(access(in_root("directory/temporar"), F_OK) == 0, "and it is there");
	EXPECT(inside(&s, try_unlink, in_root("directory/temporar")) == 0, "removed");
	EXPECT(inside(&s, try_unlink, in_root("other")) == EACCES, "elsewhere nothing is removed");
	EXPECT(inside(&s, try_read, in_root("directory/file")) == EACCES, "nothing is read there");
	check_promise("the temporary file can be renamed or removed");
}

static void check_drivers(void)
{
	const struct sandbox s = {.drivers = true,
				  .cache_variables = opencl_cache_variables,
				  .cache_variable_count = OPENCL_CACHE_COUNT,
				  .private_cache = in_root("private")};
	(void)setenv("POCL_CACHE_DIR", in_root("cache"), 1);
	EXPECT(inside(&s, try_execute, "/bin/true") == 0, "a compiler can be executed");
	EXPECT(inside(&s, try_read, "/proc/cpuinfo") == 0, "the machine can be looked at");
	EXPECT(inside(&s, try_write, "/dev/null") == 0, "/dev/null can be written to");
	EXPECT(inside(&s, try_write, in_root("cache/kernel")) == 0, "the cache can be written to");
	EXPECT(inside(&s, try_mkdir, in_root("cache/kernels")) == 0, "and have directories");
	EXPECT(inside(&s, try_write, in_root("private/kernel")) == 0, "so can the private one");
	check_promise("drivers have what they need");
	EXPECT(inside(&s, try_read, "/etc/shadow") == EACCES, "secrets of the system");
	EXPECT(inside(&s, try_read, in_root("other")) == EACCES, "the user's files");
	EXPECT(inside(&s, try_write, in_root("new")) == EACCES, "new files");
	EXPECT(inside(&s, try_write, "/usr/new") == EACCES, "the system's directories");
	EXPECT(inside(&s, try_execute, in_root("program")) == EACCES, "the user's programs");
	check_promise("drivers have nothing else");
}

static void check_exceptions(void)
{
	const struct sandbox s = {0};
	char list[PATH_MAX];
	(void)snprintf(list, sizeof list, ":/nonexistent:%.4000s/directory:", root);
	(void)setenv("PSCAN_SANDBOX_ALLOW", list, 1);
	EXPECT(inside(&s, try_write, in_root("directory/new")) == 0, "what the variable names");
	EXPECT(inside(&s, try_write, in_root("new")) == EACCES, "what it does not name");
	check_promise("PSCAN_SANDBOX_ALLOW makes exceptions");
	(void)unsetenv("PSCAN_SANDBOX_ALLOW");
}

int main(void)
{
	const long version = syscall(LANDLOCK_CREATE_RULESET, NULL, 0, 1u);
	(void)snprintf(root, sizeof root, "%s/sandbox-XXXXXX", getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
	(void)unsetenv("PSCAN_SANDBOX_ALLOW");
	if (version < 1) {
		(void)puts("ok 1 - the sandbox # skip this kernel has no Landlock\n1..1");
		return 0;
	}
	if (mkdtemp(root) == NULL)
		return 1;
	make_directory("directory");
	make_directory("later");
	make_directory("cache");
	make_directory("private");
	make_file("input");
	make_file("other");
	make_file("directory/file");
	make_file("program");
	(void)chmod(in_root("program"), 0700);
	if (symlink("input", in_root("link")) != 0)
		return 1;
	check_inputs();
	check_output();
	check_drivers();
	check_exceptions();
	if (version >= 4) {
		const struct sandbox s = {.drivers = true};
		CHECK(inside(&s, try_connect, "127.0.0.1") == EACCES, "there is no network");
	}
	char command[PATH_MAX + 16];
	(void)snprintf(command, sizeof command, "rm -rf '%s'", root);
	CHECK(system(command) == 0, "nothing is left");
	return check_done();
}
