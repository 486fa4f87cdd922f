// Where each value of a matrix's file stands: its own line, or its key's where a number is a member
// (driver/matrix/located_json.h).
#include "driver/matrix/located_json.h"

#include <catch2/catch.hpp>

#include "support/require.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// "LINE WHAT; ..." of all values, those inside behind the one that they are in.
std::string lines_of(const LocatedJson& value) {
  std::string out = cat(value.line, " ", value.what(), "; ");
  for (const LocatedJson& item : value.items) out += lines_of(item);
  for (const auto& member : value.members) out += lines_of(member.value);
  return out;
}

std::string lines_of_text(const std::string& text) {
  return lines_of(tests::require(read_located_json(text, "m.json")));
}

TEST_CASE("values have their lines, and numbers that are members those of their keys") {
  CHECK(lines_of_text("\n7 ") == "2 a number; ");
  CHECK(lines_of_text("\n\"x\"") == "2 a string; ");
  CHECK(lines_of_text("{\"a\":\n1,\n\"b\":\n\"x\",\n\"c\":\n[\n1\n,2 ]}") ==
        "1 an object; 1 a number; 4 a string; 6 an array; 8 a number; 8 a number; ");
  CHECK(lines_of_text("[true,\nfalse,\nnull,\n{}]") ==
        "1 an array; 1 true; 2 false; 3 null; 4 an object; ");
}

TEST_CASE("a file may be nested 32 levels deep") {
  const auto is_read = [](size_t levels) {
    return read_located_json(cat(std::string(levels, '['), std::string(levels, ']')), "m.json")
        .ok();
  };
  CHECK(is_read(32));
  CHECK_FALSE(is_read(33));
}

}  // namespace
}  // namespace hlocc::driver
