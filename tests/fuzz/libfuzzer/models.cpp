// Targets of the readers of models: HLO text, protos, snapshots. What was read is verified, printed
// and written, and what was written is read again as the same: so the printer and the writer are
// held, too.
#include "fuzz/libfuzzer/targets.h"
#include "import/onnx/import.h"
#include "import/proto/literal.h"
#include "import/proto/module.h"
#include "import/reader.h"
#include "import/sniff.h"
#include "import/stablehlo/import.h"
#include "import/text/module.h"
#include "import/tflite/import.h"
#include "import/writer.h"
#include "ops/check/verifier.h"
#include "ops/text/printer.h"
#include "support/text.h"

namespace hlocc::fuzz {
namespace {

using import::Bytes;

// No array of these programs is held in memory twice beyond this.
constexpr int64_t kMostBytes = int64_t{1} << 22;

// A sound module is the same after it was written and read.
void check_module(const hlo::Module& module) {
  const Status status = ops::verify(module);
  if (!status) return must_be_sound(status.error());
  must(!ops::to_text(module).empty(), "a sound module prints");
  const std::vector<std::byte> bytes = import::write_module(module);
  const Result<import::Imported> again = import::read_model(bytes, "again");
  must(again.ok(), again.ok() ? "" : cat("what was written is read: ", again.error().to_string()));
  must(import::write_module(again->module) == bytes, "what was read is written alike");
}

// Names in a proto may be any bytes; those of a text are words, so that it prints as a text again.
void check_text(const hlo::Module& module) {
  if (!ops::verify(module)) return;
  const std::string text = ops::to_text(module);
  import::Elided elided{.allowed = false};
  const Result<hlo::Module> again = import::read_module_text(text, "again", elided);
  must(again.ok(), again.ok() ? "" : cat("what was printed is read: ", again.error().to_string()));
  must(ops::to_text(*again) == text, "what was read is printed alike");
}

int64_t bytes_of(const hlo::Literal& literal) { return literal.shape().byte_size(); }

// A reader of another format gives modules that keep HLO's rules.
void check_read(const Result<hlo::Module>& module) {
  if (!module) return must_be_sound(module.error());
  const Status status = ops::verify(*module);
  must(status.ok(),
       status.ok() ? "" : cat("what is read keeps HLO's rules: ", status.error().to_string()));
  check_module(*module);
}

}  // namespace

void run_text(Input input) {
  for (const bool allowed : {false, true}) {
    import::Elided elided{.allowed = allowed};
    const auto module = import::read_module_text(import::as_text(input), "text", elided);
    if (!module) {
      must_be_sound(module.error());
      continue;
    }
    check_module(*module);
    check_text(*module);
  }
}

void run_proto(Input input) {
  import::Elided elided{.allowed = false};
  const Result<hlo::Module> module = import::read_module_proto(input, "proto", elided);
  if (!module) return must_be_sound(module.error());
  check_module(*module);
}

void run_stablehlo(Input input) {
  import::Elided elided;
  const std::string_view text(reinterpret_cast<const char*>(input.data()), input.size());
  check_read(import::stablehlo::read_stablehlo(text, "stablehlo", elided));
}

void run_tflite(Input input) { check_read(import::tflite::read_tflite(input, "tflite")); }

void run_onnx(Input input) {
  Result<import::onnx::Read> read = import::onnx::read_onnx(input, "onnx", "", {});
  if (!read) return must_be_sound(read.error());
  check_read(std::move(read->module));
}

void run_snapshot(Input input) {
  const Result<import::Imported> imported = import::read_model(input, "snapshot");
  if (!imported) return must_be_sound(imported.error());
  check_module(imported->module);
  if (!imported->snapshot) return;
  const import::Snapshot& snapshot = *imported->snapshot;
  int64_t bytes = bytes_of(snapshot.result);
  for (const hlo::Literal& argument : snapshot.arguments) bytes += bytes_of(argument);
  if (bytes > kMostBytes) return;
  for (const hlo::Literal& argument : snapshot.arguments) {
    const Result<hlo::Literal> again = import::read_literal(import::write_literal(argument));
    must(again.ok() && *again == argument, "a literal is read as it was written");
  }
}

}  // namespace hlocc::fuzz
