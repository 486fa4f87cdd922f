// Seeded damage: whatever happens to the bytes of a module, reading ends in a module or in a
// diagnostic.
#include <random>

#include "import/models.h"
#include "ops/check/verifier.h"

namespace hlocc::import {
namespace {

constexpr int kMutations = 500;

std::string damage(std::string bytes, std::mt19937& random) {
  const auto pick = [&](size_t below) { return static_cast<size_t>(random() % below); };
  for (size_t edits = 1 + pick(4); edits > 0 && !bytes.empty(); --edits) {
    const size_t at = pick(bytes.size());
    switch (pick(5)) {
      case 0: bytes[at] = static_cast<char>(random()); break;
      case 1: bytes[at] = static_cast<char>(bytes[at] ^ (1 << pick(8))); break;
      case 2: bytes.erase(at, 1 + pick(8)); break;
      case 3: bytes.insert(at, bytes.substr(pick(bytes.size()), pick(32))); break;
      case 4: bytes.resize(at); break;
    }
  }
  return bytes;
}

int survivors(const std::string& bytes) {
  std::mt19937 random(20260731);
  int read = 0;
  for (int i = 0; i < kMutations; ++i) {
    const std::string damaged = damage(bytes, random);
    const Result<Imported> imported = read_model(as_bytes(damaged), "damaged");
    if (!imported) {
      CHECK(!imported.error().message.empty());
      continue;
    }
    ++read;
    // What was read can be verified and, if sound, printed.
    if (ops::verify(imported->module)) CHECK(!ops::to_text(imported->module).empty());
  }
  return read;
}

}  // namespace

TEST_CASE("damaged protos never crash the reader") {
  const std::vector<std::byte> bytes = write_module(module_from(kShowcase));
  CHECK(survivors(std::string(as_text(bytes))) < kMutations);
}

TEST_CASE("damaged text never crashes the reader") {
  CHECK(survivors(std::string(kShowcase)) < kMutations);
}

}  // namespace hlocc::import
