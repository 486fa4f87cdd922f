// The switch for headers in C: runtime_stub's.
#include "switch.cpp"

extern "C" int hlocc_mutant_c(int number, int original, int mutated) {
  return hlocc_mutant(number, original != 0, mutated != 0);
}
extern "C" int hlocc_bound_c(int number, int original, int mutated) {
  return hlocc_bound(number, original, mutated);
}
