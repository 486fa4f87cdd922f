// See message.h.
#include "import/onnx/message.h"

#include <cstring>

#include "support/budget.h"
#include "support/text.h"

namespace hlocc::import::onnx {
namespace {

// What a message takes beside its lists, and the work of reading it.
constexpr uint64_t kMessageBytes = 256;
constexpr int64_t kMessageWork = 50;

std::string joined_path(const std::string& path, const char* name) {
  return path.empty() ? name : cat(path, ".", name);
}

// One field on its way to where its row says; whether its wire type is the row's.
class FieldReader {
 public:
  FieldReader(Document& document, const std::string& path, const FieldRow& row,
              const WireField& field, size_t& count)
      : document_(document), path_(path), row_(row), field_(field), count_(count) {}

  bool operator()(std::string* out) const {
    if (!is_length()) return false;
    *out = as_text(field_.payload);
    return true;
  }
  bool operator()(std::vector<std::string>* out) const {
    if (!is_length()) return false;
    if (document_.charge(path(), field_.payload.size() + sizeof(std::string)))
      out->emplace_back(as_text(field_.payload));
    return true;
  }
  bool operator()(int64_t* out) const {
    if (field_.type != WireType::kVarint) return false;
    *out = static_cast<int64_t>(field_.value);
    return true;
  }
  bool operator()(std::optional<int64_t>* out) const {
    if (field_.type != WireType::kVarint) return false;
    *out = static_cast<int64_t>(field_.value);
    return true;
  }
  bool operator()(float* out) const {
    if (field_.type != WireType::kFixed32) return false;
    std::memcpy(out, field_.payload.data(), sizeof *out);
    return true;
  }
  bool operator()(std::optional<Bytes>* out) const {
    if (!is_length()) return false;
    *out = field_.payload;
    return true;
  }
  bool operator()(std::vector<float>* out) const { return fixed(out, WireType::kFixed32); }
  bool operator()(std::vector<double>* out) const { return fixed(out, WireType::kFixed64); }
  bool operator()(std::vector<int64_t>* out) const {
    if (field_.type == WireType::kVarint) {
      if (document_.charge(path(), sizeof(int64_t)))
        out->push_back(static_cast<int64_t>(field_.value));
      return true;
    }
    if (!is_length()) return false;
    Bytes rest = paid(field_.payload.size() * sizeof(int64_t));
    for (uint64_t value = 0; !rest.empty();) {
      if (!read_varint(rest, value)) return false;
      out->push_back(static_cast<int64_t>(value));
    }
    return true;
  }
  bool operator()(const Single& single) const {
    if (!is_length()) return false;
    single.read(field_.payload, path());
    return true;
  }
  bool operator()(const Repeated& repeated) const {
    if (!is_length()) return false;
    repeated.read(field_.payload, cat(path(), "[", count_++, "]"));
    return true;
  }

  std::string path() const { return joined_path(path_, row_.name); }

 private:
  bool is_length() const { return field_.type == WireType::kLength; }

  // What a list is read of: nothing where the file asks for more than it may.
  Bytes paid(uint64_t bytes) const {
    return document_.charge(path(), bytes) ? field_.payload : Bytes();
  }

  template <typename T>
  bool fixed(std::vector<T>* out, WireType alone) const {
    if (field_.type != alone && !is_length()) return false;
    if (field_.payload.size() % sizeof(T) != 0) return false;
    const Bytes raw = paid(field_.payload.size());
    const size_t before = out->size();
    out->resize(before + raw.size() / sizeof(T));
    if (!raw.empty()) std::memcpy(out->data() + before, raw.data(), raw.size());
    return true;
  }

  Document& document_;
  const std::string& path_;
  const FieldRow& row_;
  const WireField& field_;
  size_t& count_;
};

}  // namespace

void Document::fail(const std::string& path, const std::string& what) {
  fail(error(DiagnosticKind::kFormat, cat(path.empty() ? "the model" : path, " ", what)));
}

bool Document::charge(const std::string& path, uint64_t bytes) {
  Status room = charge_work(kMessageWork + static_cast<int64_t>(bytes / 8), [&] { return path; });
  if (room) room = charge_memory(static_cast<int64_t>(bytes), [&] { return path; });
  if (!room) fail(std::move(room).error());
  return !failure_;
}

void read_message(Document& document, Bytes bytes, const std::string& path,
                  std::initializer_list<FieldRow> rows) {
  document.charge(path, kMessageBytes);
  std::vector<size_t> counts(rows.size(), 0);
  WireReader reader(bytes);
  for (WireField field; !document.failure() && reader.next(field);) {
    size_t place = 0;
    for (const FieldRow& row : rows) {
      size_t& count = counts[place++];
      if (row.number != field.number) continue;
      const FieldReader read(document, path, row, field, count);
      if (!std::visit(read, row.target))
        document.fail(read.path(), "is no field of its type: the file is damaged");
      break;
    }
  }
  if (reader.failed()) document.fail(path, "is malformed or truncated");
}

}  // namespace hlocc::import::onnx
