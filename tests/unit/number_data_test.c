/* Floats are read and compared with the known answers of the parse-number-fxx test data. Its lines are "hex16 hex32
 * hex64 text". The hexadecimal numbers are the bits of the right f16 (not used here), f32 and f64.
 *
 * Usage: number_data_test [FILE...]. Without FILE: three files in $PSCAN_DATA_DIR/numbers, which are skipped if
 * PSCAN_DATA_DIR is not set. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number_check.h"

static bool is_finite_literal(const char *text)
{
	return strpbrk(text, "nN") == NULL; /* inf, infinity and nan have one */
}

/* Infinite patterns of finite literals are the contract's error. */
static void expect_row(const char *text, uint32_t narrow_bits, uint64_t wide_bits)
{
	union value v = {.f64 = 42.0};
	union value w = {.f32 = 42.0F};
	const enum number_result wide = parse(text, &type_table[TYPE_F64], &v);
	const enum number_result narrow = parse(text, &type_table[TYPE_F32], &w);
	if (is_finite_literal(text) && isinf(f64_from_bits(wide_bits)))
		EXPECT(wide == NUMBER_RANGE, "f64 %.60s: result %d, not out of range", text, (int)wide);
	else
		EXPECT(wide == NUMBER_OK && f64_bits(v.f64) == wide_bits, "f64 %.60s: %016" PRIx64 ", not %016" PRIx64,
		       text, f64_bits(v.f64), wide_bits);
	if (is_finite_literal(text) && isinf(f32_from_bits(narrow_bits)))
		EXPECT(narrow == NUMBER_RANGE, "f32 %.60s: result %d, not out of range", text, (int)narrow);
	else
		EXPECT(narrow == NUMBER_OK && f32_bits(w.f32) == narrow_bits,
		       "f32 %.60s: %08" PRIx32 ", not %08" PRIx32, text, f32_bits(w.f32), narrow_bits);
}

static void test_file(const char *path)
{
	static char line[4096];
	const char *slash = strrchr(path, '/');
	const char *name = slash == NULL ? path : slash + 1;
	unsigned long rows = 0;
	FILE *file = fopen(path, "r");
	if (file == NULL) {
		CHECK(false, "%s can be opened", path);
		return;
	}
	while (fgets(line, sizeof line, file) != NULL) {
		char *rest;
		line[strcspn(line, "\n")] = '\0';
		(void)strtoul(line, &rest, 16);
		const uint32_t narrow_bits = (uint32_t)strtoul(rest, &rest, 16);
		const uint64_t wide_bits = strtoull(rest, &rest, 16);
		EXPECT(*rest == ' ', "%s is no row", line);
		if (*rest == ' ')
			expect_row(rest + 1, narrow_bits, wide_bits);
		rows++;
	}
	(void)fclose(file);
	check_promise("%s: all %lu literals are read to the known bits, as f64 and as f32", name, rows);
}

int main(int argc, char **argv)
{
	static const char *const names[] = {"google-wuffs", "lemire-fast-float", "tencent-rapidjson"};
	const char *directory = getenv("PSCAN_DATA_DIR");
	char path[4096];
	for (int i = 1; i < argc; i++)
		test_file(argv[i]);
	for (size_t i = 0; i < COUNT_OF(names) && argc <= 1; i++) {
		if (directory == NULL || directory[0] == '\0') {
			(void)snprintf(path, sizeof path, "fxx_%s.txt: all literals are read to the known bits",
				       names[i]);
			check_skip(path, "PSCAN_DATA_DIR is not set");
			continue;
		}
		(void)snprintf(path, sizeof path, "%s/numbers/fxx_%s.txt", directory, names[i]);
		test_file(path);
	}
	return check_done();
}
