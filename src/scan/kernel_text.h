/* The files of kernels/, embedded in the program as bytes. build/kernel_text.c is generated from them. */
#ifndef PSCAN_SCAN_KERNEL_TEXT_H
#define PSCAN_SCAN_KERNEL_TEXT_H

#include <stddef.h>

struct kernel_text {
	const char *name; /* The file's name below kernels/. */
	const unsigned char *text;
	size_t size; /* Bytes of the text. */
};

/* The files in the order in which they follow each other in a program. A program includes one operator's file. */
extern const struct kernel_text kernel_texts[];
extern const size_t kernel_text_count;

/* The folder of the operators' texts in kernels/. */
#define KERNEL_LIBRARY "library/"

#endif
