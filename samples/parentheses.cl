/* How deep each byte of a text stands in parentheses, and how many were closed up to there that were not open.
 *
 *     pscan --format=binary --output-format=text --total -op @parentheses.cl FILE
 *
 * says 0 0 of a text that is balanced. A part of a text closes some parentheses that it has not opened, and leaves some open;
 * what one part leaves open the next one may close. */
typedef struct {
	uint closed, open;
} state;

typedef struct {
	uint depth, unmatched;
} place;

state lift(uchar byte)
{
	state s = {byte == ')', byte == '('};
	return s;
}

state combine(state earlier, state later)
{
	uint met = min(earlier.open, later.closed);
	state s = {earlier.closed + later.closed - met, earlier.open + later.open - met};
	return s;
}

place emit(state s)
{
	place p = {s.open, s.closed};
	return p;
}

state identity(void)
{
	state s = {0, 0};
	return s;
}
