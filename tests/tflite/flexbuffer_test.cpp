// FlexBuffers as their builder writes them, and cut at every byte.
#include "import/tflite/flexbuffer.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace hlocc {
namespace {

using import::tflite::FlexValue;

// flatbuffers.flexbuffers.Builder's bytes of {a: -300, b: 2^40, c: 1.5, d: true, h: "x", n: null}
// and, behind offsets, {e: -70000, f: 200, g: 2.5}.
constexpr const char* kMap =
    "61006200630064006500000090eefeff6600c867000000000000204068000178006e00092423222120"
    "19170f0b0000000c0000000000000001000000000000000900000000000000d4feffffffffffff0000"
    "000000010000000000000000f83f01000000000000005c000000000000005e00000000000000600000"
    "000000000061000000000000000000000000000000070b0f6b1a1c221403512701";

std::vector<std::byte> bytes_of(const std::string& hex) {
  std::vector<std::byte> out;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    out.push_back(static_cast<std::byte>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  return out;
}

TEST_CASE("numbers of a map of FlexBuffers") {
  const std::vector<std::byte> bytes = bytes_of(kMap);
  const auto values = import::tflite::read_flex_map(bytes);
  REQUIRE(values.ok());
  const std::vector<FlexValue> wanted = {{"a", FlexValue::kInteger, -300, 0},
                                         {"b", FlexValue::kInteger, int64_t{1} << 40, 0},
                                         {"c", FlexValue::kReal, 0, 1.5},
                                         {"d", FlexValue::kInteger, 1, 0},
                                         {"e", FlexValue::kInteger, -70000},
                                         {"f", FlexValue::kInteger, 200},
                                         {"g", FlexValue::kReal, 0, 2.5},
                                         {"h", FlexValue::kOther},
                                         {"n", FlexValue::kOther}};
  CHECK(*values == wanted);
}

TEST_CASE("bytes that are no map of FlexBuffers are refused, each with its reason") {
  const std::vector<std::byte> whole = bytes_of(kMap);
  const auto message = [](const std::vector<std::byte>& bytes) {
    const auto values = import::tflite::read_flex_map(bytes);
    return values.ok() ? std::string() : values.error().message;
  };
  // The root's width and type are the last bytes, its offset stands before them.
  struct Change {
    int64_t from_end;
    int value;
    const char* words;
  };
  const Change changes[] = {
      {1, 3, "its root has no width"},       {1, 16, "its root has no width"},
      {2, 40, "the root is something else"}, {3, 255, "an offset leads outside"},
      {3, 150, "the map lies outside"},      {3, 1, "outside"}};
  for (const Change& change : changes) {
    INFO(change.from_end << ": " << change.value);
    std::vector<std::byte> bytes = whole;
    bytes[bytes.size() - static_cast<size_t>(change.from_end)] =
        static_cast<std::byte>(change.value);
    CHECK(message(bytes).find(change.words) != std::string::npos);
  }
  // In front of the map's values: the names' offset, their width, the number of values.
  const size_t map = whole.size() - 3 - 0x51;
  const Change inside[] = {{8, 200, "the values lie outside"},
                           {16, 5, "its names have no width"},
                           {16, 16, "its names have no width"},
                           {24, 255, "an offset leads outside"},
                           // Behind an offset: the first number that is.
                           {-32, 255, "an offset leads outside"},
                           {-40, 255, "an offset leads outside"}};
  for (const Change& change : inside) {
    INFO(change.from_end << " in front of the map: " << change.value);
    std::vector<std::byte> bytes = whole;
    bytes[map - static_cast<size_t>(change.from_end)] = static_cast<std::byte>(change.value);
    CHECK(message(bytes).find(change.words) != std::string::npos);
  }
  // Numbers of one byte, of which nine have names of eight.
  const std::string wide = "000809" + std::string(36, '0') + "122401";
  CHECK(message(bytes_of(wide)).find("the names lie outside") != std::string::npos);
  for (size_t size = 0; size < whole.size(); ++size) {
    INFO("cut to " << size);
    CHECK_FALSE(message({whole.begin(), whole.begin() + static_cast<long>(size)}).empty());
  }
}

TEST_CASE("maps of FlexBuffers as small as they may be, and as large") {
  const auto values_of = [](const std::string& hex) {
    return import::tflite::read_flex_map(bytes_of(hex));
  };
  const auto none = values_of("000100002401");
  REQUIRE(none.ok());
  CHECK(none->empty());
  CHECK(values_of("010100002401").error().message.find("an offset leads outside") !=
        std::string::npos);
  CHECK(values_of("002401").error().message.find("the map lies outside") != std::string::npos);
  CHECK(values_of("2401").error().message.find("too short") != std::string::npos);
  CHECK(values_of("0001").error().message.find("too short") != std::string::npos);
  // A float of two bytes.
  const auto half = values_of(
      "61000201000100"
      "0100003e0d032501");
  REQUIRE(half.ok());
  CHECK(*half == std::vector<FlexValue>{{"a", FlexValue::kOther}});
  // So many values of four bytes, all of no kind and without a name.
  const auto many = [](uint32_t count) {
    std::vector<std::byte> bytes(12 + size_t{count} * 5 + 4);
    const auto put = [&](size_t at, uint32_t value) {
      for (size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::byte>(value >> (8 * i));
    };
    put(4, 1);
    put(8, count);
    put(bytes.size() - 4, count * 5);
    bytes.insert(bytes.end(), {std::byte{0x26}, std::byte{4}});
    return import::tflite::read_flex_map(bytes);
  };
  REQUIRE(many(1 << 16).ok());
  CHECK(many(1 << 16)->size() == 1 << 16);
  CHECK(many((1 << 16) + 1).error().message.find("the values lie outside") != std::string::npos);
}

}  // namespace
}  // namespace hlocc
