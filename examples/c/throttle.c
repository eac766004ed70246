// Drives a golden throttle from C: two flows want to send, one of them is told of congestion. Beside it a design is compared in every cycle;
// here a second golden unit stands for it, which with the argument "bug" does not see the notifications.
//
//   cargo build --release --no-default-features -p quell-model
//   cc -Ibindings/c/include examples/c/throttle.c target/release/libquell_model.a -lpthread -ldl -lm -o throttle && ./throttle
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quell_model.h"

// Ends the program if a call did nothing, and says why.
static void must(quell_status status) {
  if (status != QUELL_OK) {
    fprintf(stderr, "%s\n", quell_error());
    exit(2);
  }
}

static uint64_t get(quell_unit unit, const char *name) {
  uint64_t value = 0;
  must(quell_get(unit, name, 0, &value));
  return value;
}

int main(int argc, char **argv) {
  const int bug = argc > 1 && strcmp(argv[1], "bug") == 0;
  must(quell_model_compatible(QUELL_MODEL_VERSION_MAJOR, QUELL_MODEL_VERSION_MINOR));
  printf("libquell_model %s\n", quell_model_version());

  for (size_t i = 0; i < quell_kinds(); i++) {
    quell_kind_info kind;
    must(quell_kind(i, &kind));
    printf("%s (%s): %zu parameters, %zu builds", kind.name, kind.module, kind.parameters, kind.builds);
    if (kind.parameters > 0) {
      quell_parameter_info first;
      must(quell_parameter(kind.name, 0, &first));
      printf(", %s = %" PRIu64 " (legal: %s)", first.name, first.value, first.legal);
    }
    printf("\n");
  }

  quell_unit golden, design;
  must(quell_unit_new("hca-throttle", "tiny FLOWS=6", &golden));
  must(quell_unit_new("hca-throttle", "tiny FLOWS=6", &design));
  uint32_t signals;
  must(quell_signals(golden, &signals));

  // Every SL may send; flows 1 and 3 have packets. An offer is taken at once, a packet has 4 flits.
  const quell_unit both[] = {golden, design};
  for (int i = 0; i < 2; i++) {
    must(quell_set(both[i], "sl_ok", 0, 0xffff));
    must(quell_set(both[i], "req", 0, 1u << 1 | 1u << 3));
    must(quell_set(both[i], "inj_len", 0, 4));
  }

  int sends = 0;
  for (int cycle = 0; cycle < 400; cycle++) {
    // Registers and the table are written when the unit is ready: CTRL.enable, CCTI_INCREASE, CCTI_LIMIT and a table of growing delays.
    static const struct { const char *port; uint64_t address, value; } writes[] = {
        {"cfg", 0, 1}, {"cfg", 1, 1}, {"cfg", 2, 7}, {"cct", 1, 20}, {"cct", 2, 40}};
    static int written = 0;
    const int ready = get(golden, "ready") == 1;
    const int write = ready && written < 5;
    const int offered = get(golden, "inj_valid") == 1;
    const int becn = ready && cycle % 50 == 49;
    for (int i = 0; i < 2; i++) {
      must(quell_set(both[i], "cfg_we", 0, 0));
      must(quell_set(both[i], "cct_we", 0, 0));
      if (write) {
        const int table = strcmp(writes[written].port, "cct") == 0;
        must(quell_set(both[i], table ? "cct_we" : "cfg_we", 0, 1));
        must(quell_set(both[i], table ? "cct_addr" : "cfg_addr", 0, writes[written].address));
        must(quell_set(both[i], table ? "cct_data" : "cfg_data", 0, writes[written].value));
      }
      must(quell_set(both[i], "becn_valid", 0, becn && !(bug && both[i] == design)));
      must(quell_set(both[i], "becn_flow", 0, 1));
      must(quell_set(both[i], "inj_ready", 0, offered));
    }
    if (write) written++;
    if (offered && ++sends <= 5) printf("cycle %d: flow %" PRIu64 " sends\n", cycle, get(golden, "inj_flow"));

    // What the design shows: its outputs and its state.
    for (uint32_t s = 0; s < signals; s++) {
      quell_signal_info info;
      must(quell_signal(golden, s, &info));
      uint32_t words[16];
      if (info.group == QUELL_INPUT || info.words > 16) continue;
      for (uint32_t e = 0; e < info.count; e++) {
        must(quell_get_words(design, s, e, words, info.words));
        must(quell_see_words(golden, s, e, words, NULL, info.words));
      }
    }
    uint32_t differences;
    must(quell_check(golden, QUELL_COMPARE_STATE, &differences));
    if (differences > 0) {
      printf("%s", quell_report(golden));
      return 1;
    }
    must(quell_step(golden));
    must(quell_step(design));
  }

  uint32_t covers, hit = 0;
  must(quell_covers(golden, &covers));
  for (uint32_t i = 0; i < covers; i++) {
    quell_cover_info point;
    must(quell_cover(golden, i, &point));
    hit += point.count > 0;
  }
  printf("equal in every cycle; %d packets, %" PRIu32 " of %" PRIu32 " cover points hit\n", sends, hit, covers);
  must(quell_unit_free(golden));
  must(quell_unit_free(design));
  return 0;
}
