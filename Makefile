# pscan: prefix scans of numeric streams. `make help` lists the targets.

# CFLAGS, CPPFLAGS, LDFLAGS and LDLIBS are the user's: they come in addition to what the code needs. V=1 shows the commands.
# Debuggers are told of lines; CFLAGS='-O2 -g' tells them of variables, too.
CFLAGS ?= -O2 -g1
# The scan's own loops are worth more than -O2.
SCAN_CFLAGS ?= -O3
BUILD ?= build
# The same name for the same directory, however it was given: dependencies that the compiler wrote name objects so.
override BUILD := $(patsubst $(CURDIR)/%,%,$(BUILD))
# Debian's own, which has numpy: another one may come first in PATH.
PYTHON ?= /usr/bin/python3

PREFIX ?= /usr/local
prefix = $(PREFIX)
exec_prefix = $(prefix)
bindir = $(exec_prefix)/bin
datarootdir = $(prefix)/share
datadir = $(datarootdir)
mandir = $(datarootdir)/man
man1dir = $(mandir)/man1
man7dir = $(mandir)/man7
docdir = $(datarootdir)/doc/pscan
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
fishcompletiondir = $(datadir)/fish/vendor_completions.d
INSTALL = install
INSTALL_PROGRAM = $(INSTALL)
INSTALL_DATA = $(INSTALL) -m 644

ifeq ($(origin CC),default)
CC := gcc
endif
MACHINE := $(shell $(CC) -dumpmachine 2>/dev/null)
# What runs while the program is built: another compiler's where CC makes programs for other machines.
CC_FOR_BUILD ?= $(CC)

# Blanks may be in the names of the directories above.
ifneq ($(words $(BUILD)),1)
$(error BUILD=$(BUILD): a name with blanks is no target of make; one below this directory may be relative)
endif

# quote TEXT: one word of the shell's.
quote = '$(subst ','\'',$(1))'
# say WHAT FILE: a recipe's first line begins with it.
quiet := $(findstring s,$(filter-out --% -j%,$(firstword -$(MAKEFLAGS))))
say = $(if $(filter-out 0,$(V)),,@$(if $(quiet),,echo '  $(1)  $(2)';) )

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes -Wmissing-prototypes \
	-Wcast-qual -Wwrite-strings -Wundef -Wvla -Wformat=2 -Wswitch-enum -Wdouble-promotion -Wnull-dereference
REQUIRED_CFLAGS := -std=c11 -D_XOPEN_SOURCE=700 -DZLIB_CONST -pthread $(WARNINGS) $(EXTRA_CFLAGS)
# C is unwound by debuggers alone, which have tables of their own.
REQUIRED_CFLAGS += -fno-asynchronous-unwind-tables
INCLUDES := -Isrc -Ikernels -I$(BUILD)
# OPENCL=no: without devices, for machines that have no loader of drivers.
OPENCL ?= yes
LIBRARIES := $(if $(filter no,$(OPENCL)),,-lOpenCL) -lz -lm -pthread
# There gcc would compute on floats in double, as C11 lets it.
ifneq ($(filter s390%,$(MACHINE)),)
REQUIRED_CFLAGS += -fexcess-precision=fast
endif
# Libraries that are used where they are installed: ISAL=no, XZ=no and the like build without. ISA-L does fast what else zlib does,
# each of the others reads a format.
OPTIONAL := ISAL:isa-l.h:isal ZSTD:zstd.h:zstd XZ:lzma.h:lzma BZIP2:bzlib.h:bz2 LZ4:lz4frame.h:lz4
part = $(word $(2),$(subst :, ,$(1)))
# One run of the compiler asks for all headers.
HASH := \#
INSTALLED := $(shell printf '%s\n' $(foreach library,$(OPTIONAL),'$(HASH)if __has_include(<$(call part,$(library),2)>)' \
	$(call part,$(library),1) '$(HASH)endif') | $(CC) $(CPPFLAGS) -E -P - 2>/dev/null)
define use_optional
$(call part,$(1),1) ?= $(if $(filter $(call part,$(1),1),$(INSTALLED)),yes)
ifeq ($$($(call part,$(1),1)),yes)
REQUIRED_CFLAGS += -DPSCAN_$(call part,$(1),1)
LIBRARIES += -l$(call part,$(1),3)
endif
endef
$(foreach library,$(OPTIONAL),$(eval $(call use_optional,$(library))))

# Sanitizers check more themselves, and some of this is in their way. HARDENING=no builds without.
HARDENING ?= $(if $(findstring -fsanitize,$(CFLAGS) $(EXTRA_CFLAGS)),no,yes)
ifeq ($(HARDENING),yes)
CF_PROTECTION := $(if $(filter x86_64% i%86%,$(MACHINE)),-fcf-protection)
REQUIRED_CFLAGS += -fPIE -fstack-protector-strong -fstack-clash-protection $(CF_PROTECTION)
# Where there is optimisation, and the user says nothing of it.
FORTIFY = $(if $(findstring _FORTIFY_SOURCE,$(CPPFLAGS) $(CFLAGS)),,$(if $(filter-out -O0,$(lastword \
	$(filter -O%,$(CFLAGS) $(OBJECT_CFLAGS)))),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3))
HARDENED_LDFLAGS := -pie -Wl,-z,relro,-z,now,-z,noexecstack
endif

# What single objects need, whatever CFLAGS says: fast loops -O3, and the levels of rows the features that rows/level.c looks for and no
# wider vectors. What runs once is not worth -O2.
LEVEL_CFLAGS_number/convert := -fno-trapping-math
SCAN_OBJECTS := number/convert number/interleave number/nan number/turn evaluate/exact_vector text/line
ONCE_OBJECTS := cli/% device/opencl_% process/%
ONCE_CFLAGS := $(if $(filter -O2 -O3,$(CFLAGS)),-O1)
OBJECT_CFLAGS = $(if $(filter $(SCAN_OBJECTS),$*),$(SCAN_CFLAGS)) $(if $(filter $(ONCE_OBJECTS),$*),$(ONCE_CFLAGS)) $(LEVEL_CFLAGS_$*)
ifneq ($(filter x86_64%,$(MACHINE)),)
ROWS_CFLAGS_baseline := -mno-avx2 -mno-avx512f
ROWS_CFLAGS_v3 := -mavx2 -mbmi2 -mno-avx512f
ROWS_CFLAGS_v4 := -mavx2 -mbmi2 -mavx512f -mavx512bw -mavx512dq -mavx512vl
# For the function fma. Compilers make no fused operations of others (-ffp-contract=off).
ROWS_FMA_v3 := -mfma
ROWS_FMA_v4 := -mfma
endif

# No contraction into fused operations: the bits are part of the contract.
# Paths in the program are relative, so that it is the same wherever it is built.
COMPILE = $(CC) $(REQUIRED_CFLAGS) $(FORTIFY) -ffile-prefix-map=$(call quote,$(CURDIR))=. -ffile-prefix-map=$(BUILD)=build \
	$(INCLUDES) $(CPPFLAGS) $(CFLAGS) $(OBJECT_CFLAGS) -ffp-contract=off
# The stack of threads where the C library asks the program for it (musl has 128 KiB otherwise): windows of products take 300 KiB.
STACK_LDFLAGS := -Wl,-z,stack-size=1048576
LINK = $(CC) $(CFLAGS) $(EXTRA_CFLAGS) $(HARDENED_LDFLAGS) $(STACK_LDFLAGS) $(LDFLAGS)
# A program of the tests from its sources and what it needs of the program's objects.
COMPILE_PROGRAM = $(COMPILE) $(LDFLAGS) -o $@ $(filter %.c %.o,$^) $(filter %.a,$^) $(LIBRARIES) $(LDLIBS)

OPENCL_SOURCES := $(patsubst %,src/device/opencl_%.c,channel cursor device engine program)
SOURCES := $(filter-out src/tools/% src/mpi/% src/rows/rows_% src/evaluate/evaluate_level.c src/evaluate/columns_level.c $(if $(filter no,$(OPENCL)),$(OPENCL_SOURCES),src/device/no_opencl.c),$(wildcard src/*/*.c))
# The rows of each operator (rows/rows.h), which depend on its own facts and text alone.
OPERATORS := $(shell sed -n 's/^\#define OP //p' src/operators/operators.inc)
VECTOR_OPERATORS := $(shell awk -f src/tools/vector_operators.awk src/operators/operators.inc)
ROWS_LEVELS := baseline v3 v4
ROWS := $(foreach part,grid loops,$(OPERATORS:%=$(BUILD)/rows/rows_$(part)_%.o)) \
	$(foreach level,$(ROWS_LEVELS),$(VECTOR_OPERATORS:%=$(BUILD)/rows/rows_$(level)_%.o))
GENERATED := kernel_text shown_operators
# The loops of expressions (evaluate/evaluate_loops.h) for each level, and their columns.
EVALUATE_LOOPS := $(ROWS_LEVELS:%=$(BUILD)/evaluate/evaluate_%.o) $(ROWS_LEVELS:%=$(BUILD)/evaluate/columns_%.o)
OBJECTS := $(SOURCES:src/%.c=$(BUILD)/%.o) $(GENERATED:%=$(BUILD)/%.o) $(ROWS) $(EVALUATE_LOOPS)
# The order makes up a program, of whose operators each has one (src/device/opencl_program.c).
LIBRARY := $(filter-out kernels/library/common.h kernels/library/of_type.h,$(sort $(wildcard kernels/library/*.h)))
KERNELS := kernels/types.h kernels/names.h kernels/library/common.h kernels/row_types.h \
	kernels/row_begin.h kernels/library/of_type.h $(LIBRARY) kernels/row_end.h \
	kernels/program.h kernels/grid.h kernels/group.h kernels/tile.h kernels/kept.h kernels/in_step.h kernels/side_by_side.h \
	kernels/scan.cl kernels/cursor.h kernels/fold.cl kernels/cursor.cl
VERSION := $(shell sed -n 's/.*PSCAN_VERSION "\(.*\)"/\1/p' src/base/version.h)

# SHORT=1 takes a part of a long test; SHORT=gate a smaller one, for tests/gate.sh.
GATE := $(filter gate,$(SHORT))

.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: all

MANUAL := $(patsubst man/%,$(BUILD)/%,$(wildcard man/*.1 man/*.7))
COMPLETIONS := $(BUILD)/pscan.bash $(BUILD)/pscan.zsh $(BUILD)/pscan.fish

all: $(BUILD)/pscan $(MANUAL) $(COMPLETIONS) ## build build/pscan (default)

$(BUILD)/pscan: $(BUILD)/main.o $(BUILD)/alone.o $(OBJECTS)
	$(call say,LD,$@)$(LINK) -o $@ $^ $(LIBRARIES) $(LDLIBS)

# The same program for the ranks of MPI: only src/mpi/comm.c knows MPI.
MPI_OBJECTS := $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/mpi/*.c))
MPI_CFLAGS = $(patsubst -I%,-isystem %,$(shell pkg-config --cflags ompi-c))
MPI_LIBRARIES = $(shell pkg-config --libs ompi-c)
LEVEL_CFLAGS_mpi/comm = $(MPI_CFLAGS)

.PHONY: mpi check-mpi
mpi: $(BUILD)/pscan-mpi ## build build/pscan-mpi, which scans with mpirun

$(BUILD)/pscan-mpi: $(BUILD)/main.o $(MPI_OBJECTS) $(OBJECTS)
	$(call say,LD,$@)$(LINK) -o $@ $^ $(LIBRARIES) $(MPI_LIBRARIES) $(LDLIBS)

# One file that runs on any Linux with this processor: linked statically with musl, without devices, and of the compression
# libraries with zlib alone. STATIC: the directory that it is built in.
STATIC ?= $(BUILD)/static
override STATIC := $(patsubst $(CURDIR)/%,%,$(STATIC))
.PHONY: static
static: ## build build/static/pscan, one file for any Linux: musl and zlib inside, no OpenCL (make deps-static first)
	@sh src/tools/static.sh $(STATIC)/musl
	@$(MAKE) --no-print-directory BUILD=$(STATIC) CC=musl-gcc CC_FOR_BUILD=gcc OPENCL=no HARDENING=no \
		ISAL=no ZSTD=no XZ=no BZIP2=no LZ4=no CPPFLAGS=-I$(STATIC)/musl/include \
		LDFLAGS='-static -L$(STATIC)/musl/lib' $(STATIC)/pscan

$(MANUAL): $(BUILD)/%: man/% src/operators/operators.inc src/tools/operators.awk
	@mkdir -p $(@D)
	$(call say,GEN,$@)awk -f src/tools/operators.awk src/operators/operators.inc $< > $@

$(BUILD)/pscan.bash: man/pscan.bash
$(COMPLETIONS): src/cli/options.inc src/tools/completions.awk
	@mkdir -p $(@D)
	$(call say,GEN,$@)awk -f src/tools/completions.awk -v shell=$(patsubst .%,%,$(suffix $@)) src/cli/options.inc $(filter man/%,$^) > $@

$(BUILD)/%.o: src/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)$(COMPILE) -MMD -MP -c -o $@ $<

# Of -O3 they (and plot/extremes) need that loops become vectors: the others are unrolled by hand. Debuggers are told of their lines, not of their variables.
# GRID_CFLAGS: for builds in which nothing depends on their speed.
has_option = $(shell $(CC) -Werror $(1) -E - </dev/null >/dev/null 2>&1 && echo ' $(1)')
ROWS_DEBUG := $(if $(filter -g -g2 -g3 -ggdb%,$(CFLAGS)),-g1)
# UNWATCHED: operators whose rows sanitizers leave alone.
unwatched = $(if $(filter $(1),$(UNWATCHED)), -fno-sanitize=all)
ROWS_CFLAGS := $(filter-out -O3,$(SCAN_CFLAGS)) $(call has_option,-fvect-cost-model=dynamic) $(ROWS_DEBUG)
LEVEL_CFLAGS_plot/extremes = $(ROWS_CFLAGS)
$(BUILD)/rows/rows_grid_%.o: private OBJECT_CFLAGS = $(GRID_CFLAGS) $(ROWS_DEBUG) -DOPERATOR=$*$(call unwatched,$*)
$(BUILD)/rows/rows_grid_%.o: src/rows/rows_grid.c $(BUILD)/operators/%.inc $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC,$< of $*)$(COMPILE) -MMD -MP -c -o $@ $<

$(BUILD)/rows/rows_loops_%.o: private OBJECT_CFLAGS = $(ROWS_CFLAGS) -DOPERATOR=$*$(call unwatched,$*)
$(BUILD)/rows/rows_loops_%.o: src/rows/rows_loops.c $(BUILD)/operators/%.inc $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC,$< of $*)$(COMPILE) -MMD -MP -c -o $@ $<

define rows_of_level
$(BUILD)/rows/rows_$(1)_%.o: private OBJECT_CFLAGS = $(ROWS_CFLAGS) $(ROWS_CFLAGS_$(1)) -DOPERATOR=$$* -DLEVEL=$(1)$$(call unwatched,$$*)
$(BUILD)/rows/rows_$(1)_%.o: src/rows/rows_level.c $(BUILD)/operators/%.inc $(BUILD)/flags
	@mkdir -p $$(@D)
	$$(call say,CC,$$< of $$* for $(1))$$(COMPILE) -MMD -MP -c -o $$@ $$<

endef
$(foreach level,$(ROWS_LEVELS),$(eval $(call rows_of_level,$(level))))

# Without errno and floating-point exceptions, which are not read, there are vectors for more functions. Results are the same.
# Of -O3 these loops need vectors alone, without a second loop with shorter vectors for the last elements: half the time to compile.
EVALUATE_CFLAGS := -fno-math-errno -fno-trapping-math $(if $(filter -O3,$(SCAN_CFLAGS)),$(call \
	has_option,-O1 -ftree-loop-vectorize -fvect-cost-model=dynamic --param vect-epilogues-nomask=0))
define evaluate_of_level
$(BUILD)/evaluate/evaluate_$(1).o: private OBJECT_CFLAGS = $(ROWS_CFLAGS) $(EVALUATE_CFLAGS) $(ROWS_CFLAGS_$(1)) $(ROWS_FMA_$(1)) -DLEVEL=$(1)
$(BUILD)/evaluate/columns_$(1).o: private OBJECT_CFLAGS = $(SCAN_CFLAGS) $(ROWS_CFLAGS_$(1)) -DLEVEL=$(1)
$(BUILD)/evaluate/evaluate_$(1).o $(BUILD)/evaluate/columns_$(1).o: $(BUILD)/evaluate/%_$(1).o: src/evaluate/%_level.c $(BUILD)/flags
	@mkdir -p $$(@D)
	$$(call say,CC,$$< for $(1))$$(COMPILE) -MMD -MP -c -o $$@ $$<

endef
$(foreach level,$(ROWS_LEVELS),$(eval $(call evaluate_of_level,$(level))))

# What changes is written alone: objects of an operator whose facts are as they were are not built anew. Most other files need all
# operators.
OPERATOR_FACTS := $(OPERATORS:%=$(BUILD)/operators/%.inc)
EVERY_OPERATOR := $(BUILD)/operators/every.inc
$(OPERATOR_FACTS) $(EVERY_OPERATOR): $(BUILD)/operators/made ;
$(BUILD)/operators/made: src/operators/operators.inc src/tools/operator_facts.awk
	@mkdir -p $(@D)
	$(call say,GEN,$@)awk -v directory=$(@D) -f src/tools/operator_facts.awk src/operators/operators.inc
	@for facts in $(OPERATOR_FACTS) $(EVERY_OPERATOR); do \
		if cmp -s $$facts.new $$facts; then rm $$facts.new; else mv $$facts.new $$facts; fi; done
	@touch $@

$(GENERATED:%=$(BUILD)/%.o): $(BUILD)/%.o: $(BUILD)/%.c $(BUILD)/flags
	$(call say,CC,$<)$(COMPILE) -MMD -MP -c -o $@ $<

$(BUILD)/kernel_text.c: $(KERNELS) src/tools/embed.sh
	@mkdir -p $(@D)
	$(call say,GEN,$@)sh src/tools/embed.sh $(KERNELS) > $@

SHOWN_OPERATORS := kernels/row_types.h kernels/library/common.h kernels/library/of_type.h $(LIBRARY) src/operators/operators.inc
$(BUILD)/shown_operators.c: $(SHOWN_OPERATORS) src/tools/shown_operators.awk
	@mkdir -p $(@D)
	$(call say,GEN,$@)awk -f src/tools/shown_operators.awk $(SHOWN_OPERATORS) > $@

$(BUILD)/number/powers.o: $(BUILD)/powers.inc

$(BUILD)/powers.inc: $(BUILD)/make_powers
	$(call say,GEN,$@)$(BUILD)/make_powers > $@

$(BUILD)/make_powers: src/tools/make_powers.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC_FOR_BUILD) -std=c11 -O1 $(WARNINGS) -o $@ $<

# Objects depend on the compiler and its flags, so a change of either builds anew. What is installed was built before, perhaps by
# another user and with other flags.
FLAGS = $(CC) $(REQUIRED_CFLAGS) $(CPPFLAGS) $(CFLAGS) $(SCAN_CFLAGS) $(GRID_CFLAGS) $(LDFLAGS) $(LIBRARIES) $(LDLIBS)$(UNWATCHED)
INSTALL_ONLY := $(and $(MAKECMDGOALS),$(if $(filter-out install% uninstall,$(MAKECMDGOALS)),,yes))
$(BUILD)/flags: $(if $(INSTALL_ONLY),,FORCE) | $(EVERY_OPERATOR)
	@mkdir -p $(@D)
	@printf '%s\n' $(call quote,$(FLAGS)) | cmp -s - $@ || printf '%s\n' $(call quote,$(FLAGS)) > $@
.PHONY: FORCE
FORCE:

-include $(wildcard $(BUILD)/*.d $(BUILD)/*/*.d)


# What building and the demo take. Most of the bytes are PoCL's LLVM.
BUILD_PACKAGES := gcc libc6-dev zlib1g-dev libisal-dev libzstd-dev liblzma-dev libbz2-dev liblz4-dev ocl-icd-opencl-dev \
	opencl-c-headers pocl-opencl-icd
# What `make check` takes besides. A test that wants more than this is skipped where it is missing.
TEST_PACKAGES := bats python3 python3-numpy mandoc groff-base strace bc zstd xz-utils bzip2 lz4 gzip mawk bsdutils procps diffutils
# What the other targets take.
TOOL_PACKAGES := clang clang-format clang-tidy libclang-common-14-dev libclang-rt-14-dev cppcheck shellcheck zsh fish gnuplot-nox \
	oclgrind valgrind

.PHONY: deps deps-check deps-all deps-deb deps-foreign deps-static deps-mpi deps-rusticl deb demo check test check-all check-compilers check-long check-device check-foreign check-mpi check-mutants check-numbers check-programs check-rusticl check-oclgrind \
	check-sanitizers check-zlib bench bench-programs bench-rows bench-gpu fuzz lint install install-strip installdirs uninstall dist \
	clean help

deps: PACKAGES := $(BUILD_PACKAGES)
deps: ## install the Debian packages that building and the demo need
deps-check: PACKAGES := $(BUILD_PACKAGES) $(TEST_PACKAGES)
deps-check: ## the same for check and test
deps-all: PACKAGES := $(BUILD_PACKAGES) $(TEST_PACKAGES) $(TOOL_PACKAGES)
deps-all: ## the same for check-all, lint, fuzz and bench
deps-rusticl: PACKAGES := mesa-opencl-icd
deps-rusticl: ## the same for check-rusticl
deps-deb: PACKAGES := build-essential debhelper lintian ocl-icd-opencl-dev zlib1g-dev libisal-dev libzstd-dev liblzma-dev libbz2-dev \
	liblz4-dev bats python3-numpy
deps-deb: ## the same for deb
deps-foreign: PACKAGES := gcc-s390x-linux-gnu libc6-dev-s390x-cross gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static musl-tools
deps-foreign: ## the same for check-foreign
deps-static: PACKAGES := gcc libc6-dev zlib1g-dev musl-tools
deps-static: ## the same for static
deps-mpi: PACKAGES := openmpi-bin libopenmpi-dev pkg-config
deps-mpi: ## the same for mpi
deps deps-check deps-all deps-rusticl deps-deb deps-foreign deps-static deps-mpi:
	@sh src/tools/deps.sh $(PACKAGES)

# A make of its own, for what must be built: on all processors unless -j says otherwise. A line every few seconds shows that it runs.
ALIVE := sh src/tools/alive.sh
BUILD_FIRST = $(ALIVE) $(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

demo: deps ## build, then scan real input on PoCL
	@$(BUILD_FIRST) all
	PSCAN=$(BUILD)/pscan PSCAN_DEVICE=cpu $(ALIVE) sh samples/demo.sh

check: deps-check ## build, then run the tests that take minutes in all
	@$(BUILD_FIRST) all test-programs
	@BUILD=$(BUILD) PYTHON=$(PYTHON) TAGS='!long' sh tests/run.sh

# The file of tests that a word of T means.
test_file = $(or $(firstword $(wildcard $(foreach name,$(basename $(notdir $(1))),tests/cli/$(name).bats tests/unit/$(name).c \
	tests/unit/$(name)_test.c))),$(error T=$(1): there is no tests/cli/$(1).bats and no tests/unit/$(1)_test.c))
TEST_FILES = $(if $(T),$(foreach word,$(T),$(call test_file,$(word))),$(wildcard tests/cli/*.bats) $(if $(F),,$(UNIT_SOURCES)))
# What these run beside the program.
mentioned = $(if $(filter %.bats,$(TEST_FILES)),$(if $(shell grep -lE '$(1)' $(filter %.bats,$(TEST_FILES))),$(2)))
TEST_NEEDS = $(if $(filter %.bats,$(TEST_FILES)),all) $(patsubst tests/%.c,$(BUILD)/%,$(filter %.c,$(TEST_FILES))) \
	$(call mentioned,LAYER|fault/,fault-layer) $(call mentioned,libc_faults,$(BUILD)/fault/libc_faults.so) \
	$(call mentioned,BUILD/bench/,bench-programs) \
	$(if $(F),,$(if $(filter $(shell cut -f 1 tests/kernels.tsv 2>/dev/null),$(notdir $(TEST_FILES))),kernel-compiler))

test: ## the tests of T (T='operators row_test'; default: all), of them those whose names match F (F=absmax); LONG=1: long ones, too
	@$(BUILD_FIRST) $(TEST_NEEDS)
	@BUILD=$(BUILD) PYTHON=$(PYTHON) TAGS=$(if $(LONG),,'!long') FILTER=$(call quote,$(F)) SHOW=all \
		TESTS='$(patsubst tests/unit/%.c,%,$(TEST_FILES))' sh tests/run.sh

check-long: all test-programs ## the tests that check leaves out because they take long: half an hour
	@BUILD=$(BUILD) PYTHON=$(PYTHON) TAGS=long TESTS="$$(echo tests/cli/*.bats)" sh tests/run.sh
	@BUILD=$(BUILD) PYTHON=$(PYTHON) DECIMAL_DEVICES=1 TESTS=tests/cli/decimal.bats sh tests/run.sh
	XDG_CACHE_HOME=$(abspath $(BUILD))/cache $(BUILD)/unit/engine_test cpu

check-all: deps-all ## all that is tested, tool after tool: hours (.ci/run is what a change must pass)
	@BUILD=$(BUILD) PYTHON=$(PYTHON) sh tests/check_all.sh

$(BUILD)/program.a: $(OBJECTS)
	@rm -f $@
	$(call say,AR,$@)ar rc $@ $^

# What tests run beside the program.
.PHONY: test-programs
test-programs: unit-tests bench-programs fault-layer kernel-compiler

UNIT_SOURCES := $(wildcard tests/unit/*_test.c)
UNIT_TESTS := $(UNIT_SOURCES:tests/unit/%.c=$(BUILD)/unit/%)

.PHONY: unit-tests
unit-tests: $(UNIT_TESTS)

# Their own loops are not worth more.
$(BUILD)/unit/%: private OBJECT_CFLAGS = $(ONCE_CFLAGS)
$(BUILD)/unit/%: tests/unit/%.c $(BUILD)/program.a $(wildcard tests/unit/*.h) $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,LD,$@)$(COMPILE_PROGRAM)

# Benchmarks. tests/bench/gpu.sh runs what is worth running on a machine with a GPU.
BENCH_PROGRAMS := curves expensive expensive_peer kernels modular_peer number_speed numbers recurrence_peer rows read_file

bench-programs: $(BENCH_PROGRAMS:%=$(BUILD)/bench/%)

$(BUILD)/bench/kernels: $(addprefix tests/bench/,kernels_time.c kernels_check.c kernels_program.c runner.c scanner.c)
$(BUILD)/bench/curves: tests/bench/scanner.c
$(BUILD)/bench/expensive: tests/bench/scanner.c samples/expensive.cl
$(BUILD)/bench/%: private OBJECT_CFLAGS = $(SCAN_CFLAGS)
# What one would write by hand for this very machine.
PEER_CFLAGS := -O3 -march=native -ffp-contract=off -fopenmp
$(BUILD)/bench/expensive: private OBJECT_CFLAGS = $(PEER_CFLAGS)
$(BUILD)/bench/%_peer: tests/bench/%_peer.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) -std=c11 -D_XOPEN_SOURCE=700 $(WARNINGS) $(EXTRA_CFLAGS) $(PEER_CFLAGS) $(LDFLAGS) -o $@ $<
$(BUILD)/bench/%: tests/bench/%.c tests/bench/bench.c $(BUILD)/program.a $(wildcard tests/bench/*.h) $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,LD,$@)$(COMPILE_PROGRAM)

bench-rows: $(BUILD)/bench/rows ## speed of the host's rows on one core
	$(BUILD)/bench/rows

bench-gpu: all bench-programs $(BUILD)/bench/cub ## build all benchmarks, with CUB's scan to compare with: needs nvcc

NVCC ?= nvcc
NVCC_FLAGS ?= -O3 -arch=sm_90 -fmad=false
$(BUILD)/bench/cub: tests/bench/cub.cu
	@command -v $(NVCC) >/dev/null || { echo "no $(NVCC): cub is left out" >&2; exit 1; }
	@mkdir -p $(@D)
	$(NVCC) $(NVCC_FLAGS) -o $@ $<

# Loaded by the OpenCL loader, so that tests can make calls fail.
FAULT_SOURCES := tests/fault/faults.c tests/fault/opencl_layer.c

# What compiles kernels for many tests at once (tests/kernels.sh).
.PHONY: kernel-compiler
kernel-compiler: $(if $(filter no,$(OPENCL)),,$(BUILD)/tools/compile_kernels)
$(BUILD)/tools/compile_kernels: private OBJECT_CFLAGS = -Wl,--wrap=main,--wrap=clCreateContext
$(BUILD)/tools/compile_kernels: tests/tools/compile_kernels.c $(BUILD)/main.o $(BUILD)/alone.o $(BUILD)/program.a $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,LD,$@)$(COMPILE_PROGRAM)

.PHONY: fault-layer
fault-layer: $(BUILD)/fault/opencl_layer.so

# Preloaded, so that tests can make the program's own calls of the C library fail. It comes before a sanitizer's run-time
# library, so it is built without one, and the compiler must not know what malloc means.
FAULT_LIBC_CFLAGS := -std=c11 -D_XOPEN_SOURCE=700 $(WARNINGS) -O2 -g -pthread -fPIC -fno-builtin -U_FORTIFY_SOURCE
$(BUILD)/fault/libc_faults.so: $(wildcard tests/fault/libc_*.c) $(wildcard tests/fault/libc_*.h) $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(FAULT_LIBC_CFLAGS) -shared -o $@ $(filter %.c,$^)

.PHONY: check-faults
check-faults: all fault-layer $(BUILD)/fault/libc_faults.so ## every call that can fail does, one by one; SHORT=1 takes a sample, HOST_ONLY=1 no devices
	BUILD=$(BUILD) $(PYTHON) tests/fault/loops.py $(if $(SHORT),--short) $(if $(GATE),--gate) $(if $(HOST_ONLY),--host) $(if $(JOBS),--jobs $(JOBS)) \
		$(SCENARIOS)

.PHONY: check-same
check-same: all ## random commands with the program OLD=PATH and this one: what comes out must be equal
	$(PYTHON) tests/tools/compare_programs.py $(or $(OLD),$(error OLD=PATH: which program?)) $(BUILD)/pscan $(or $(SEED),1) $(or $(COUNT),20000)

$(BUILD)/fault/opencl_layer.so: $(FAULT_SOURCES) $(wildcard tests/fault/*.h) $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,LD,$@)$(COMPILE) $(LDFLAGS) -fPIC -shared -o $@ $(FAULT_SOURCES)

check-device: all ## compare DEVICE (default gpu) with the host, byte for byte
	BUILD=$(BUILD) sh tests/device.sh $(or $(DEVICE),gpu)

check-rusticl: all fault-layer ## compare Mesa's rusticl on the CPU with the host, in both kernel shapes
	BUILD=$(BUILD) sh tests/rusticl.sh

check-oclgrind: all ## both kernel shapes under Oclgrind, which must find nothing
	BUILD=$(BUILD) sh tests/oclgrind.sh

$(BUILD)/torture/%: tests/torture/%.c $(OBJECTS) $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,LD,$@)$(COMPILE_PROGRAM)

# For the night: a quarter of an hour on two cores. ROUNDS=1 takes seconds; PART=f64 does the parts with that in their names.
check-numbers: $(BUILD)/torture/numbers ## every f32, 10^8 f64 and hard decimals to text and back; ROUNDS=100, SEED=1
	$(BUILD)/torture/numbers $(or $(ROUNDS),100) $(or $(SEED),1) $(PART)

# For the night: a run of the program for each. JOBS=8 does eight at once.
check-programs: all ## programs of every kind on every size 0 to 8200 against C; STRIDE=10 a tenth of the sizes, SEED=2
	mkdir -p $(BUILD)/programs
	JOBS=$(or $(JOBS),2) PSCAN=$(BUILD)/pscan PSCAN_DEVICE=cpu XDG_CACHE_HOME=$(abspath $(BUILD))/cache \
		$(PYTHON) tests/tools/program_cases.py $(or $(SEED),2) $(BUILD)/programs $(or $(STRIDE),1) $(or $(FIRST),0)
	JOBS=$(or $(JOBS),2) PSCAN=$(BUILD)/pscan PSCAN_DEVICE=cpu XDG_CACHE_HOME=$(abspath $(BUILD))/cache \
		$(PYTHON) tests/tools/shown_operators.py $(BUILD)/programs | grep -xE '[0-9]{4} runs, 0 wrong'

# Frozen vectors (tests/frozen) and the soak.
.PHONY: frozen soak

frozen: all ## make the sums of tests/frozen/vectors.tsv anew; what the oracles do not confirm is refused
	PSCAN=$(BUILD)/pscan $(PYTHON) tests/frozen/frozen.py regenerate

soak: all ## random scenarios against the oracles for MINUTES (60) or SECONDS; SEED=, JOBS=, SCENARIO=, DEVICE=
	-@$(MAKE) --no-print-directory fault-layer
	BUILD=$(BUILD) PSCAN="$$(cd $(BUILD) && pwd)/pscan" $(PYTHON) tests/soak/soak.py $(if $(SECONDS),--seconds $(SECONDS)) \
		$(if $(MINUTES),--minutes $(MINUTES)) $(if $(SEED),--seed $(SEED)) $(if $(JOBS),--jobs $(JOBS)) \
		$(if $(SCENARIO),--scenario $(SCENARIO)) $(foreach device,$(DEVICE),--device $(device))

# Optimised, the grid's own text takes a compiler longer than all the rest.
QUICK_VARIABLES := SCAN_CFLAGS=-O1 GRID_CFLAGS=-O0
# Sanitizers' code takes a compiler that optimises ten times as long, of the rows' vectors. What is to be warned of the other builds say.
SANITIZER_VARIABLES := CFLAGS='-O1 -g1 -w' SCAN_CFLAGS=-O0 GRID_CFLAGS=-O0
# By day rows are watched that have others' shape: of ThreadSanitizer's, to which all are one, of every kind one.
leave_alone = $(if $(GATE),UNWATCHED='$(1)')
ASAN_VARIABLES = $(SANITIZER_VARIABLES) EXTRA_CFLAGS='-fsanitize=address,undefined -fno-sanitize-recover=all' $(call leave_alone,min or xor argmin std last)
check-sanitizers: ## every test with AddressSanitizer and UndefinedBehaviorSanitizer, the host's with ThreadSanitizer; SHORT=1: fewer
	$(MAKE) -j2 BUILD=$(BUILD)/asan $(ASAN_VARIABLES) all unit-tests fault-layer
	$(MAKE) -j2 BUILD=$(BUILD)/tsan $(SANITIZER_VARIABLES) EXTRA_CFLAGS='-fsanitize=thread' $(call leave_alone,$(filter-out sum max argmax mean,$(OPERATORS))) all fault-layer
	$(if $(GATE),,$(MAKE) -j2 fuzz-programs)
	BUILD=$(BUILD) PYTHON=$(PYTHON) SHORT=$(SHORT) sh tests/sanitizers.sh

# Branch coverage of the own code. Nothing is inlined or optimised, so that gcov sees each branch once, as it is written.
COVERAGE := --coverage -fprofile-update=atomic -Dalways_inline=
COVERAGE_VARIABLES = BUILD=$(BUILD)/coverage CFLAGS='-O0 -g' SCAN_CFLAGS=-O0 EXTRA_CFLAGS='$(COVERAGE)' \
	LDFLAGS='-Wl,--wrap=_exit,--wrap=raise,--wrap=sigaction $(BUILD)/coverage/dump.o'

# Faults put in on purpose, which some test must notice.
check-mutants: ## the tests against faults put in on purpose; SHORT=1 a sample, MUTANT=name one, LIMIT=60 where much else runs
	BUILD=$(BUILD) PYTHON=$(PYTHON) $(PYTHON) tests/mutants/mutants.py $(if $(SHORT),--short) $(if $(GATE),--gate) $(if $(MUTANT),--only $(MUTANT)) \
		$(if $(JOBS),--jobs $(JOBS)) $(if $(LIMIT),--limit $(LIMIT))

.PHONY: coverage coverage-build coverage-report
coverage: coverage-build ## branch coverage by every test and the fault loops (with devices their short form); fails below 95 %
	BUILD=$(BUILD)/coverage PYTHON=$(PYTHON) sh tests/coverage/run.sh
	-$(MAKE) $(COVERAGE_VARIABLES) HOST_ONLY=1 check-faults
	-$(MAKE) $(COVERAGE_VARIABLES) SHORT=1 check-faults
	@$(MAKE) --no-print-directory coverage-report

coverage-build:
	@mkdir -p $(BUILD)/coverage
	$(CC) -std=c11 -D_XOPEN_SOURCE=700 $(WARNINGS) -O1 -fPIC -DCOVERAGE_DIRECTORY="\"$$PWD/$(BUILD)/coverage\"" -c -o $(BUILD)/coverage/dump.o \
		tests/coverage/dump.c
	$(MAKE) $(COVERAGE_VARIABLES) all unit-tests bench-programs fault-layer

# Counters add up: of whatever ran the programs in $(BUILD)/coverage.
coverage-report:
	$(PYTHON) tests/coverage/coverage.py $(BUILD)/coverage --minimum=$(or $(MINIMUM),95)

GUARDS := -DPSCAN_GUARD_PAGES -D_DEFAULT_SOURCE
.PHONY: check-guards
check-guards: all ## scans whose every block of memory lies between pages that may not be touched
	$(MAKE) -j2 BUILD=$(BUILD)/guards $(QUICK_VARIABLES) EXTRA_CFLAGS='$(GUARDS)' all
	BUILD=$(BUILD) PYTHON=$(PYTHON) sh tests/guards.sh

.PHONY: check-valgrind
check-valgrind: all ## the host's tests and some on PoCL under Valgrind, for hours; SHORT=1: a few of them
	BUILD=$(BUILD) PYTHON=$(PYTHON) SHORT=$(SHORT) sh tests/valgrind.sh

check-reproducible: all ## a build in another directory, which must be the same program; SHORT=1: most of it
	BUILD=$(BUILD) SHORT=$(SHORT) sh tests/reproducible.sh

check-compilers: deps-all ## gcc and clang at -O0 to -O3 and with -flto: one sum of all that comes out; JOBS at a time, COMPILERS
	BUILD=$(BUILD) PYTHON=$(PYTHON) JOBS=$(JOBS) COMPILERS='$(COMPILERS)' sh tests/compilers.sh

check-foreign: deps-foreign all ## the host's program for s390x (big-endian) and aarch64, run by qemu, and a static one with musl; SHORT=1: s390x
	BUILD=$(BUILD) PYTHON=$(PYTHON) SHORT=$(SHORT) sh tests/foreign.sh

# Preloaded into ranks, to kill one of them at one of its calls of MPI.
$(BUILD)/fault/mpi_kill.so: tests/fault/mpi_kill.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) -std=c11 -D_XOPEN_SOURCE=700 $(WARNINGS) $(MPI_CFLAGS) -O2 -fPIC -shared -o $@ $<

check-mpi: deps-mpi ## random scans by ranks of MPI beside the single program's, and ranks that are killed; SHORT=1: fewer
	@$(MAKE) --no-print-directory -j2 all mpi $(BUILD)/fault/mpi_kill.so
	@# With sanitizers, too, where check-sanitizers has built what it needs.
	@[ ! -e $(BUILD)/asan/pscan ] || $(MAKE) --no-print-directory -j2 BUILD=$(BUILD)/asan $(ASAN_VARIABLES) mpi
	PSCAN=$(BUILD)/pscan PSCAN_MPI=$(BUILD)/pscan-mpi PYTHON=$(PYTHON) SHORT=$(SHORT) $(ALIVE) sh tests/mpi.sh

ZLIB_TESTS := gzip compressed format data
check-zlib: ## the tests of compressed files on a build with no library for them but zlib
	$(MAKE) -j2 BUILD=$(BUILD)/zlib $(QUICK_VARIABLES) ISAL=no ZSTD=no XZ=no BZIP2=no LZ4=no all $(BUILD)/zlib/unit/gzip_test
	BUILD=$(BUILD)/zlib TESTS='gzip_test $(ZLIB_TESTS:%=tests/cli/%.bats)' sh tests/run.sh

# BENCH_SIZE, BENCH_ROUNDS, BENCH_GROUPS and BENCH_RESULTS change what is measured: see tests/bench/bench.py.
# Peers that bench measures beside; where they cannot be had, their rows are left out.
PEERS := miller isal pigz python3-numba
# Libraries in an environment of their own, made once.
FRAMES := polars duckdb pandas numpy

$(BUILD)/bench/peers/made:
	mkdir -p $(@D)
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/pip install -q --disable-pip-version-check --retries 1 --timeout 20 $(FRAMES)
	touch $@

bench: deps-all ## measure pscan beside its peers; rows and pictures go to tests/bench/results
	@$(MAKE) --no-print-directory -j2 all bench-programs
	-@$(MAKE) --no-print-directory deps PACKAGES='$(PEERS)'
	-@$(MAKE) --no-print-directory $(BUILD)/bench/peers/made
	BUILD=$(BUILD) $(PYTHON) tests/bench/bench.py
	BUILD=$(BUILD) $(PYTHON) tests/bench/cliffs.py

# Fuzz targets, with clang's libFuzzer. The corpus stays in $(BUILD)/fuzz. FUZZ_STATIC=1: programs that run on machines
# without these packages; what has no static library is laid beside them.
FUZZ_SOURCES := $(wildcard tests/fuzz/*_fuzz.c)
FUZZ_FLAGS := -fsanitize=address,undefined -fno-sanitize-recover=all
FUZZ_CC ?= clang
HAS_FUZZER = $(shell echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' | \
	$(FUZZ_CC) -fsanitize=fuzzer -x c -o /dev/null - 2>/dev/null && echo yes)
FUZZ_LIBRARIES := -Wl,--as-needed $(LIBRARIES)
ifdef FUZZ_STATIC
library_file = $(wildcard $(shell $(CC) -print-file-name=$(1) 2>/dev/null))
FUZZ_SHARED := $(if $(call library_file,libisal.a),,$(filter -lisal,$(LIBRARIES))) -lOpenCL
FUZZ_LIBRARIES := -static-libstdc++ -static-libgcc -Wl,--as-needed -Wl,-rpath,'$$ORIGIN' $(FUZZ_SHARED) \
	$(patsubst -l%,-l:lib%.a,$(filter-out $(FUZZ_SHARED) -lm -pthread,$(LIBRARIES))) -lm -pthread
endif

.PHONY: fuzz-programs fuzz-targets fuzz-libraries
fuzz: deps-all fuzz-programs ## fuzz every target for MINUTES (default 1) or SECONDS, JOBS at a time; FUZZ=PATTERN chooses targets
	BUILD=$(BUILD) PYTHON=$(PYTHON) FUZZ_SECONDS=$(or $(SECONDS),$$(($(or $(MINUTES),1) * 60))) JOBS=$(or $(JOBS),1) FUZZ=$(FUZZ) \
		sh tests/fuzz/run.sh

fuzz-programs:
	@if [ "$(HAS_FUZZER)" = yes ]; then \
		$(MAKE) --no-print-directory CC=$(FUZZ_CC) CFLAGS='-O1 -g' SCAN_CFLAGS=-O1 GRID_CFLAGS='-O0 -fno-sanitize=all' BUILD=$(BUILD)/fuzz \
			EXTRA_CFLAGS='-fsanitize=fuzzer-no-link $(FUZZ_FLAGS)' FUZZ_STATIC=$(FUZZ_STATIC) fuzz-targets; \
	else echo "$(FUZZ_CC) has no libFuzzer: the fuzz targets are left out"; fi

fuzz-targets: $(FUZZ_SOURCES:tests/fuzz/%.c=$(BUILD)/%) $(if $(FUZZ_STATIC),fuzz-libraries)

# Of the program's objects only those that a target needs are built into it.
$(BUILD)/%_fuzz: tests/fuzz/%_fuzz.c $(wildcard tests/fuzz/*.h) $(BUILD)/program.a $(BUILD)/flags $(BUILD)/fuzz_libraries
	$(call say,LD,$@)$(COMPILE) -fsanitize=fuzzer -o $@ $< $(BUILD)/program.a $(FUZZ_LIBRARIES)

$(BUILD)/fuzz_libraries: FORCE
	@echo "$(FUZZ_LIBRARIES)" | cmp -s - $@ || echo "$(FUZZ_LIBRARIES)" > $@

# The name that a program asks for stands in the library.
fuzz-libraries:
	@for l in $(FUZZ_SHARED:-l%=lib%.so); do \
		file=$$($(CC) -print-file-name=$$l) && \
		name=$$(objdump -p "$$file" | awk '$$1 == "SONAME" { print $$2 }') && \
		cp -L "$$file" "$(BUILD)/$$name" || exit 1; done

lint: all ## formatters and checkers, which must find nothing
	BUILD=$(BUILD) PYTHON=$(PYTHON) SHORT=$(SHORT) sh tests/lint.sh


install: all installdirs ## install below $(DESTDIR)$(prefix); bindir, mandir, bashcompletiondir and the like say where
	$(INSTALL_PROGRAM) $(BUILD)/pscan $(call quote,$(DESTDIR)$(bindir)/pscan)
	@# (Only where it was built: make mpi.)
	$(if $(wildcard $(BUILD)/pscan-mpi),$(INSTALL_PROGRAM) $(BUILD)/pscan-mpi $(call quote,$(DESTDIR)$(bindir)/pscan-mpi))
	$(INSTALL_DATA) $(filter %.1,$(MANUAL)) $(call quote,$(DESTDIR)$(man1dir))
	$(INSTALL_DATA) $(filter %.7,$(MANUAL)) $(call quote,$(DESTDIR)$(man7dir))
	$(INSTALL_DATA) README.md GUIDE.md $(call quote,$(DESTDIR)$(docdir))
	$(INSTALL_DATA) samples/* $(call quote,$(DESTDIR)$(docdir)/examples)
	$(INSTALL_DATA) $(BUILD)/pscan.bash $(call quote,$(DESTDIR)$(bashcompletiondir)/pscan)
	$(INSTALL_DATA) $(BUILD)/pscan.zsh $(call quote,$(DESTDIR)$(zshcompletiondir)/_pscan)
	$(INSTALL_DATA) $(BUILD)/pscan.fish $(call quote,$(DESTDIR)$(fishcompletiondir)/pscan.fish)

installdirs:
	@mkdir -p $(foreach directory,bindir man1dir man7dir docdir bashcompletiondir zshcompletiondir fishcompletiondir,$(call quote,$(DESTDIR)$($(directory)))) \
		$(call quote,$(DESTDIR)$(docdir)/examples)

install-strip: ## the same without the program's symbols
	@$(MAKE) --no-print-directory INSTALL_PROGRAM=$(call quote,$(INSTALL_PROGRAM) -s) install

uninstall: ## remove what install put there
	rm -f $(call quote,$(DESTDIR)$(bindir)/pscan) $(call quote,$(DESTDIR)$(bindir)/pscan-mpi) \
		$(foreach page,$(filter %.1,$(MANUAL)),$(call quote,$(DESTDIR)$(man1dir)/$(notdir $(page)))) \
		$(foreach page,$(filter %.7,$(MANUAL)),$(call quote,$(DESTDIR)$(man7dir)/$(notdir $(page)))) \
		$(call quote,$(DESTDIR)$(docdir)/README.md) $(call quote,$(DESTDIR)$(docdir)/GUIDE.md) $(call quote,$(DESTDIR)$(bashcompletiondir)/pscan) \
		$(foreach sample,$(wildcard samples/*),$(call quote,$(DESTDIR)$(docdir)/examples/$(notdir $(sample)))) \
		$(call quote,$(DESTDIR)$(zshcompletiondir)/_pscan) $(call quote,$(DESTDIR)$(fishcompletiondir)/pscan.fish)

dist: ## the committed tree, or without git this one, as pscan-VERSION.tar.gz
	BUILD=$(BUILD) sh src/tools/dist.sh pscan-$(VERSION)

deb: ## the Debian packages, source and program, below build/deb (make deps-deb installs what that takes)
	BUILD=$(BUILD) sh src/tools/deb.sh pscan-$(VERSION)

clean: ## remove build/
	rm -rf $(BUILD)

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 22
