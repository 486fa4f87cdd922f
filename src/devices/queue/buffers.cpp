// See hlocc/device/executable.h.
#include "hlocc/device/executable.h"
#include "kernel/program.h"
#include "support/text.h"

namespace hlocc::device {
namespace {

Status check_leaves(const char* what, std::span<const hlo::Shape> shapes,
                    std::span<const DeviceMemory> memories) {
  if (shapes.size() != memories.size())
    return error(DiagnosticKind::kArgument,
                 cat("got ", memories.size(), " ", what, "s, the model has ", shapes.size()));
  for (size_t i = 0; i < shapes.size(); ++i)
    if (const int64_t bytes = kernel::Leaf{.shape = shapes[i]}.bytes(); memories[i].bytes != bytes)
      return error(DiagnosticKind::kArgument, cat(what, " ", i, " is ", shapes[i], ", ", bytes,
                                                  " bytes, and not ", memories[i].bytes));
  return {};
}

bool overlap(const DeviceMemory& a, const DeviceMemory& b) {
  return a.handle == b.handle && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

}  // namespace

Result<std::vector<DeviceMemory>> Executable::CheckBuffers(
    std::span<const ExecutionInput> arguments, std::span<const DeviceMemory> results) const {
  std::vector<DeviceMemory> all;
  all.reserve(arguments.size() + results.size());
  for (const ExecutionInput& argument : arguments) all.push_back(argument.memory);
  HLOCC_TRY(check_leaves("argument", ArgumentShapes(), all));
  HLOCC_TRY(check_leaves("result", ResultShapes(), results));
  for (size_t r = 0; r < results.size(); ++r) {
    for (size_t other = 0; other < r; ++other)
      if (overlap(results[r], results[other]))
        return error(DiagnosticKind::kArgument,
                     cat("results ", other, " and ", r, " are to lie in one place"));
    for (size_t a = 0; a < arguments.size(); ++a) {
      if (!overlap(results[r], arguments[a].memory)) continue;
      if (!arguments[a].donated || results[r] != arguments[a].memory)
        return error(DiagnosticKind::kArgument, cat("result ", r, " is to lie over argument ", a,
                                                    ", which is not donated for it"));
    }
  }
  all.insert(all.end(), results.begin(), results.end());
  return all;
}

}  // namespace hlocc::device
