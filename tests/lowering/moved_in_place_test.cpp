// Arrays whose elements move towards their start, as windows and caches do that drop what is oldest
// and take in what is new: the result may lie where the array does, and only then.
#include "lowering/harness.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

// x and n are arguments; `body` ends with ROOT r. How many launches may lie over x.
int in_place(const std::string& x, const std::string& n, const std::string& result,
             const std::string& body) {
  const std::string text =
      cat("HloModule m\nf { x = ", x, " parameter(0)\n n = ", n, " parameter(1)\n", body,
          "\n}\nENTRY e { x = ", x, " parameter(0)\n n = ", n, " parameter(1)\n ROOT f = ", result,
          " fusion(x, n), kind=kLoop, calls=f }");
  INFO(text);
  agrees(text, Passes::kNone);
  int overlaps = 0;
  const kernel::Program program = lowered(module_from(text), machines()[0].target);
  for (const kernel::Step& step : program.steps)
    if (const auto* launch = std::get_if<kernel::Launch>(&step.what))
      overlaps += static_cast<int>(launch->overlaps.size());
  return overlaps;
}

}  // namespace

TEST_CASE("a window that moves on by rows does so in place") {
  for (const std::string type : {"s8", "s16", "f32", "f64"}) {
    INFO(type);
    const std::string window = type + "[1,5,4,3]", rows = type + "[1,2,4,3]";
    CHECK(in_place(window, rows, window,
                   cat(" k = ", type, "[1,3,4,3] slice(x), slice={[0:1],[2:5],[0:4],[0:3]}\n",
                       " ROOT r = ", window, " concatenate(k, n), dimensions={1}")) == 1);
  }
  // Beside as many that the kernel makes, which are written once all have moved.
  CHECK(in_place("s8[8,8]", "s8[4,8]", "s8[8,8]",
                 " k = s8[4,8] slice(x), slice={[2:6],[0:8]}\n m = s8[4,8] negate(n)\n"
                 " ROOT r = s8[8,8] concatenate(k, m), dimensions={0}") == 1);
  // By one element.
  CHECK(in_place("s8[37]", "s8[1]", "s8[37]",
                 " k = s8[36] slice(x), slice={[1:37]}\n"
                 " ROOT r = s8[37] concatenate(k, n), dimensions={0}") == 1);
}

TEST_CASE("a run of an array's elements is taken in place") {
  const std::string array = "s8[1,5,4,3]", unused = "s8[1]";
  CHECK(in_place(array, unused, "s8[1,3,4,3]",
                 " ROOT r = s8[1,3,4,3] slice(x), slice={[0:1],[1:4],[0:4],[0:3]}") == 1);
  CHECK(in_place("s8[37]", unused, "s8[20]", " ROOT r = s8[20] slice(x), slice={[0:20]}") == 1);
  // Columns are no run, nor is every other row.
  CHECK(in_place(array, unused, "s8[1,5,2,3]",
                 " ROOT r = s8[1,5,2,3] slice(x), slice={[0:1],[0:5],[1:3],[0:3]}") == 0);
  CHECK(in_place(array, unused, "s8[1,2,4,3]",
                 " ROOT r = s8[1,2,4,3] slice(x), slice={[0:1],[1:5:2],[0:4],[0:3]}") == 0);
}

TEST_CASE("what does not move towards the start of an array is no window that moves on") {
  const std::string window = "s8[1,5,4,3]", rows = "s8[1,2,4,3]";
  const auto outside = [&](const std::string& body) {
    CHECK(in_place(window, rows, window, body) == 0);
  };
  // Away from the start.
  outside(
      " k = s8[1,3,4,3] slice(x), slice={[0:1],[0:3],[0:4],[0:3]}\n"
      " ROOT r = s8[1,5,4,3] concatenate(n, k), dimensions={1}");
  // Every other row.
  outside(
      " k = s8[1,3,4,3] slice(x), slice={[0:1],[0:5:2],[0:4],[0:3]}\n"
      " ROOT r = s8[1,5,4,3] concatenate(k, n), dimensions={1}");
  // What comes behind is made of the array, too.
  outside(
      " k = s8[1,3,4,3] slice(x), slice={[0:1],[2:5],[0:4],[0:3]}\n"
      " o = s8[1,2,4,3] slice(x), slice={[0:1],[0:2],[0:4],[0:3]}\n"
      " s = s8[1,2,4,3] add(n, o)\n"
      " ROOT r = s8[1,5,4,3] concatenate(k, s), dimensions={1}");
  // Inside of each row of several.
  CHECK(in_place("s8[2,5]", "s8[2,2]", "s8[2,5]",
                 " k = s8[2,3] slice(x), slice={[0:2],[2:5]}\n"
                 " ROOT r = s8[2,5] concatenate(k, n), dimensions={1}") == 0);
  // All of each row of several, and nothing behind it: only an array of one row moves.
  const auto nothing_new = [](const std::string& rows) {
    return in_place(cat("s8[", rows, ",5]"), cat("s8[", rows, ",0]"), cat("s8[", rows, ",5]"),
                    cat(" k = s8[", rows, ",5] slice(x), slice={[0:", rows, "],[0:5]}\n",
                        " ROOT r = s8[", rows, ",5] concatenate(k, n), dimensions={1}"));
  };
  CHECK(nothing_new("1") == 1);
  CHECK(nothing_new("2") == 0);
  CHECK(nothing_new("0") == 0);
  // The result is larger than the array.
  CHECK(in_place("s8[5]", "s8[3]", "s8[6]",
                 " k = s8[3] slice(x), slice={[2:5]}\n"
                 " ROOT r = s8[6] concatenate(k, n), dimensions={0}") == 0);
}

namespace {

// x is an argument, y and z are made of it; r is a fusion of `operands` with that body. The joins.
std::vector<kernel::Join> joins(const std::string& type, const std::string& result,
                                const std::string& operands, const std::string& body) {
  std::string parameters;
  int count = 0;
  for (const std::string& operand : split(operands, ','))
    parameters += cat(" ", operand, " = ", type, " parameter(", count++, ")\n");
  const std::string text =
      cat("HloModule m\nf {\n", parameters, body, "\n}\nENTRY e { x = ", type,
          " parameter(0)\n y = ", type, " negate(x)\n z = ", type, " add(y, x)\n ROOT f = ", result,
          " fusion(", operands, "), kind=kLoop, calls=f }");
  INFO(text);
  agrees(text, Passes::kNone);
  std::vector<kernel::Join> found;
  const kernel::Program program = lowered(module_from(text), machines()[0].target);
  for (const kernel::Step& step : program.steps)
    if (const auto* join = std::get_if<kernel::Join>(&step.what)) found.push_back(*join);
  return found;
}

}  // namespace

TEST_CASE("a fusion of one concatenation or slice of neighbours is a join") {
  const std::string type = "s16[1,5,4,3]";
  const auto whole = joins(type, "s16[1,10,4,3]", "y,z",
                           " ROOT r = s16[1,10,4,3] concatenate(y, z), dimensions={1}");
  REQUIRE(whole.size() == 1);
  CHECK(whole[0].runs.size() == 2);
  CHECK(whole[0].runs[1].offset == 0);
  CHECK(whole[0].runs[1].bytes == 120);
  const auto part = joins(type, "s16[1,3,4,3]", "y",
                          " ROOT r = s16[1,3,4,3] slice(y), slice={[0:1],[2:5],[0:4],[0:3]}");
  REQUIRE(part.size() == 1);
  CHECK(part[0].runs == std::vector<kernel::Join::Run>{{part[0].runs[0].from, 48, 72}});
  // Twice the same, and all of it.
  CHECK(
      joins(type, "s16[1,10,4,3]", "y", " ROOT r = s16[1,10,4,3] concatenate(y, y), dimensions={1}")
          .size() == 1);
  CHECK(joins(type, type, "y", " ROOT r = s16[1,5,4,3] slice(y), slice={[0:1],[0:5],[0:4],[0:3]}")
            .size() == 1);
}

TEST_CASE("what is no run of temporaries' neighbours is a kernel") {
  const std::string type = "s16[1,5,4,3]";
  const auto is_kernel = [&](const std::string& result, const std::string& operands,
                             const std::string& body) {
    CHECK(joins(type, result, operands, cat(" ROOT r = ", result, " ", body)).empty());
  };
  is_kernel("s16[1,5,8,3]", "y,z", "concatenate(y, z), dimensions={2}");
  is_kernel("s16[1,5,2,3]", "y", "slice(y), slice={[0:1],[0:5],[1:3],[0:3]}");
  is_kernel("s16[1,2,4,3]", "y", "slice(y), slice={[0:1],[1:5:2],[0:4],[0:3]}");
  is_kernel("s16[1,0,4,3]", "y", "slice(y), slice={[0:1],[1:1],[0:4],[0:3]}");
  is_kernel("s16[1,3,4,3]", "x", "slice(x), slice={[0:1],[2:5],[0:4],[0:3]}");
  is_kernel("s16[1,10,4,3]", "y,x", "concatenate(y, x), dimensions={1}");
  is_kernel(type, "y", "negate(y)");
  CHECK(joins(type, "s16[1,8,4,3]", "y,z",
              " n = s16[1,3,4,3] slice(y), slice={[0:1],[2:5],[0:4],[0:3]}\n"
              " ROOT r = s16[1,8,4,3] concatenate(n, z), dimensions={1}")
            .empty());
}

}  // namespace hlocc::tests
