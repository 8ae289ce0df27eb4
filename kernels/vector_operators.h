/* The first seven operators for vector code, whose lanes are the elements or their sorting keys (library/): */
#ifndef PSCAN_KERNELS_VECTOR_OPERATORS_H
#define PSCAN_KERNELS_VECTOR_OPERATORS_H

/* combine as an expression, of vectors. NOTHING stands where there is nothing: a value that changes none that it is
 * combined with (but for the bits of a NaN). T is the type that is combined. */
#define COMBINE_sum(a, b) ((a) + (b))
#define COMBINE_prod(a, b) ((a) * (b))
#define COMBINE_max(a, b) ((a) < (b) ? (b) : (a))
#define COMBINE_min(a, b) ((b) < (a) ? (b) : (a))
#define COMBINE_and(a, b) ((a) & (b))
#define COMBINE_or(a, b) ((a) | (b))
#define COMBINE_xor(a, b) ((a) ^ (b))
#define NOTHING_sum(T) ((T)-0.0f)
#define NOTHING_prod(T) ((T)1)
#define NOTHING_max(T) LEAST_INTEGER(T)
#define NOTHING_min(T) ((T)~LEAST_INTEGER(T))
#define NOTHING_and(T) ((T)~(T)0)
#define NOTHING_or(T) ((T)0)
#define NOTHING_xor(T) ((T)0)
#define LEAST_INTEGER(T) ((T)-1 > (T)0 ? (T)0 : (T)((u64)1 << (8u * sizeof(T) - 1u)))

#endif
