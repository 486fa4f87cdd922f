// The program of all targets: which of them it is, the name that it is called by says (fuzz_text is
// "text"), so that the compiler is linked once. libFuzzer has main().
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "fuzz/libfuzzer/targets.h"
#include "support/text.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t room);

namespace hlocc::fuzz {
namespace {

struct FuzzTarget {
  std::string_view name;
  void (*run)(Input input);
  size_t (*mutate)(uint8_t* data, size_t size, size_t room, unsigned seed);
  size_t longest;
  int64_t runs;  // read by libfuzz.sh
};
constexpr FuzzTarget targets[] = {
#define HLOCC_FUZZ_TARGET(...) {__VA_ARGS__},
#include "fuzz/libfuzzer/targets.def"
};
const FuzzTarget* chosen = nullptr;

void choose(std::string_view program) {
  const std::string_view name = program.substr(program.find_last_of("/_") + 1);
  for (const FuzzTarget& target : targets)
    if (target.name == name) chosen = &target;
  if (chosen != nullptr) return;
  std::fprintf(stderr, "there is no target '%.*s'\n", int(name.size()), name.data());
  std::exit(2);
}

}  // namespace

size_t mutate_bytes(uint8_t* data, size_t size, size_t room, unsigned) {
  return LLVMFuzzerMutate(data, size, room);
}

void must(bool holds, std::string_view message) {
  if (holds) return;
  std::fprintf(stderr, "a rule is broken: %.*s\n", int(message.size()), message.data());
  std::abort();
}

void must_be_sound(const Diagnostic& diagnostic) {
  must(!diagnostic.message.empty(), "a diagnostic says something");
  must(diagnostic.kind != DiagnosticKind::kInternal, cat("no bug of ours: ", diagnostic.message));
}

}  // namespace hlocc::fuzz

extern "C" int LLVMFuzzerInitialize(int*, char*** arguments) {
  hlocc::fuzz::choose((*arguments)[0]);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size <= hlocc::fuzz::chosen->longest)
    hlocc::fuzz::chosen->run(std::as_bytes(std::span(data, size)));
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t room, unsigned seed) {
  return hlocc::fuzz::chosen->mutate(data, size, std::min(room, hlocc::fuzz::chosen->longest),
                                     seed);
}
