// See flatbuffer.h.
#include "import/tflite/flatbuffer.h"

#include "support/budget.h"
#include "support/text.h"

namespace hlocc::import::tflite {
namespace {

// Tables of a file, each counted as often as offsets lead to it.
constexpr int64_t kMaxTables = int64_t{1} << 20;
// What a table becomes: its path, and the struct that is made of it.
constexpr uint64_t kTableBytes = 512;
constexpr uint64_t kMaxText = 1 << 16;

}  // namespace

void FlatFile::fail(const std::string& path, const std::string& what) {
  if (failure_) return;
  failure_ = error(
      DiagnosticKind::kFormat,
      cat("the TensorFlow Lite model is malformed: ", path.empty() ? "its root" : path, " ", what));
}

bool FlatFile::charge(const std::string& path, uint64_t bytes) {
  const auto size = static_cast<int64_t>(bytes + kTableBytes);
  Status room = charge_work(size / 8, [&] { return path; });
  if (room) room = charge_memory(size, [&] { return path; });
  if (!room)
    failure_ = std::move(room).error();
  else if (++tables_ > kMaxTables)
    failure_ = error(DiagnosticKind::kLimit,
                     cat(path, " is beyond the ", kMaxTables, " tables that a model may have"));
  return !failure_;
}

FlatTable FlatFile::root() {
  if (!holds(0, 8)) {
    fail("", "lies beyond the end of the file");
    return {};
  }
  return FlatTable(*this, at<uint32_t>(0), "");
}

const char* FlatTable::open(const FlatFile& file, uint64_t at) {
  if (!file.holds(at, 4)) return "lies beyond the end of the file";
  const int64_t vtable = static_cast<int64_t>(at) - file.at<int32_t>(at);
  if (vtable < 0 || !file.holds(static_cast<uint64_t>(vtable), 4))
    return "has its vtable beyond the end of the file";
  at_ = at;
  vtable_ = static_cast<uint64_t>(vtable);
  vtable_size_ = file.at<uint16_t>(vtable_);
  size_ = file.at<uint16_t>(vtable_ + 2);
  if (vtable_size_ < 4 || vtable_size_ % 2 != 0 || !file.holds(vtable_, vtable_size_))
    return "has a vtable of a wrong size";
  if (size_ < 4 || !file.holds(at, size_)) return "has fields beyond the end of the file";
  return nullptr;
}

FlatTable::FlatTable(FlatFile& file, uint64_t at, std::string path) {
  if (const char* wrong = open(file, at); wrong != nullptr)
    file.fail(path, wrong);
  else if (file.charge(path, path.size()))
    file_ = &file;
  path_ = std::move(path);
}

std::string FlatTable::path_of(Field field) const {
  return path_.empty() ? field.name : cat(path_, ".", field.name);
}

void FlatTable::fail(Field field, const std::string& what) const {
  if (file_ != nullptr) file_->fail(path_of(field), what);
}

uint64_t FlatTable::place(Field field, uint64_t size) const {
  const uint64_t slot = 4 + 2 * static_cast<uint64_t>(field.id);
  if (file_ == nullptr || file_->failure() || slot + 2 > vtable_size_) return 0;
  const auto offset = file_->at<uint16_t>(vtable_ + slot);
  if (offset == 0) return 0;
  if (offset < 4 || offset + size > size_) {
    fail(field, "lies outside its table");
    return 0;
  }
  return at_ + offset;
}

uint64_t FlatTable::target(Field field) const {
  const uint64_t at = place(field, 4);
  if (at == 0) return 0;
  const uint64_t to = at + file_->at<uint32_t>(at);
  if (to != at && file_->holds(to, 4)) return to;
  fail(field, "leads beyond the end of the file");
  return 0;
}

Bytes FlatTable::elements(Field field, uint64_t width) const {
  const uint64_t at = target(field);
  if (at == 0) return {};
  const uint64_t size = width * file_->at<uint32_t>(at);
  if (!file_->holds(at + 4, size)) {
    fail(field,
         cat("has ", file_->at<uint32_t>(at), " elements, which reach beyond the end of the file"));
    return {};
  }
  // Bytes stay where they are.
  if (width > 1 && !file_->charge(path_of(field), size)) return {};
  return file_->bytes().subspan(at + 4, size);
}

Bytes FlatTable::bytes(Field field) const { return elements(field, 1); }

std::string FlatTable::text(Field field) const {
  const Bytes raw = bytes(field);
  if (raw.size() <= kMaxText && (raw.empty() || file_->charge(path_of(field), raw.size())))
    return std::string(as_text(raw));
  fail(field, cat("is a text of ", raw.size(), " bytes"));
  return {};
}

FlatTable FlatTable::table(Field field) const {
  const uint64_t at = target(field);
  return at == 0 ? FlatTable() : FlatTable(*file_, at, path_of(field));
}

std::vector<FlatTable> FlatTable::tables(Field field) const {
  std::vector<FlatTable> out;
  const Bytes raw = elements(field, 4);
  for (uint64_t i = 0; i < raw.size() && !file_->failure(); i += 4) {
    const uint64_t at = static_cast<uint64_t>(raw.data() - file_->bytes().data()) + i;
    out.emplace_back(*file_, at + file_->at<uint32_t>(at), cat(path_of(field), "[", i / 4, "]"));
  }
  return out;
}

}  // namespace hlocc::import::tflite
