// Included before every file of a Verilated object: what the RTL prints goes where shim.h or replay.h puts it.
#ifndef QUELL_PRINT_H
#define QUELL_PRINT_H
#ifdef __cplusplus
extern "C"
#endif
__attribute__((format(printf, 1, 2))) int quell_print(const char* format, ...);
#endif
