#!/usr/bin/env bats
# Random inputs through pscan and through an oracle that knows only the definition of the grid: the bytes must be equal.
# On PoCL one row of every family of kernels is tested, with EVERY_ROW=1 all rows.

load helper

# Runs a suite of the differential driver; a mismatch is printed with the command that shows it.
differs_nowhere() { "$PYTHON" "$TOOLS/differential.py" "$@"; }

@test "the oracle's tree is the one that DESIGN.md defines" {
	differs_nowhere definition
}

# --- Every operator and type ---

# bats test_tags=long
@test "every inclusive scan has the grid's bits on the host" {
	differs_nowhere inclusive
}

# bats test_tags=long
@test "every inclusive scan has the grid's bits on PoCL in the CPU shape" {
	differs_nowhere --engine cpu inclusive
}

# bats test_tags=long
@test "every inclusive scan has the grid's bits on PoCL in the GPU shape" {
	differs_nowhere --engine gpu inclusive
}

@test "every exclusive scan is the inclusive one moved one place on the host" {
	differs_nowhere --some exclusive
}

# bats test_tags=long
@test "every exclusive scan of more sizes is the inclusive one moved one place" {
	differs_nowhere exclusive
}

# bats test_tags=long
@test "every exclusive scan is the inclusive one moved one place on PoCL in the CPU shape" {
	differs_nowhere --engine cpu exclusive
}

# bats test_tags=long
@test "every exclusive scan is the inclusive one moved one place on PoCL in the GPU shape" {
	differs_nowhere --engine gpu exclusive
}

# bats test_tags=long
@test "sizes around a run, a tile and a chunk are right on PoCL in the CPU shape" {
	differs_nowhere --engine cpu sizes
}

# bats test_tags=long
@test "sizes around a run, a tile and a chunk are right on PoCL in the GPU shape" {
	differs_nowhere --engine gpu sizes
}

@test "float sums carry from tile to tile in wider arithmetic on the host" {
	differs_nowhere carry
}

# bats test_tags=long
@test "float sums carry from tile to tile in wider arithmetic on PoCL in the CPU shape" {
	differs_nowhere --engine cpu carry
}

# bats test_tags=long
@test "float sums carry from tile to tile in wider arithmetic on PoCL in the GPU shape" {
	differs_nowhere --engine gpu carry
}

@test "running sums of 2^22 positive floats are within 3 ulp, two thirds of them correctly rounded" {
	"$PYTHON" "$TOOLS/sum_accuracy.py" some
}

# bats test_tags=long
@test "so are those of f32 over twelve decades and of uniform f64" {
	"$PYTHON" "$TOOLS/sum_accuracy.py"
}

# --- Types ---

@test "either byte order is read and written" {
	differs_nowhere --some byte-order
}

# bats test_tags=long
@test "both byte orders of no element are read and written" {
	differs_nowhere byte-order
}

@test "elements are converted to any accumulator on the host" {
	differs_nowhere --some accumulators
}

# bats test_tags=long
@test "elements of less than a tile are converted to any accumulator, too" {
	differs_nowhere accumulators
}

# bats test_tags=long
@test "elements are converted to wider and narrower accumulators on PoCL in the CPU shape" {
	differs_nowhere --engine cpu accumulators
}

# bats test_tags=long
@test "elements are converted to wider and narrower accumulators on PoCL in the GPU shape" {
	differs_nowhere --engine gpu accumulators
}

# bats test_tags=long
@test "an element that does not fit the accumulator is named on the host" {
	differs_nowhere unfit
}

# bats test_tags=long
@test "an element that does not fit the accumulator is named on PoCL in the CPU shape" {
	differs_nowhere --engine cpu unfit
}

# bats test_tags=long
@test "an element that does not fit the accumulator is named on PoCL in the GPU shape" {
	differs_nowhere --engine gpu unfit
}

@test "with --overflow=wrap integers are narrowed modulo 2^n" {
	differs_nowhere narrowing-wrap
}

# --- Seed, total, initial ---

# bats test_tags=long
@test "a seed is what the scan starts from on the host" {
	differs_nowhere seed
}

# bats test_tags=long
@test "a seed is what the scan starts from on PoCL in the CPU shape" {
	differs_nowhere --engine cpu seed
}

# bats test_tags=long
@test "a seed is what the scan starts from on PoCL in the GPU shape" {
	differs_nowhere --engine gpu seed
}

# bats test_tags=long
@test "--total is the last inclusive result" {
	differs_nowhere total
}

# bats test_tags=long
@test "--include-initial is the seed or identity and then the inclusive results" {
	differs_nowhere include-initial
}

# --- Overflow ---

@test "a sum that leaves its type is named and all before it is written on the host" {
	differs_nowhere --some overflow-sum
}

# bats test_tags=long
@test "a sum that leaves its type at more places is named" {
	differs_nowhere overflow-sum
}

@test "a product that leaves its type is named and all before it is written on the host" {
	differs_nowhere --some overflow-prod
}

# bats test_tags=long
@test "a product that leaves its type at more places is named" {
	differs_nowhere overflow-prod
}

# bats test_tags=long
@test "a sum that leaves its type is named and all before it is written on PoCL in the CPU shape" {
	differs_nowhere --engine cpu overflow-sum
}

# bats test_tags=long
@test "a sum that leaves its type is named and all before it is written on PoCL in the GPU shape" {
	differs_nowhere --engine gpu overflow-sum
}

# bats test_tags=long
@test "a product that leaves its type is named and all before it is written on PoCL in the CPU shape" {
	differs_nowhere --engine cpu overflow-prod
}

# bats test_tags=long
@test "a product that leaves its type is named and all before it is written on PoCL in the GPU shape" {
	differs_nowhere --engine gpu overflow-prod
}

@test "random sums and products stop where the exact value leaves the type" {
	differs_nowhere --some overflow-random
}

# bats test_tags=long
@test "sums and products of more random elements stop there" {
	differs_nowhere overflow-random
}

@test "the seed counts towards overflow" {
	differs_nowhere --some overflow-seed
}

# bats test_tags=long
@test "the seed counts towards overflow of more elements" {
	differs_nowhere overflow-seed
}

@test "under -e the last element cannot overflow, but with --total it can" {
	differs_nowhere --some overflow-last
}

# bats test_tags=long
@test "under -e the last element cannot overflow at more places" {
	differs_nowhere overflow-last
}

@test "what happens inside the tree is no overflow" {
	differs_nowhere overflow-tree
}

@test "with --overflow=wrap sums and products are taken modulo 2^n" {
	differs_nowhere wrap
}
