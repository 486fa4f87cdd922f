// Constants, names and lines of the C that is written.
#include "backends/c/c_text.h"

#include <catch2/catch.hpp>
#include <limits>

#include "kernel/evaluate/scalar_math.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using kernel::Scalar;

std::string text_of(Scalar scalar, double value) {
  return constant_text(scalar, kernel::bits_of_double(scalar, value)).text;
}
std::string integer(Scalar scalar, int64_t value) {
  return constant_text(scalar, kernel::bits_of_int(scalar, value)).text;
}

TEST_CASE("floats are exact: hexadecimal, or whole numbers") {
  CHECK(text_of(Scalar::kF32, 0.1) == "0x1.99999ap-4f");
  CHECK(text_of(Scalar::kF64, 0.1) == "0x1.999999999999ap-4");
  CHECK(text_of(Scalar::kF32, 3) == "3.0f");
  CHECK(text_of(Scalar::kF32, -0.0) == "-0.0f");
  CHECK(text_of(Scalar::kF32, 1e6) == "0x1.e848p+19f");
  CHECK(text_of(Scalar::kF32, std::numeric_limits<double>::infinity()).empty());
  CHECK(text_of(Scalar::kF64, std::numeric_limits<double>::quiet_NaN()).empty());
}

TEST_CASE("integers fit an int of 16 bits or say their width") {
  CHECK(integer(Scalar::kS32, -32767) == "-32767");
  CHECK(integer(Scalar::kS32, 32768) == "INT32_C(32768)");
  CHECK(integer(Scalar::kS32, INT32_MIN) == "INT32_MIN");
  CHECK(integer(Scalar::kS64, INT64_MIN) == "INT64_MIN");
  CHECK(integer(Scalar::kU32, 65535) == "65535u");
  CHECK(integer(Scalar::kU32, 65536) == "UINT32_C(0x10000)");
  CHECK(integer(Scalar::kS8, -128) == "-128");
  CHECK(index_text(32768) == "32768L");
}

TEST_CASE("each bound of a form, and what stands just outside of it") {
  const std::pair<int64_t, const char*> words[] = {
      {32767, "32767"}, {-32767, "-32767"}, {32768, "INT32_C(32768)"}, {-32768, "-INT32_C(32768)"},
      {0, "0"},         {-1, "-1"}};
  for (const auto& [value, text] : words) CHECK(integer(Scalar::kS32, value) == text);
  CHECK(integer(Scalar::kS16, -32768) == "-32768");
  CHECK(integer(Scalar::kU16, 65535) == "65535");
  CHECK(integer(Scalar::kU8, 255) == "255");
  const std::pair<int64_t, const char*> indexes[] = {{32767, "32767"},
                                                     {-32767, "-32767"},
                                                     {-32768, "-32768L"},
                                                     {2147483647, "2147483647L"},
                                                     {2147483648, "2147483648LL"},
                                                     {-2147483647, "-2147483647L"},
                                                     {-2147483648, "-2147483648LL"}};
  for (const auto& [value, text] : indexes) CHECK(index_text(value) == text);
  // What is less than nothing is put in brackets behind an operator.
  for (const Scalar scalar : {Scalar::kS32, Scalar::kIndex})
    for (const int64_t value : {-1, 0, 1})
      CHECK((constant_text(scalar, kernel::bits_of_int(scalar, value)).binds == Binds::kUnary) ==
            (value < 0));
  CHECK_FALSE((is_narrow(Scalar::kPred) || is_narrow(Scalar::kIndex) || is_narrow(Scalar::kS32)));
  CHECK((is_narrow(Scalar::kU8) && is_narrow(Scalar::kS16)));
  CHECK(type_suffix(Scalar::kPred) == "pred");
}

TEST_CASE("letters behind an at sign are filled in") {
  const auto twice = [](char letter) { return std::string(2, letter); };
  CHECK(filled("@T a@B;", twice) == "TT aBB;");
  CHECK(filled("a T", twice) == "a T");
  CHECK(filled("", twice).empty());
}

TEST_CASE("names are C's, and none of those that the file uses") {
  CHECK(safe_name("x") == "x");
  CHECK(safe_name("%dot.3") == "b__dot_3");
  CHECK(safe_name("v12") == "b_v12");
  CHECK(safe_name("vx") == "vx");
  for (const char* own : {"v1a", "v1/", "v:", "v", "w1", "h_l"})
    CHECK(safe_name(own) == to_c_identifier(own));
  for (const char* taken :
       {"i", "l", "for", "float", "arena", "hl_f32", "HL_LANES", "v0", "v9", "v90", "_x"})
    CHECK(safe_name(taken) == std::string("b_") + taken);
}

TEST_CASE("lines are cut at blanks") {
  const std::string line = "  y[i] = " + std::string(100, 'a') + " + " + std::string(60, 'b') + ";";
  CHECK(wrapped(line) ==
        "  y[i] = " + std::string(100, 'a') + " +\n      " + std::string(60, 'b') + ";\n");
  CHECK(wrapped("short\n\nlines\n") == "short\n\nlines\n");
  // Where there is no blank but those in front there is no cut.
  for (const char* front : {"", "  ", "    "}) {
    const std::string whole = front + std::string(160, 'a') + "\n";
    CHECK(wrapped(whole) == whole);
  }
  // Nor at a blank with which what is left begins.
  const std::string head(120, 'a'), tail(130, 'b');
  CHECK(wrapped(head + "  " + tail + "\n") == head + "\n     " + tail + "\n");
  CHECK(wrapped("  " + std::string(160, 'a') + " b\n") == "  " + std::string(160, 'a') + " b\n");
}

}  // namespace
}  // namespace hlocc::backends
