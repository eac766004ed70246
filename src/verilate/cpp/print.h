// Included before every file of the Verilated library: what the RTL prints goes to the model's message buffer.
#ifndef QUELL_PRINT_H
#define QUELL_PRINT_H
#ifdef __cplusplus
extern "C"
#endif
__attribute__((format(printf, 1, 2))) int quell_print(const char* format, ...);
#endif
