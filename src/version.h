/* The program's version. */
#ifndef PSCAN_VERSION_H
#define PSCAN_VERSION_H
#define PSCAN_VERSION "0.1.0"
#endif
