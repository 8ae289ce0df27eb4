# pscan: prefix scans of numeric streams. `make help` lists the targets.

CC ?= cc
CFLAGS ?= -O2 -g
PREFIX ?= /usr/local
DESTDIR ?=
BUILD ?= build
PYTHON ?= python3

ifeq ($(origin CC),default)
CC := gcc
endif

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes -Wmissing-prototypes \
	-Wcast-qual -Wwrite-strings -Wundef -Wvla -Wformat=2 -Wswitch-enum -Wdouble-promotion -Wnull-dereference
# No contraction into fused operations: the bits are part of the contract.
REQUIRED_CFLAGS := -std=c11 -D_XOPEN_SOURCE=700 -DZLIB_CONST -ffp-contract=off -pthread $(WARNINGS) $(EXTRA_CFLAGS)
INCLUDES := -Isrc -Ikernels -I$(BUILD)
LIBRARIES := -lOpenCL -lz -lm -pthread

SOURCES := $(filter-out src/main.c,$(wildcard src/*.c))
OBJECTS := $(SOURCES:src/%.c=$(BUILD)/%.o) $(BUILD)/kernel_text.o
# The order makes up a program.
KERNELS := kernels/types.h kernels/operators.h kernels/tile.h kernels/scan.cl
VERSION := $(shell sed -n 's/.*PSCAN_VERSION "\(.*\)"/\1/p' src/version.h)

.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: all

all: $(BUILD)/pscan ## build build/pscan (default)

$(BUILD)/pscan: $(BUILD)/main.o $(OBJECTS)
	$(CC) $(CFLAGS) $(EXTRA_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBRARIES)

$(BUILD)/%.o: src/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(REQUIRED_CFLAGS) $(INCLUDES) $(CFLAGS) -MMD -MP -c -o $@ $<

# The scan's own loops are worth more than -O2.
$(BUILD)/host_rows_plain.o $(BUILD)/host_rows_checked.o $(BUILD)/convert.o: CFLAGS += -O3

$(BUILD)/kernel_text.o: $(BUILD)/kernel_text.c
	$(CC) $(REQUIRED_CFLAGS) $(INCLUDES) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/kernel_text.c: $(KERNELS) src/tools/embed.sh
	@mkdir -p $(@D)
	sh src/tools/embed.sh $(KERNELS) > $@

$(BUILD)/powers.o: $(BUILD)/powers.inc

$(BUILD)/powers.inc: $(BUILD)/make_powers
	$(BUILD)/make_powers > $@

$(BUILD)/make_powers: src/tools/make_powers.c
	@mkdir -p $(@D)
	$(CC) -std=c11 -O1 $(WARNINGS) -o $@ $<

# Objects depend on the compiler and its flags, so a change of either builds anew.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(REQUIRED_CFLAGS) $(CFLAGS) $(LDFLAGS)' | cmp -s - $@ || echo '$(CC) $(REQUIRED_CFLAGS) $(CFLAGS) $(LDFLAGS)' > $@
.PHONY: FORCE
FORCE:

-include $(wildcard $(BUILD)/*.d)
