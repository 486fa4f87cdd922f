// The reader of one file of a matrix; each key of the file is a row of kKeys.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "driver/matrix/draft.h"
#include "driver/matrix/located_json.h"
#include "support/text.h"

namespace hlocc::driver {

class DraftReader {
 public:
  DraftReader(MatrixDraft& draft, std::vector<std::string>& open) : draft_(draft), open_(open) {}

  Status read(const std::string& path);

 private:
  using Reader = Status (DraftReader::*)(const LocatedJson&);
  struct Key {
    std::string_view name;
    Reader read;
  };
  static const Key kKeys[];

  Location at(const LocatedJson& value) const { return {file_, value.line}; }
  Diagnostic wrong(const LocatedJson& value, const std::string& message) const {
    return error(DiagnosticKind::kUsage, message).at(at(value));
  }
  Diagnostic is_no(const LocatedJson& value, std::string_view key, std::string_view wanted) const {
    return wrong(value, cat("'", key, "' is ", wanted, ", not ", value.what()));
  }
  Diagnostic unknown(const LocatedJson& value, const std::string& key,
                     const std::vector<std::string>& known) const;
  // A path of the file, which counts from the file's folder.
  std::string from_here(const std::string& path) const;

  Status add_file(const LocatedJson& value);
  Status add_model(const std::string& name, const LocatedJson& value);
  Status add_target(const LocatedJson& value);
  Status add_flag(const std::string& key, const LocatedJson& value, MatrixFlagValues& into) const;
  Result<ConfigValue> flag_value(const std::string& key, const LocatedJson& value,
                                 const std::string& pair = "") const;
  Result<std::vector<std::string>> texts(const LocatedJson& value, std::string_view key) const;
  Result<MatrixRule> rule(const LocatedJson& value, bool has_flags) const;

  Status extends(const LocatedJson& value);
  Status output(const LocatedJson& value);
  Status models(const LocatedJson& value);
  Status targets(const LocatedJson& value);
  Status axes(const LocatedJson& value);
  Status options(const LocatedJson& value);
  Status include(const LocatedJson& value);
  Status exclude(const LocatedJson& value);
  Status verify(const LocatedJson& value);
  Status gates(const LocatedJson& value);
  Status ignore(const LocatedJson&) { return {}; }

  MatrixDraft& draft_;
  std::vector<std::string>& open_;  // files that are being read, the first one first
  std::string file_;
};

}  // namespace hlocc::driver
