// libquell_model: golden models of quell for C and C++ (docs/bindings.md).
// Made of bindings/c/src by `cargo run --example generate`: do not edit.
//
// Functions that give a quell_status have done nothing if it is not QUELL_OK; quell_error() then says why. They may be called from several
// threads; calls for one unit wait for each other.

#ifndef QUELL_MODEL_H
#define QUELL_MODEL_H

#include <stddef.h>
#include <stdint.h>

/**
 * Version of the library that the header is of: an incompatible change is a new major one.
 */
#define QUELL_MODEL_VERSION_MAJOR 0

/**
 * A new function is a new minor one; while the major one is 0, an incompatible change is, too.
 */
#define QUELL_MODEL_VERSION_MINOR 1

/**
 * A repair is a new patch.
 */
#define QUELL_MODEL_VERSION_PATCH 0

/**
 * What a signal is to the unit.
 */
typedef enum quell_group {
  /**
   * An input: port `NAME_i`.
   */
  QUELL_INPUT = 0,
  /**
   * An output: port `NAME_o`.
   */
  QUELL_OUTPUT = 1,
  /**
   * Architectural state: port `st_NAME_o` of quell's RTL.
   */
  QUELL_STATE = 2,
} quell_group;

/**
 * What a call came to.
 */
typedef enum quell_status {
  /**
   * It was done.
   */
  QUELL_OK = 0,
  /**
   * An argument is not legal; nothing was done.
   */
  QUELL_BAD_ARGUMENT = 1,
  /**
   * There is no such unit: it was freed, or never made.
   */
  QUELL_BAD_UNIT = 2,
  /**
   * The golden model itself failed: a fault of quell. The unit is of no more use.
   */
  QUELL_FAILED = 3,
} quell_status;

/**
 * What of a design is compared.
 */
typedef enum quell_strength {
  /**
   * Its outputs.
   */
  QUELL_COMPARE_OUTPUTS = 0,
  /**
   * Its outputs and its architectural state.
   */
  QUELL_COMPARE_STATE = 1,
} quell_strength;

/**
 * A unit that can be made.
 */
typedef struct quell_kind_info {
  /**
   * Its name: `hca-throttle`. Texts of this and the other structures live as long as the program.
   */
  const char *name;
  /**
   * Its RTL module, `hca_throttle`, by which it can be named, too.
   */
  const char *module;
  /**
   * How many parameters it has.
   */
  size_t parameters;
  /**
   * How many named parameter sets.
   */
  size_t builds;
} quell_kind_info;

/**
 * A parameter of a unit.
 */
typedef struct quell_parameter_info {
  /**
   * Its name: `PORTS`.
   */
  const char *name;
  /**
   * Its value in a unit that is made without parameters.
   */
  uint64_t value;
  /**
   * Its least legal value.
   */
  uint64_t least;
  /**
   * Its greatest legal value.
   */
  uint64_t most;
  /**
   * What is legal, in words: `a power of two, 8..16384`. How parameters bind each other is told when a unit is made.
   */
  const char *legal;
} quell_parameter_info;

/**
 * A golden unit, by number; 0 is none.
 */
typedef uint64_t quell_unit;

/**
 * A signal of a unit: `count` elements of `width` bits.
 */
typedef struct quell_signal_info {
  /**
   * Name without suffix: `rx_data`. Lives as long as the program, as do the rules.
   */
  const char *name;
  /**
   * Input, output or state.
   */
  enum quell_group group;
  /**
   * Bits of an element.
   */
  uint32_t width;
  /**
   * Number of elements.
   */
  uint32_t count;
  /**
   * 32-bit words of an element, the lowest first.
   */
  uint32_t words;
  /**
   * First word of element 0 in the words of its group (`quell_set_inputs`, `quell_get_group`).
   */
  uint32_t offset;
  /**
   * Rules that govern it, separated by blanks.
   */
  const char *rules;
} quell_signal_info;

/**
 * Something that must be seen to happen, and how often it did since the unit was made (reset does not clear it).
 */
typedef struct quell_cover_info {
  /**
   * Name, unique within the unit. Lives as long as the program, as do the other texts.
   */
  const char *name;
  /**
   * Rules it belongs to, separated by blanks.
   */
  const char *rules;
  /**
   * What happened, in a line.
   */
  const char *text;
  /**
   * How often.
   */
  uint64_t count;
} quell_cover_info;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The library's version, `MAJOR.MINOR.PATCH`.
 */
const char *quell_model_version(void);

/**
 * Whether a program made with a header of this version can use the library. Pass `QUELL_MODEL_VERSION_MAJOR` and `_MINOR`.
 */
enum quell_status quell_model_compatible(uint32_t major,
                                         uint32_t minor);

/**
 * The text of this thread's last error; it stays until the next one. Empty if there was none.
 */
const char *quell_error(void);

/**
 * How many units can be made.
 */
size_t quell_kinds(void);

/**
 * One of the units that can be made.
 */
enum quell_status quell_kind(size_t index, struct quell_kind_info *out);

/**
 * One of a unit's parameters.
 */
enum quell_status quell_parameter(const char *kind, size_t index, struct quell_parameter_info *out);

/**
 * The name of one of a unit's named parameter sets; null, with an error, if there is none of that index.
 */
const char *quell_build(const char *kind, size_t index);

/**
 * Makes a golden unit: its name (`hca-throttle`), and its parameters: the name of a build (`tiny`), `NAME=VALUE`s separated by blanks, or
 * both; an empty text is the first build. It is reset, in cycle 0, with idle inputs (0; links are up).
 */
enum quell_status quell_unit_new(const char *kind,
                                 const char *parameters,
                                 quell_unit *out);

/**
 * Frees a unit; its number is of no more use. Texts of its reports are gone.
 */
enum quell_status quell_unit_free(quell_unit unit);

/**
 * The value of one of the unit's parameters.
 */
enum quell_status quell_unit_parameter(quell_unit unit, const char *name, uint64_t *out);

/**
 * How many signals the unit has.
 */
enum quell_status quell_signals(quell_unit unit, uint32_t *out);

/**
 * One of the unit's signals.
 */
enum quell_status quell_signal(quell_unit unit, uint32_t signal, struct quell_signal_info *out);

/**
 * The index of a signal, by name with or without `_i` and `_o`.
 */
enum quell_status quell_find(quell_unit unit, const char *name, uint32_t *out);

/**
 * The reset state, as after the RTL's `rst_i`, and cycle 0. Inputs stay as they are; what a design has shown is forgotten.
 */
enum quell_status quell_reset(quell_unit unit);

/**
 * The clock edge that ends the cycle.
 */
enum quell_status quell_step(quell_unit unit);

/**
 * Cycles since reset.
 */
enum quell_status quell_cycle(quell_unit unit, uint64_t *out);

/**
 * Sets an element of an input, by name.
 */
enum quell_status quell_set(quell_unit unit, const char *name, uint32_t element, uint64_t value);

/**
 * An element of a signal in this cycle, by name. One of more than 64 bits is an error: `quell_get_words`.
 */
enum quell_status quell_get(quell_unit unit, const char *name, uint32_t element, uint64_t *out);

/**
 * Sets an element of an input, by the signal's index: `n` words, as many as an element has.
 */
enum quell_status quell_set_words(quell_unit unit,
                                  uint32_t signal,
                                  uint32_t element,
                                  const uint32_t *words,
                                  size_t n);

/**
 * An element of a signal in this cycle, by the signal's index: `n` words, as many as an element has.
 */
enum quell_status quell_get_words(quell_unit unit,
                                  uint32_t signal,
                                  uint32_t element,
                                  uint32_t *words,
                                  size_t n);

/**
 * Sets all inputs at once: `n` words, each signal's elements at its offset.
 */
enum quell_status quell_set_inputs(quell_unit unit, const uint32_t *words, size_t n);

/**
 * How many words a group has.
 */
enum quell_status quell_group_words(quell_unit unit, uint32_t which, size_t *out);

/**
 * All words of a group (`QUELL_OUTPUT`) in this cycle: `n` words, as many as it has.
 */
enum quell_status quell_get_group(quell_unit unit, uint32_t which, uint32_t *words, size_t n);

/**
 * Takes what a design shows in this cycle of an element of an output or state, by name. What was given once is compared in every cycle
 * until the next reset.
 */
enum quell_status quell_see(quell_unit unit,
                            const char *name,
                            uint32_t element,
                            uint64_t value);

/**
 * The same by the signal's index: `n` words, as many as an element has. `unknown` is null, or `n` words in which ones are bits of no known
 * value (x, z), which differ from any.
 */
enum quell_status quell_see_words(quell_unit unit,
                                  uint32_t signal,
                                  uint32_t element,
                                  const uint32_t *words,
                                  const uint32_t *unknown,
                                  size_t n);

/**
 * Compares what the design has shown in this cycle (`QUELL_COMPARE_OUTPUTS`: outputs; `QUELL_COMPARE_STATE`: outputs and state). Writes the
 * number of elements that differ; with any, `quell_report` says which.
 */
enum quell_status quell_check(quell_unit unit,
                              uint32_t how,
                              uint32_t *out);

/**
 * The report of the unit's last difference, as `quell cosim` prints it: cycle, signals, both values, rules, the last inputs. Empty if there
 * was none; null, with an error, if there is no such unit. It stays until the next difference, or until the unit is freed.
 */
const char *quell_report(quell_unit unit);

/**
 * The signals that the design has not shown wholly, and that are therefore not compared, separated by blanks. It stays until the thread's
 * next call of this function; null, with an error, if there is no such unit.
 */
const char *quell_not_compared(quell_unit unit,
                               uint32_t how);

/**
 * How many cover points the unit has.
 */
enum quell_status quell_covers(quell_unit unit, uint32_t *out);

/**
 * One of the unit's cover points.
 */
enum quell_status quell_cover(quell_unit unit, uint32_t index, struct quell_cover_info *out);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* QUELL_MODEL_H */
