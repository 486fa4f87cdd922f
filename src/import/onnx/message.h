// Protobuf messages of a schema, checked as they are read: a row for each field says where its
// value goes. The first field that is wrong is kept with its path
// ("graph.node[3].attribute[0].ints"), and all reads after it give nothing, so that a walk asks
// once, at its end. Large values stay where they lie in the file, which must outlive what is read.
#pragma once
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "import/proto/wire.h"
#include "support/result.h"

namespace hlocc::import::onnx {

// The file: what went wrong in it, and what its messages may cost.
class Document {
 public:
  const std::optional<Diagnostic>& failure() const { return failure_; }
  void fail(const std::string& path, const std::string& what);
  void fail(Diagnostic why) {
    if (!failure_) failure_ = std::move(why);
  }
  // A message, or so many bytes of a list, are about to become values of ours; false where a file
  // asks for more than it may.
  bool charge(const std::string& path, uint64_t bytes);

 private:
  std::optional<Diagnostic> failure_;
};

// A message inside another: its bytes and its path.
using ReadMessage = std::function<void(Bytes, const std::string& path)>;
struct Single {
  ReadMessage read;
};
struct Repeated {
  ReadMessage read;
};
// Where the value of a field goes. Lists of numbers may be packed or not; of a field that may stand
// once the last counts, as protobuf has it.
using FieldTarget =
    std::variant<std::string*, std::vector<std::string>*, int64_t*, std::optional<int64_t>*,
                 std::vector<int64_t>*, float*, std::vector<float>*, std::vector<double>*,
                 std::optional<Bytes>*, Single, Repeated>;
struct FieldRow {
  uint32_t number;
  const char* name;
  FieldTarget target;
};

// Fields that have no row are passed over.
void read_message(Document& document, Bytes bytes, const std::string& path,
                  std::initializer_list<FieldRow> rows);

}  // namespace hlocc::import::onnx
