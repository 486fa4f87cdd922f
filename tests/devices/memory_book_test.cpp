// What a device's memory is given for, and what is refused: each bound and what stands just inside
// of it.
#include "devices/queue/memory_book.h"

#include <catch2/catch.hpp>

#include "devices/count_ops.h"

namespace hlocc::device {
namespace {

std::string refusal(const Status& status) { return status.ok() ? "" : status.error().message; }

TEST_CASE("memory is taken from a space that is there, to its last byte") {
  MemoryBook book({{"fast", 100, 64}, {"slow", 10, 64}});
  for (const int space : {-1, 2})
    CHECK_THAT(refusal(book.reserve(1, space)), Catch::StartsWith("there is no memory space"));
  CHECK(refusal(book.reserve(-1, 0)) == "an allocation of -1 bytes");
  CHECK(refusal(book.reserve(0, 0)).empty());
  CHECK(refusal(book.reserve(101, 0)) ==
        "out of memory: 101 bytes wanted, 100 of 100 left in fast");
  CHECK(refusal(book.reserve(60, 0)).empty());
  CHECK(refusal(book.reserve(41, 0)) == "out of memory: 41 bytes wanted, 40 of 100 left in fast");
  CHECK(refusal(book.reserve(40, 0)).empty());
  CHECK(refusal(book.reserve(10, 1)).empty());
  CHECK(book.allocated() == 110);
  book.give_up(40, 0);
  CHECK(book.allocated() == 70);
}

TEST_CASE("a slice lies within its allocation") {
  MemoryBook book({{"memory", 100, 64}});
  REQUIRE(book.reserve(16, 0).ok());
  book.enter({7, 0, 16, 0});
  const auto is_in = [&](int64_t offset, int64_t bytes) {
    return book.check({7, offset, bytes, 0}).ok();
  };
  CHECK((is_in(0, 16) && is_in(0, 0) && is_in(16, 0) && is_in(15, 1) && is_in(3, 5)));
  CHECK_FALSE((is_in(-1, 4) || is_in(0, -1) || is_in(0, 17) || is_in(16, 1) || is_in(17, 0)));
  CHECK_FALSE(book.check({8, 0, 16, 0}).ok());
}

TEST_CASE("an allocation is given back whole, and when nobody works on it") {
  MemoryBook book({{"memory", 100, 64}});
  REQUIRE(book.reserve(16, 0).ok());
  const DeviceMemory all{7, 0, 16, 0}, half{7, 0, 8, 0}, end{7, 8, 8, 0};
  book.enter(all);
  for (const DeviceMemory& part : {half, end})
    CHECK(refusal(book.remove(part)) == "part of an allocation can't be given back");
  const DeviceMemory both[] = {half, end};
  REQUIRE(book.use(both).ok());
  CHECK_THAT(refusal(book.remove(all)), Catch::Contains("while 2 pieces of work"));
  book.done({&half, 1});
  CHECK_THAT(refusal(book.remove(all)), Catch::Contains("while 1 pieces of work"));
  book.done({&end, 1});
  CHECK(refusal(book.remove(all)).empty());
  CHECK(book.allocated() == 0);
  CHECK_FALSE(book.remove(all).ok());
}

TEST_CASE("what only names or groups values is no computation") {
  using enum hlo::Opcode;
  for (const hlo::Opcode none : {kParameter, kConstant, kTuple, kGetTupleElement})
    CHECK_FALSE(is_computation(none));
  for (const hlo::Opcode one : {kAdd, kIota, kCustomCall, kWhile}) CHECK(is_computation(one));
}

}  // namespace
}  // namespace hlocc::device
