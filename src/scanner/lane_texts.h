/* Texts as elements and results of a lane. For the conductor's own files.
 *
 * Functions that return a status have printed a message if it is not STATUS_OK. */
#ifndef PSCAN_SCANNER_LANE_TEXTS_H
#define PSCAN_SCANNER_LANE_TEXTS_H

#include "scanner/key_scans.h"

void lane_texts_free(struct lane_texts *t);
/* Makes the texts of a lane whose results are texts, with its seed. */
enum status lane_texts_begin(const struct conductor *c, size_t lane) MUST_CHECK;
/* Returns the number of the seed's text. */
uint64_t lane_texts_seed(void);
/* Gives the texts of the slot numbers. */
enum status lane_texts_number(const struct conductor *c, const struct slot *s, size_t lane) MUST_CHECK;
/* Sets elements[i] to the number of the text of the run's element i; if the lane has an order, to that of the greatest
 * or least text of its segment up to there, the first of equal ones. */
void lane_texts_take(const struct run_scan *r, uint64_t *elements);
/* Gives a result of the lane that is not absent its text, which is valid until texts are added or forgotten. (A seed
 * is valid as long as the conductor.) */
void lane_texts_result(const struct conductor *c, size_t lane, struct result *r);
/* Makes the lane's results in the slot, numbers of texts, indices in column->texts. */
enum status lane_texts_show(const struct conductor *c, struct slot *s, size_t lane) MUST_CHECK;
/* Whether enough texts were added that it pays to find those that can be forgotten. */
bool lane_texts_is_full(const struct lane_texts *t);
/* Marks the texts whose numbers are among these bytes, least significant byte first. */
void lane_texts_mark(struct lane_texts *t, const unsigned char *packed, size_t size);
/* Forgets the texts that are not marked, and all marks. looked: the bytes that were looked through for marks; about as
 * many bytes of texts are added before it pays to look again. */
enum status lane_texts_sweep(struct lane_texts *t, size_t looked) MUST_CHECK;
/* Packs all texts, for --state, and reads them. */
void lane_texts_pack(struct pack *p, const struct lane_texts *t);
enum status lane_texts_unpack(struct unpack *u, struct lane_texts *t) MUST_CHECK;

/* lane_texts_sweep.c */

/* Call it for each slot that was scanned, after its columns were decoded for the last time. */
enum status lane_texts_accept(struct conductor *c, struct slot *s) MUST_CHECK;

#endif
