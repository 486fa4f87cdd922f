// A folder for temporary files that goes when the work is done.
#pragma once
#include <string>

#include "support/result.h"
#include "support/temporary_path.h"

namespace hlocc::driver {

class WorkFolder {
 public:
  // Lies where TMPDIR says. Errors: kEnvironment.
  static Result<WorkFolder> make();
  const std::string& path() const { return path_.path(); }
  // Those of a process of ours that did not end by itself.
  static void remove_of(int process);

 private:
  explicit WorkFolder(std::string path) : path_(std::move(path)) {}

  TemporaryPath path_;
};

}  // namespace hlocc::driver
