// Messages are counted before they become objects.
#include "import/proto/unfolding.h"

#include <catch2/catch.hpp>

#include "import/models.h"
#include "support/budget.h"

namespace hlocc::import {
namespace {

// A message that holds `count` empty ones.
std::vector<std::byte> of_empty(int count, uint32_t number = 4) {
  WireWriter out;
  for (int i = 0; i < count; ++i) out.length_field(number, {});
  return std::move(out).take();
}

}  // namespace

TEST_CASE("messages within messages are counted, texts that are none are not") {
  CHECK(count_messages({}) == 0);
  CHECK(count_messages(of_empty(7)) == 7);
  WireWriter outer;
  outer.length_field(3, of_empty(7));
  outer.length_field(1, as_bytes("a name"));
  outer.varint_field(5, 9);
  CHECK(count_messages(outer.bytes()) == 9);
  CHECK(count_messages(outer.bytes(), 3) == 1);
}

TEST_CASE("a message that unfolds beyond memory is refused by its name, one below is not") {
  const std::vector<std::byte> message = of_empty(1000);
  const auto name = [] { return std::string("the shape of %x"); };
  CHECK(charge_unfolding(message, name));
  Budget small({.memory = 255'999}), enough({.memory = 256'000});
  {
    const BudgetScope scope(&small);
    const Status refused = charge_unfolding(message, name);
    REQUIRE(!refused);
    CHECK(refused.error().kind == DiagnosticKind::kLimit);
    CHECK(refused.error().message ==
          "the shape of %x, as its messages unfold, takes more than the 255999 bytes of memory "
          "that are allowed");
    CHECK(charge_unfolding(message, name, 4));
  }
  const BudgetScope scope(&enough);
  CHECK(charge_unfolding(message, name));
}

TEST_CASE("more messages than any instruction has are refused, whatever the memory") {
  const auto name = [] { return std::string("the shape of %x"); };
  CHECK(charge_unfolding(of_empty(1 << 20), name));
  const Status refused = charge_unfolding(of_empty((1 << 20) + 1), name);
  REQUIRE(!refused);
  CHECK(refused.error().message == "the shape of %x holds more than 1048576 messages");
}

TEST_CASE("a tuple of one tuple twice, and so on, ends when its shape is larger than memory") {
  std::string lines = "t0 = f32[] parameter(0)\n";
  for (int i = 1; i < 31; ++i)
    lines += cat(i == 30 ? "ROOT " : "", "t", i, " = tuple(t", i - 1, ", t", i - 1, ")\n");
  Budget budget({.memory = 1 << 20});
  const BudgetScope scope(&budget);
  const Diagnostic why = error_of(entry_with(lines));
  CHECK(why.kind == DiagnosticKind::kLimit);
  CHECK(why.message.find("the shape of %t") != std::string::npos);
}

TEST_CASE("numbers for elided constants are refused beyond memory") {
  const std::string text = entry_with("ROOT a = f32[1000] constant({...})");
  for (const int64_t memory : {3999, 4000}) {
    Budget budget({.memory = memory});
    const BudgetScope scope(&budget);
    const Result<Imported> read = read_model(as_bytes(text), "test.hlo", Constants::kMayBeElided);
    CHECK(read.ok() == (memory == 4000));
    if (!read) CHECK(read.error().kind == DiagnosticKind::kLimit);
  }
}

}  // namespace hlocc::import
