/* Bad input, and what is said of it: a line for each call, the status and the error. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quell_model.h"

static int bad = 0;

/* The call must come to `status`, and the error begin with `text`. */
#define SAYS(call, wanted, text)                                                            \
  do {                                                                                      \
    const int got = (int)(call);                                                            \
    if (got != (int)(wanted) || strncmp(quell_error(), text, strlen(text)) != 0) {          \
      printf("%d: " #call ": %d, %s\n", __LINE__, got, quell_error());                      \
      bad = 1;                                                                              \
    }                                                                                       \
  } while (0)
#define DOES(call)                                                                          \
  do {                                                                                      \
    if ((call) != QUELL_OK) {                                                               \
      printf("%d: " #call ": %s\n", __LINE__, quell_error());                               \
      bad = 1;                                                                              \
    }                                                                                       \
  } while (0)

int main(void) {
  quell_unit u = 7, v = 0;
  uint32_t n = 0, words[64] = {0};
  uint64_t value = 0;
  size_t size = 0;
  char text[80];
  quell_kind_info kind;
  quell_parameter_info parameter;
  quell_signal_info signal;
  quell_cover_info cover;

  if (strcmp(quell_error(), "") != 0) bad = 1;
  SAYS(quell_model_compatible(QUELL_MODEL_VERSION_MAJOR + 1, 0), QUELL_BAD_ARGUMENT, "the program was made for version ");
  SAYS(quell_model_compatible(QUELL_MODEL_VERSION_MAJOR, QUELL_MODEL_VERSION_MINOR + 1), QUELL_BAD_ARGUMENT, "the program was made");
  snprintf(text, sizeof text, "index %zu is out of range: legal is 0..%zu", quell_kinds(), quell_kinds() - 1);
  SAYS(quell_kind(quell_kinds(), &kind), QUELL_BAD_ARGUMENT, text);
  SAYS(quell_kind(0, NULL), QUELL_BAD_ARGUMENT, "out is a null pointer");
  SAYS(quell_parameter("hub", 0, &parameter), QUELL_BAD_ARGUMENT, "there is no unit hub: legal are input-port, ");
  SAYS(quell_parameter("switch", 99, &parameter), QUELL_BAD_ARGUMENT, "index 99 of a parameter of switch is out of range: legal is 0..25");
  SAYS(quell_build("switch", 99) != NULL, 0, "index 99 of a build of switch is out of range: legal is 0..");
  SAYS(quell_build(NULL, 0) != NULL, 0, "kind is a null pointer");
  DOES(quell_parameter("hca_throttle", 3, &parameter));
  if (strcmp(parameter.name, "CCT") || strcmp(parameter.legal, "a power of two, 8..16384") || parameter.least != 8) bad = 1;

  /* Units that cannot be made; `u` is then none. */
  SAYS(quell_unit_new("hub", "", &u), QUELL_BAD_ARGUMENT, "there is no unit hub: legal are ");
  if (u != 0) bad = 1;
  SAYS(quell_unit_new(NULL, "", &u), QUELL_BAD_ARGUMENT, "kind is a null pointer");
  SAYS(quell_unit_new("switch", NULL, &u), QUELL_BAD_ARGUMENT, "parameters is a null pointer");
  SAYS(quell_unit_new("switch", "", NULL), QUELL_BAD_ARGUMENT, "out is a null pointer");
  SAYS(quell_unit_new("switch", "\xff", &u), QUELL_BAD_ARGUMENT, "parameters is not UTF-8");
  SAYS(quell_unit_new("switch", "", (quell_unit *)((char *)words + 1)), QUELL_BAD_ARGUMENT, "out is not aligned to 8 bytes");
  SAYS(quell_unit_new("switch", "huge", &u), QUELL_BAD_ARGUMENT, "switch has no build huge: there are voq8, ");
  SAYS(quell_unit_new("switch", "PORTS=65", &u), QUELL_BAD_ARGUMENT, "switch: parameter PORTS = 65 is out of range: legal is 1..64");
  SAYS(quell_unit_new("switch", "FLOWS=3", &u), QUELL_BAD_ARGUMENT, "switch: FLOWS=3: switch has no parameter FLOWS: there are PORTS, ");
  SAYS(quell_unit_new("switch", "PORTS=-1", &u), QUELL_BAD_ARGUMENT, "switch: PORTS=-1: -1 is not a whole number");

  /* Units that are not there. */
  SAYS(quell_step(0), QUELL_BAD_UNIT, "unit 0 is none");
  SAYS(quell_step(12345), QUELL_BAD_UNIT, "unit 12345 was never made");
  DOES(quell_unit_new("input-port", "tiny", &u));
  DOES(quell_unit_new("output-port", "tiny", &v));
  DOES(quell_unit_free(v));
  SAYS(quell_step(v), QUELL_BAD_UNIT, "unit 2 was freed");
  SAYS(quell_unit_free(v), QUELL_BAD_UNIT, "unit 2 was freed");
  SAYS(quell_report(v) != NULL, 0, "unit 2 was freed");
  SAYS(quell_get(v, "ready", 0, &value), QUELL_BAD_UNIT, "unit 2 was freed");

  /* Signals. */
  DOES(quell_unit_parameter(u, "PORTS", &value));
  if (value != 3) bad = 1;
  SAYS(quell_unit_parameter(u, "FLOWS", &value), QUELL_BAD_ARGUMENT, "input-port tiny has no parameter FLOWS: there are PORTS, ");
  DOES(quell_signals(u, &n));
  SAYS(quell_signal(u, n, &signal), QUELL_BAD_ARGUMENT, "input-port tiny: signal ");
  SAYS(quell_signal(u, 0, NULL), QUELL_BAD_ARGUMENT, "out is a null pointer");
  SAYS(quell_find(u, "rx_dat", &n), QUELL_BAD_ARGUMENT, "input-port tiny has no signal rx_dat: is it rx_data? There are ");
  SAYS(quell_find(u, NULL, &n), QUELL_BAD_ARGUMENT, "name is a null pointer");
  SAYS(quell_set(u, "grant", 6, 1), QUELL_BAD_ARGUMENT, "grant: element 6 is out of range: legal is 0..5");
  SAYS(quell_set(u, "fctbs", 0, 0x1000), QUELL_BAD_ARGUMENT, "fctbs: 0x1000 is out of range: an element has 12 bits, legal is 0..0xfff");
  SAYS(quell_set(u, "ready", 0, 1), QUELL_BAD_ARGUMENT, "ready is an output: only inputs can be set");
  SAYS(quell_get(u, "rx_data", 0, &value), QUELL_BAD_ARGUMENT, "rx_data has 8 words, more than a value of 64 bits");
  SAYS(quell_get(u, "ready", 0, NULL), QUELL_BAD_ARGUMENT, "out is a null pointer");
  DOES(quell_find(u, "rx_data_i", &n));
  DOES(quell_signal(u, n, &signal));
  if (strcmp(signal.name, "rx_data") || signal.words != 8 || signal.width != 256 || signal.group != QUELL_INPUT) bad = 1;
  SAYS(quell_set_words(u, n, 0, words, 7), QUELL_BAD_ARGUMENT, "rx_data: 7 words are given, and an element of 256 bits has 8");
  SAYS(quell_set_words(u, n, 0, NULL, 8), QUELL_BAD_ARGUMENT, "words is a null pointer");
  SAYS(quell_set_words(u, n, 0, words, (size_t)-1), QUELL_BAD_ARGUMENT, "words: 18446744073709551615 words are more than there can be");
  SAYS(quell_get_words(u, n, 0, words, 64), QUELL_BAD_ARGUMENT, "words: 64 words are wanted, and there are 8");
  words[7] = 0xdeadbeef;
  DOES(quell_set_words(u, n, 0, words, 8));
  words[7] = 0;
  DOES(quell_get_words(u, n, 0, words, 8));
  if (words[7] != 0xdeadbeef) bad = 1;
  SAYS(quell_group_words(u, 3, &size), QUELL_BAD_ARGUMENT, "group 3 is none: legal are QUELL_INPUT 0");
  DOES(quell_group_words(u, QUELL_OUTPUT, &size));
  SAYS(quell_get_group(u, QUELL_OUTPUT, words, 1), QUELL_BAD_ARGUMENT, "words: 1 words are wanted, and there are ");
  SAYS(quell_set_inputs(u, words, 1), QUELL_BAD_ARGUMENT, "inputs: 1 words are given, and ");

  /* The comparison. */
  SAYS(quell_check(u, QUELL_COMPARE_OUTPUTS, &n), QUELL_BAD_ARGUMENT, "input-port tiny: the design has shown nothing that could be compared");
  SAYS(quell_check(u, 2, &n), QUELL_BAD_ARGUMENT, "strength 2 is none: legal are QUELL_COMPARE_OUTPUTS 0");
  SAYS(quell_see(u, "grant", 0, 1), QUELL_BAD_ARGUMENT, "grant is an input: outputs and state are compared");
  DOES(quell_see(u, "ready", 0, 0));
  SAYS(quell_check(u, QUELL_COMPARE_STATE, &n), QUELL_BAD_ARGUMENT, "input-port tiny: the design has shown no state: compare outputs");
  DOES(quell_check(u, QUELL_COMPARE_OUTPUTS, &n));
  if (n != 0 || strcmp(quell_report(u), "") != 0) bad = 1;
  DOES(quell_see(u, "ready", 0, 1));
  DOES(quell_check(u, QUELL_COMPARE_OUTPUTS, &n));
  if (n != 1 || strstr(quell_report(u), "output ready, rules R1\n    RTL 1, golden 0, differing bits 1\n") == NULL) bad = 1;
  if (strncmp(quell_not_compared(u, QUELL_COMPARE_OUTPUTS), "req_valid req_len ", 18) != 0) bad = 1;
  SAYS(quell_not_compared(u, 9) != NULL, 0, "strength 9 is none");
  SAYS(quell_cover(u, 9999, &cover), QUELL_BAD_ARGUMENT, "index 9999 of a cover point is out of range: there are ");
  DOES(quell_cycle(u, &value));
  DOES(quell_step(u));
  DOES(quell_reset(u));
  DOES(quell_unit_free(u));
  printf("%s\n", bad ? "something was not as it should be" : "all is told");
  return bad;
}
