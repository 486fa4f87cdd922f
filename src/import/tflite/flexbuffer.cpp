// See flexbuffer.h. A value is a byte of type (kind << 2 | log2 of its width) and bytes of a width
// that the vector around it has; offsets count backwards from where they stand.
#include "import/tflite/flexbuffer.h"

#include <bit>
#include <cstring>

#include "support/text.h"

namespace hlocc::import::tflite {
namespace {

// Kinds of values, as FlexBuffers number them.
enum FlexKind {
  kNull = 0,
  kInt = 1,
  kUint = 2,
  kFloat = 3,
  kIndirectInt = 6,
  kIndirectUint = 7,
  kIndirectFloat = 8,
  kMap = 9,
  kBool = 26
};
constexpr uint64_t kLongestName = 256, kMostValues = 1 << 16;

struct FlexType {
  int kind = 0;
  uint64_t width = 1;  // of what an offset leads to
};
FlexType flex_type(uint8_t packed) { return {packed >> 2, uint64_t{1} << (packed & 3)}; }

class FlexReader {
 public:
  explicit FlexReader(Bytes bytes) : bytes_(bytes) {}

  Result<std::vector<FlexValue>> read() {
    std::vector<FlexValue> out;
    if (!read_map(out))
      return error(DiagnosticKind::kStructure,
                   cat("its options are no map of ", "FlexBuffers: ", what_));
    return out;
  }

 private:
  bool wrong(const char* what) {
    what_ = what;
    return false;
  }
  bool holds(uint64_t at, uint64_t size) const {
    return at <= bytes_.size() && size <= bytes_.size() - at;
  }

  // A number without a sign of 1, 2, 4 or 8 bytes that are there.
  uint64_t number(uint64_t at, uint64_t width) const {
    uint64_t value = 0;
    for (uint64_t i = width; i-- > 0;)
      value = value << 8 | std::to_integer<uint64_t>(bytes_[at + i]);
    return value;
  }
  int64_t signed_number(uint64_t at, uint64_t width) const {
    const int unused = static_cast<int>(64 - 8 * width);
    return static_cast<int64_t>(number(at, width) << unused) >> unused;
  }
  // Floats of 4 or 8 bytes; others are none.
  std::optional<double> real(uint64_t at, uint64_t width) const {
    if (width == 8) return std::bit_cast<double>(number(at, width));
    if (width != 4) return std::nullopt;
    return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(number(at, width))));
  }

  // Where the offset at a place leads.
  bool follow(uint64_t at, uint64_t width, uint64_t& target) {
    if (!holds(at, width)) return wrong("an offset lies outside");
    const uint64_t back = number(at, width);
    if (back > at) return wrong("an offset leads outside");
    target = at - back;
    return true;
  }

  bool read_map(std::vector<FlexValue>& out) {
    if (bytes_.size() < 3) return wrong("too short");
    const uint64_t root_width = number(bytes_.size() - 1, 1);
    const FlexType root = flex_type(std::to_integer<uint8_t>(bytes_[bytes_.size() - 2]));
    if (root.kind != kMap) return wrong("the root is something else");
    if (!std::has_single_bit(root_width) || root_width > 8) return wrong("its root has no width");
    if (bytes_.size() < 2 + root_width) return wrong("too short");
    uint64_t at = 0;
    if (!follow(bytes_.size() - 2 - root_width, root_width, at)) return false;
    // In front of the values: their number, the width of the names' vector, its offset.
    const uint64_t width = root.width;
    if (at < 3 * width || !holds(at, 0)) return wrong("the map lies outside");
    const uint64_t count = number(at - width, width);
    const uint64_t name_width = number(at - 2 * width, width);
    if (count > kMostValues || !holds(at, count * width + count))
      return wrong("the values lie outside");
    if (!std::has_single_bit(name_width) || name_width > 8) return wrong("its names have no width");
    uint64_t names = 0;
    if (!follow(at - 3 * width, width, names)) return false;
    if (!holds(names, count * name_width)) return wrong("the names lie outside");
    for (uint64_t i = 0; i < count; ++i) {
      FlexValue value;
      if (!read_name(names + i * name_width, name_width, value.name)) return false;
      const FlexType type = flex_type(number_byte(at + count * width + i));
      if (!read_value(at + i * width, width, type, value)) return false;
      out.push_back(std::move(value));
    }
    return true;
  }

  uint8_t number_byte(uint64_t at) const { return std::to_integer<uint8_t>(bytes_[at]); }

  bool read_name(uint64_t at, uint64_t width, std::string& name) {
    uint64_t start = 0;
    if (!follow(at, width, start)) return false;
    for (uint64_t i = start; i - start <= kLongestName && holds(i, 1); ++i) {
      const char c = static_cast<char>(number_byte(i));
      if (c == 0) return true;
      name.push_back(c);
    }
    return wrong("a name has no end");
  }

  bool read_value(uint64_t at, uint64_t width, FlexType type, FlexValue& value) {
    const bool is_indirect = type.kind >= kIndirectInt && type.kind <= kIndirectFloat;
    if (is_indirect) {
      if (!follow(at, width, at)) return false;
      width = type.width;
      if (!holds(at, width)) return wrong("a number lies outside");
      type.kind -= kIndirectInt - kInt;
    }
    value.kind = FlexValue::kInteger;
    if (type.kind == kInt) {
      value.integer = signed_number(at, width);
    } else if (type.kind == kUint || type.kind == kBool) {
      value.integer = static_cast<int64_t>(number(at, width));
    } else if (type.kind == kFloat) {
      const std::optional<double> real_number = real(at, width);
      value.kind = real_number ? FlexValue::kReal : FlexValue::kOther;
      value.real = real_number.value_or(0);
    } else {
      value.kind = FlexValue::kOther;
    }
    return true;
  }

  Bytes bytes_;
  const char* what_ = "";
};

}  // namespace

Result<std::vector<FlexValue>> read_flex_map(Bytes bytes) { return FlexReader(bytes).read(); }

}  // namespace hlocc::import::tflite
