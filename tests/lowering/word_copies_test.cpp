// Parts of an array that a chip without vectors, but with loads of words at any place, copies by
// words: which are, and that what is copied is right on both sides of each condition.
#include "lowering/harness.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

// The kernels of the module of that entry copy several elements at once. Rows that windows keep are
// slices; other slices are no step of this kind.
bool by_words(const std::string& text, bool rows = false) {
  INFO(text);
  Machine machine = machines()[0];
  if (rows) machine.target.decisions.rows_above = 0;
  const hlo::Module module = module_from(text);
  agrees_on(module, machine, {.exact = true});
  const std::string program = kernel::to_text(lowered(module, machine.target));
  for (const char* type : {"s8x4", "u8x4", "s16x2", "predx4", "s4x4"})
    if (program.find(type) != std::string::npos) return true;
  return false;
}

// x and, behind it, y.
std::string joined(const std::string& type) {
  return cat("x = ", type, "[37] parameter(0)\n y = ", type, "[9] parameter(1)\n ROOT r = ", type,
             "[46] concatenate(x, y), dimensions={0}");
}

// Of an array of those sizes the part of `ranges`, and y behind it in dimension 0.
std::string part_joined(const std::string& from, const std::string& part, const std::string& ranges,
                        const std::string& y, const std::string& result) {
  const std::string parameters =
      cat("x = s8[", from, "] parameter(0)\n y = s8[", y, "] parameter(1)\n");
  return cat("HloModule m\nf { ", parameters, " s = s8[", part, "] slice(x), slice={", ranges,
             "}\n ROOT r = s8[", result, "] concatenate(s, y), dimensions={0} }\nENTRY e { ",
             parameters, " ROOT z = s8[", result, "] fusion(x, y), kind=kLoop, calls=f }");
}

std::string sliced(const std::string& from, const std::string& part, const std::string& ranges) {
  return cat("x = s8[", from, "] parameter(0)\n ROOT r = s8[", part, "] slice(x), slice={", ranges,
             "}");
}

}  // namespace

TEST_CASE("whole parts of narrow numbers are copied by words", "[lowering]") {
  for (const char* type : {"s8", "u8", "s16"}) CHECK(by_words(joined(type)));
  // Truth values and nibbles are no bytes of any value.
  CHECK_FALSE(by_words(joined("pred")));
  CHECK_FALSE(by_words(joined("s4")));
}

TEST_CASE("slices that are runs of an array are copied by words in front of others", "[lowering]") {
  // Rows, whole arrays, rows of the one matrix that there is.
  CHECK(by_words(part_joined("9,8", "5,8", "[3:8],[0:8]", "2,8", "7,8")));
  CHECK(by_words(part_joined("9,8", "9,8", "[0:9],[0:8]", "2,8", "11,8")));
  CHECK(by_words(part_joined("1,9,8", "1,5,8", "[0:1],[3:8],[0:8]", "2,5,8", "3,5,8")));
}

TEST_CASE("rows that windows keep are copied by words", "[lowering]") {
  constexpr bool kRows = true;
  CHECK(by_words(sliced("9,8", "5,8", "[3:8],[0:8]"), kRows));
  CHECK(by_words(sliced("1,9,8", "1,5,8", "[0:1],[3:8],[0:8]"), kRows));
  // Every other row, rows of each of two matrices, columns, columns of some rows.
  CHECK_FALSE(by_words(sliced("9,8", "4,8", "[1:8:2],[0:8]"), kRows));
  CHECK_FALSE(by_words(sliced("2,9,8", "2,5,8", "[0:2],[3:8],[0:8]"), kRows));
  CHECK_FALSE(by_words(sliced("9,8", "9,5", "[0:9],[2:7]"), kRows));
  CHECK_FALSE(by_words(sliced("9,8", "5,5", "[3:8],[2:7]"), kRows));
  // Where no rows are kept, and what is no slice.
  CHECK_FALSE(by_words(sliced("9,8", "5,8", "[3:8],[0:8]")));
  CHECK_FALSE(by_words("x = s8[9,8] parameter(0)\n ROOT r = s8[9,8] negate(x)", kRows));
}

// Two slices of one array, stored by one loop nest.
TEST_CASE("two results are not copied by words", "[lowering]") {
  const std::string body =
      "x = s8[9,8] parameter(0)\n a = s8[5,8] slice(x), slice={[3:8],[0:8]}\n"
      " b = s8[5,8] slice(x), slice={[1:6],[0:8]}\n ROOT r = (s8[5,8], s8[5,8]) tuple(a, b) }\n";
  CHECK_FALSE(by_words(cat("HloModule m\nf { ", body,
                           "ENTRY e { x = s8[9,8] parameter(0)\n ROOT y = (s8[5,8], s8[5,8]) "
                           "fusion(x), kind=kLoop, calls=f }"),
                       true));
}

}  // namespace hlocc::tests
