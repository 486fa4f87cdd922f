// See zip.h.
#include "import/zip.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>

#include "import/limits.h"
#include "support/budget.h"
#include "support/text.h"

namespace hlocc::import {
namespace {

constexpr uint32_t kLocal = 0x04034b50, kCentral = 0x02014b50, kEnd = 0x06054b50;
constexpr uint64_t kLocalSize = 30, kCentralSize = 46, kEndSize = 22, kLongestComment = 0xffff;
// Deflate makes at most 1032 bytes of one.
constexpr uint64_t kMostRatio = 1032;

Diagnostic broken(const std::string& what) {
  return error(DiagnosticKind::kFormat, cat("the zip archive ", what));
}
Diagnostic unsupported(const std::string& what) {
  return error(DiagnosticKind::kUnsupported, cat("the zip archive ", what))
      .note("unpack it with another tool, or pack it again: zip -0");
}

class ZipReader {
 public:
  explicit ZipReader(Bytes bytes) : bytes_(bytes) {}

  Result<std::vector<ZipMember>> read() {
    const std::optional<uint64_t> end = find_end();
    if (!end) return broken("has no directory: it was cut off, or is none");
    const uint64_t count = u16(*end + 10), size = u32(*end + 12), start = u32(*end + 16);
    if (count == 0xffff || size == 0xffffffff || start == 0xffffffff)
      return unsupported("is of the form zip64");
    if (u16(*end + 4) != 0 || u16(*end + 6) != 0 || u16(*end + 8) != count)
      return unsupported("is one of several parts");
    if (start > *end || size > *end - start) return broken("has a directory that lies outside");
    directory_ = start;
    std::vector<ZipMember> members;
    std::set<std::string> names;
    uint64_t at = start;
    for (uint64_t i = 0; i < count; ++i) {
      HLOCC_TRY_ASSIGN(ZipMember member, read_entry(at, start + size));
      if (!names.insert(member.name).second) return broken(cat("has \"", member.name, "\" twice"));
      members.push_back(std::move(member));
    }
    HLOCC_TRY(check_overlaps(members));
    return members;
  }

 private:
  uint16_t u16(uint64_t at) const {
    return static_cast<uint16_t>(std::to_integer<unsigned>(bytes_[at]) |
                                 std::to_integer<unsigned>(bytes_[at + 1]) << 8);
  }
  uint32_t u32(uint64_t at) const { return u16(at) | static_cast<uint32_t>(u16(at + 2)) << 16; }
  bool holds(uint64_t at, uint64_t size, uint64_t end) const {
    return at <= end && size <= end - at;
  }

  // The record of the end, whose comment reaches the end of the file.
  std::optional<uint64_t> find_end() const {
    if (bytes_.size() < kEndSize) return std::nullopt;
    const uint64_t last = bytes_.size() - kEndSize;
    for (uint64_t back = 0; back <= std::min(last, kLongestComment); ++back)
      if (u32(last - back) == kEnd && u16(last - back + 20) == back) return last - back;
    return std::nullopt;
  }

  Result<ZipMember> read_entry(uint64_t& at, uint64_t end) const {
    if (!holds(at, kCentralSize, end) || u32(at) != kCentral)
      return broken("has a directory that ends too early");
    const uint64_t name = u16(at + 28), extra = u16(at + 30), comment = u16(at + 32);
    if (!holds(at + kCentralSize, name + extra + comment, end))
      return broken("has a directory that ends too early");
    ZipMember member;
    member.name = as_text(bytes_.subspan(at + kCentralSize, name));
    member.method = u16(at + 10);
    member.crc = u32(at + 16);
    member.packed_size = u32(at + 20);
    member.size = u32(at + 24);
    member.header = u32(at + 42);
    if (member.packed_size == 0xffffffff || member.size == 0xffffffff ||
        member.header == 0xffffffff)
      return unsupported("is of the form zip64");
    if ((u16(at + 8) & 1) != 0) return unsupported(cat("has \"", member.name, "\" encrypted"));
    at += kCentralSize + name + extra + comment;
    HLOCC_TRY(find_data(member));
    return member;
  }

  Status find_data(ZipMember& member) const {
    if (!holds(member.header, kLocalSize, directory_) || u32(member.header) != kLocal)
      return broken(cat("has no member \"", member.name, "\" where its directory says"));
    member.data = member.header + kLocalSize + u16(member.header + 26) + u16(member.header + 28);
    if (!holds(member.data, member.packed_size, directory_))
      return broken(cat("has \"", member.name, "\" reach into its directory"));
    if (member.method == 0 && member.size != member.packed_size)
      return broken(cat("says that \"", member.name, "\" is stored in ", member.packed_size,
                        " bytes and has ", member.size));
    return {};
  }

  static Status check_overlaps(const std::vector<ZipMember>& members) {
    std::vector<const ZipMember*> in_order;
    for (const ZipMember& member : members) in_order.push_back(&member);
    std::ranges::sort(in_order, {}, &ZipMember::header);
    for (size_t i = 1; i < in_order.size(); ++i)
      if (in_order[i - 1]->data + in_order[i - 1]->packed_size > in_order[i]->header)
        return broken(
            cat("has \"", in_order[i - 1]->name, "\" and \"", in_order[i]->name, "\" overlap"));
    return {};
  }

  Bytes bytes_;
  uint64_t directory_ = 0;
};

// Raw deflate: all of `packed` gives all of `out`, or it is wrong.
bool inflate_all(Bytes packed, std::vector<std::byte>& out) {
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::byte none{};  // zlib takes no null, also where nothing is to come
  stream.next_out = reinterpret_cast<Bytef*>(out.empty() ? &none : out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int ended = inflate(&stream, Z_FINISH);
  const bool is_whole = ended == Z_STREAM_END && stream.avail_in == 0 && stream.avail_out == 0;
  inflateEnd(&stream);
  return is_whole;
}

}  // namespace

bool is_zip(Bytes bytes) { return as_text(bytes).starts_with("PK\x03\x04"); }

Result<std::vector<ZipMember>> read_zip_directory(Bytes bytes) { return ZipReader(bytes).read(); }

Result<ZipContent> read_zip_member(Bytes bytes, const ZipMember& member) {
  const Bytes packed = bytes.subspan(member.data, member.packed_size);
  ZipContent out{packed, {}};
  if (member.method != 0 && member.method != 8)
    return unsupported(cat("has \"", member.name, "\" packed by method ", member.method));
  if (member.size > static_cast<uint64_t>(kMaxFileBytes))
    return error(DiagnosticKind::kLimit,
                 cat("\"", member.name, "\" is larger than ", kMaxFileBytes, " bytes"));
  if (member.method == 8) {
    if (member.size > member.packed_size * kMostRatio)
      return broken(cat("says that \"", member.name, "\" has ", member.size, " bytes, of ",
                        member.packed_size, " packed ones"));
    if (Budget* budget = current_budget()) {
      budget->spend(static_cast<int64_t>(member.size));
      if (budget->work_is_over()) return budget->work_exceeded("a packed member");
    }
    out.unpacked.resize(member.size);
    if (!inflate_all(packed, out.unpacked))
      return broken(cat("has \"", member.name, "\" packed wrongly, or of another size"));
    out.bytes = out.unpacked;
  }
  const auto crc = crc32(0, reinterpret_cast<const Bytef*>(out.bytes.data()),
                         static_cast<uInt>(out.bytes.size()));
  if (crc != member.crc)
    return broken(cat("has other bytes in \"", member.name, "\" than its checksum says"));
  return out;
}

}  // namespace hlocc::import
