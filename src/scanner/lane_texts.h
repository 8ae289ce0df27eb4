/* Texts as elements and results of a lane (gives_text of struct plan_lane). In their place the scan has numbers,
 * uint64_t. A number stays valid until lane_texts_sweep forgets its text. Only files of src/scanner include this.
 *
 * A function that returns a status returns STATUS_SYSTEM after a message if memory is missing, and fails in no other
 * way. */
#ifndef PSCAN_SCANNER_LANE_TEXTS_H
#define PSCAN_SCANNER_LANE_TEXTS_H

#include "scanner/key_scans.h"

/* Frees the texts of a lane. NULL: does nothing. */
void lane_texts_free(struct lane_texts *t);
/* Sets c->keys->kept[lane] to the texts of a lane whose results are texts: at first only its seed, if it has one. The
 * caller ends them with lane_texts_free, also after a failure. */
enum status lane_texts_begin(const struct conductor *c, size_t lane) MUST_CHECK;
/* Returns the number of the seed's text. */
uint64_t lane_texts_seed(void);
/* Copies the texts of the slot's elements, and gives each a new number. Call it before the slot's elements are
 * scanned. */
enum status lane_texts_number(const struct conductor *c, const struct slot *s, size_t lane) MUST_CHECK;
/* Sets elements[i] to the number of the text of the run's element i. If the lane has an order: instead to the number of
 * the greatest or least text of the segment up to element i; of equal ones, the first. */
void lane_texts_get(const struct run_scan *r, uint64_t *elements);
/* Sets the text of a result of the lane, from the number in r->value. The result must not be absent. The text is
 * borrowed until texts are added or forgotten; a seed's text, until conductor_free. */
void lane_texts_result(const struct conductor *c, size_t lane, struct result *r);
/* Replaces the lane's results in the slot, numbers of texts, by indices in column->texts. Texts of earlier slots are
 * added there. */
enum status lane_texts_show(const struct conductor *c, struct slot *s, size_t lane) MUST_CHECK;
/* Whether it is time to mark the texts that scans still have, and to call lane_texts_sweep. */
bool lane_texts_is_full(const struct lane_texts *t);
/* Marks the texts whose numbers occur, least significant byte first, anywhere in these bytes. */
void lane_texts_mark(struct lane_texts *t, const unsigned char *packed, size_t size);
/* Forgets the texts that are not marked, except the seed, and clears the marks. looked: how many bytes lane_texts_mark
 * has looked through since the last sweep. lane_texts_is_full is then false until about `looked` bytes are added, or as
 * many as are left if these are more, but at least until there are 64 KiB. After a failure only lane_texts_free may
 * follow. */
enum status lane_texts_sweep(struct lane_texts *t, size_t looked) MUST_CHECK;
/* Appends all texts to *p, for --state. Failures are recorded in p->failed. */
void lane_texts_pack(struct pack *p, const struct lane_texts *t);
/* Replaces all texts by those that lane_texts_pack has packed. If the bytes are not such texts, u->failed becomes true,
 * without a message and with STATUS_OK. */
enum status lane_texts_unpack(struct unpack *u, struct lane_texts *t) MUST_CHECK;

/* lane_texts_sweep.c */

/* Calls lane_texts_show for the slot's lanes whose results are texts, unless plan->total, and then sweeps the lanes
 * whose texts are full. Before a state is saved, sweeps all of them. Call it once for each slot that was scanned, after
 * the slot was cut off at a misfit. */
enum status lane_texts_accept(struct conductor *c, struct slot *s) MUST_CHECK;

#endif
