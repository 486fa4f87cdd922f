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
    size_t from_end;
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
    bytes[bytes.size() - change.from_end] = static_cast<std::byte>(change.value);
    CHECK(message(bytes).find(change.words) != std::string::npos);
  }
  // In front of the map's values: the names' offset, their width, the number of values.
  const size_t map = whole.size() - 3 - 0x51;
  const Change inside[] = {{8, 200, "the values lie outside"},
                           {16, 5, "its names have no width"},
                           {24, 255, "an offset leads outside"},
                           {24, 0x19, "the names lie outside"}};
  for (const Change& change : inside) {
    INFO(change.from_end << " in front of the map: " << change.value);
    std::vector<std::byte> bytes = whole;
    bytes[map - change.from_end] = static_cast<std::byte>(change.value);
    CHECK_FALSE(message(bytes).empty());
  }
  for (size_t size = 0; size < whole.size(); ++size) {
    INFO("cut to " << size);
    CHECK_FALSE(message({whole.begin(), whole.begin() + static_cast<long>(size)}).empty());
  }
}

}  // namespace
}  // namespace hlocc
