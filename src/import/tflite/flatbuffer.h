// FlatBuffers, checked as they are read. Each offset, vtable and length is held against the bytes
// before it is followed; the first one that is wrong is kept with the path of its field
// ("subgraphs[0].tensors[3].shape"), and all reads after it give defaults, so that a walk asks
// once, at its end. The schema is walked from its root and has no recursion, so that tables that
// point at each other are no danger; tables that many offsets share are, and count each time.
#pragma once
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "import/proto/wire.h"
#include "support/result.h"

namespace hlocc::import::tflite {

// A field of a table: its id and its name in messages.
struct Field {
  int id;
  const char* name;
};

class FlatTable;

class FlatFile {
 public:
  explicit FlatFile(Bytes bytes) : bytes_(bytes) {}
  FlatTable root();

  Bytes bytes() const { return bytes_; }
  // The first thing that was wrong.
  const std::optional<Diagnostic>& failure() const { return failure_; }
  void fail(const std::string& path, const std::string& what);
  // A table, or so many bytes of a vector, are about to become values of ours; false where a file
  // asks for more than it may.
  bool charge(const std::string& path, uint64_t bytes);

  bool holds(uint64_t at, uint64_t size) const {
    return at <= bytes_.size() && size <= bytes_.size() - at;
  }
  // The bytes at a place that holds().
  template <typename T>
  T at(uint64_t place) const {
    T value;
    std::memcpy(&value, bytes_.data() + place, sizeof(T));
    return value;
  }

 private:
  Bytes bytes_;
  std::optional<Diagnostic> failure_;
  int64_t tables_ = 0;
};

// A table of a file that outlives it. One that is not there has no fields.
class FlatTable {
 public:
  FlatTable() = default;
  // Checks the vtable.
  FlatTable(FlatFile& file, uint64_t at, std::string path);

  bool is_there() const { return file_ != nullptr; }
  const std::string& path() const { return path_; }
  bool has(Field field) const { return place(field, 0) != 0; }

  // A number, or its default where the field is absent.
  template <typename T>
  T number(Field field, T missing = {}) const {
    const uint64_t at = place(field, sizeof(T));
    return at == 0 ? missing : file_->at<T>(at);
  }
  bool flag(Field field, bool missing = false) const {
    return number<uint8_t>(field, missing) != 0;
  }
  std::string text(Field field) const;
  // A vector of bytes, where it lies.
  Bytes bytes(Field field) const;
  template <typename T>
  std::vector<T> numbers(Field field) const {
    const Bytes raw = elements(field, sizeof(T));
    std::vector<T> out(raw.size() / sizeof(T));
    if (!raw.empty()) std::memcpy(out.data(), raw.data(), raw.size());
    return out;
  }
  FlatTable table(Field field) const;
  std::vector<FlatTable> tables(Field field) const;
  // Records that this field holds what it must not.
  void fail(Field field, const std::string& what) const;

 private:
  // What is wrong with the table at a place; null if nothing is.
  const char* open(const FlatFile& file, uint64_t at);
  // Where the field's inline value of `size` bytes lies; 0: absent.
  uint64_t place(Field field, uint64_t size) const;
  // Where the offset of the field leads; 0: absent or wrong.
  uint64_t target(Field field) const;
  // The elements of a vector, of `width` bytes each.
  Bytes elements(Field field, uint64_t width) const;
  std::string path_of(Field field) const;

  FlatFile* file_ = nullptr;
  uint64_t at_ = 0, vtable_ = 0;
  uint16_t vtable_size_ = 0, size_ = 0;
  std::string path_;
};

}  // namespace hlocc::import::tflite
