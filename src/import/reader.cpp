// Sniffs, unwraps the containers and hands the inside to the reader of its format.
#include "import/reader.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "import/data_files.h"
#include "import/elided.h"
#include "import/file.h"
#include "import/onnx/import.h"
#include "import/other_formats.h"
#include "import/proto/literal.h"
#include "import/proto/module.h"
#include "import/sniff.h"
#include "import/stablehlo/import.h"
#include "import/text/module.h"
#include "import/tflite/import.h"
#include "import/zip.h"
#include "support/budget.h"
#include "support/sha256.h"
#include "support/text.h"

namespace hlocc::import {
namespace {

Diagnostic is_other(const OtherFormat& other, const std::string& file) {
  Diagnostic out = error(DiagnosticKind::kFormat, "is no HLO but " + other.what).at({file, 0});
  out.notes = other.cures;
  return out;
}

Diagnostic not_hlo(Bytes bytes, const std::string& file) {
  const std::optional<OtherFormat> other = guess_other_format(bytes, file);
  if (other && !other->cures.empty()) return is_other(*other, file);
  Diagnostic out =
      other ? is_other(*other, file)
            : error(DiagnosticKind::kFormat,
                    bytes.empty() ? "is empty"
                                  : "is no HLO: neither HLO text nor a serialized HloModuleProto, "
                                    "HloProto or HloSnapshot")
                  .at({file, 0});
  return std::move(out).note(
      "in JAX: jax.jit(f).lower(*args).compiler_ir('hlo').as_serialized_hlo_module_proto() "
      "makes such a file");
}

Diagnostic truncated(std::string_view what, const std::string& file) {
  return error(DiagnosticKind::kFormat, cat(what, " is malformed or truncated")).at({file, 0});
}

// Words of which HLO text has one, also where it is cut off or has a mistake in its first line.
bool mentions_hlo(std::string_view text) {
  return std::ranges::any_of(
      std::array<std::string_view, 4>{"HloModule", "ENTRY", "ROOT", "parameter("},
      [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

// The first field of a container.
Result<Bytes> unwrap(Bytes bytes, std::string_view what, const std::string& file) {
  Bytes inside;
  WireReader reader(bytes);
  for (WireField field; reader.next(field);)
    if (field.number == 1 && field.type == WireType::kLength) inside = field.payload;
  if (reader.failed()) return truncated(what, file);
  return inside;
}

Result<Imported> read_hlo_proto(Bytes bytes, const std::string& file, Elided& elided) {
  HLOCC_TRY_ASSIGN(const Bytes module_bytes, unwrap(bytes, "the HloProto", file));
  HLOCC_TRY_ASSIGN(hlo::Module module, read_module_proto(module_bytes, file, elided));
  return Imported{std::move(module), std::nullopt};
}

Result<Snapshot> read_values(Bytes bytes, const std::string& file) {
  constexpr uint32_t kArguments = 2, kResult = 3;
  Snapshot snapshot;
  WireReader reader(bytes);
  for (WireField field; reader.next(field);) {
    const bool is_argument = field.number == kArguments;
    if (field.type != WireType::kLength || (!is_argument && field.number != kResult)) continue;
    const std::string what = is_argument
                                 ? cat("argument ", snapshot.arguments.size(), " of the snapshot")
                                 : std::string("the result of the snapshot");
    Result<hlo::Literal> literal = read_literal_proto(field.payload, what);
    if (!literal) return std::move(literal).error().at({file, 0});
    if (is_argument)
      snapshot.arguments.push_back(std::move(literal).value());
    else
      snapshot.result = std::move(literal).value();
  }
  return snapshot;
}

Result<Imported> read_snapshot(Bytes bytes, const std::string& file, Elided& elided) {
  HLOCC_TRY_ASSIGN(const Bytes hlo, unwrap(bytes, "the HloSnapshot", file));
  HLOCC_TRY_ASSIGN(Imported imported, read_hlo_proto(hlo, file, elided));
  HLOCC_TRY_ASSIGN(imported.snapshot, read_values(bytes, file));
  return imported;
}

// The mark that some editors write in front of UTF-8.
Bytes without_mark(Bytes bytes) {
  return as_text(bytes).starts_with("\xef\xbb\xbf") ? bytes.subspan(3) : bytes;
}

// Archives inside archives.
constexpr int kMostArchives = 3;

// What else a reader may need to know of a model: what the user decides, where its files lie.
struct Surroundings {
  const Choices& choices;
  std::string folder;
};

Result<Imported> read_kind(Bytes bytes, const std::string& file, const Surroundings& around,
                           Elided& elided) {
  const FileKind kind = sniff(bytes);
  if (!around.choices.dimensions.empty() && kind != FileKind::kOnnx && kind != FileKind::kTflite)
    return error(DiagnosticKind::kUsage, "--dim: HLO leaves no size open");
  if (!around.choices.signature.empty() && kind != FileKind::kTflite)
    return error(DiagnosticKind::kUsage, "--signature: only .tflite files have signatures");
  if (around.choices.rounding && kind != FileKind::kTflite)
    return error(DiagnosticKind::kUsage, "--rounding: other files than .tflite say how they round");
  switch (kind) {
    case FileKind::kSnapshot: return read_snapshot(bytes, file, elided);
    case FileKind::kHloProto: return read_hlo_proto(bytes, file, elided);
    case FileKind::kModuleProto: {
      HLOCC_TRY_ASSIGN(hlo::Module module, read_module_proto(bytes, file, elided));
      return Imported{std::move(module), std::nullopt};
    }
    case FileKind::kText: {
      Result<hlo::Module> module = read_module_text(as_text(bytes), file, elided);
      if (module) return Imported{std::move(module).value(), std::nullopt};
      if (guess_other_format(bytes, file) || !mentions_hlo(as_text(bytes))) break;
      return std::move(module).error();
    }
    case FileKind::kStablehlo: {
      HLOCC_TRY_ASSIGN(hlo::Module module, stablehlo::read_stablehlo(as_text(bytes), file, elided));
      return Imported{std::move(module), std::nullopt};
    }
    case FileKind::kTflite: {
      HLOCC_TRY_ASSIGN(hlo::Module module, tflite::read_tflite(bytes, file, around.choices));
      return Imported{std::move(module), std::nullopt};
    }
    case FileKind::kOnnx: {
      HLOCC_TRY_ASSIGN(onnx::Read read,
                       onnx::read_onnx(bytes, file, around.folder, around.choices));
      return Imported{std::move(read.module), std::nullopt, 0, std::move(read.frozen)};
    }
    case FileKind::kUnknown: break;
  }
  return not_hlo(bytes, file);
}

// Whether an archive, whose names stand there as they are, may have a model.
bool names_models(std::string_view archive) {
  return archive.find(".tflite") != std::string_view::npos ||
         archive.find(".task") != std::string_view::npos;
}

// The archive's member that is wanted; one in an archive inside: "inner.task/model.tflite".
// Nothing: no archive of models.
Result<const ZipMember*> wanted_member(const std::vector<ZipMember>& members,
                                       const std::string& wanted) {
  const auto is_inner = [&](const ZipMember& member) {
    return wanted.starts_with(member.name + "/") && !member.name.ends_with("/");
  };
  std::vector<std::string> models;
  const ZipMember* only = nullptr;
  for (const ZipMember& member : members) {
    if (!wanted.empty() && (member.name == wanted || is_inner(member))) return &member;
    if (!member.name.ends_with(".tflite") && !member.name.ends_with(".task")) continue;
    models.push_back(member.name);
    only = &member;
  }
  if (wanted.empty() && models.size() < 2) return only;
  const Diagnostic which =
      wanted.empty()
          ? error(DiagnosticKind::kUsage, cat("is an archive of ", models.size(), " models"))
          : error(DiagnosticKind::kUsage, cat("--member: the archive has no \"", wanted, "\""));
  return Diagnostic(which).note(models.empty() ? "it holds no .tflite file"
                                               : cat("--member ", join(models, ", --member ")));
}

Result<Imported> read_plain(Bytes bytes, const std::string& file, const Surroundings& around,
                            Constants constants) {
  Elided elided{.allowed = constants == Constants::kMayBeElided};
  HLOCC_TRY_ASSIGN(Imported imported, read_kind(without_mark(bytes), file, around, elided));
  imported.elided_constants = elided.count;
  return imported;
}

// The model in an archive of models, or what else the bytes are.
Result<Imported> read_packed(Bytes bytes, const std::string& file, const Surroundings& around,
                             Constants constants, int depth = 0) {
  const std::string& wanted = around.choices.member;
  if (!is_zip(bytes)) {
    if (wanted.empty()) return read_plain(bytes, file, around, constants);
    return error(DiagnosticKind::kUsage, "--member: the file is no zip archive").at({file, 0});
  }
  const auto located = [&](Diagnostic why) { return std::move(why).at({file, 0}); };
  if (wanted.empty() && !names_models(as_text(bytes))) return not_hlo(bytes, file);
  Result<std::vector<ZipMember>> members = read_zip_directory(bytes);
  if (!members) return located(std::move(members).error());
  Result<const ZipMember*> member = wanted_member(*members, wanted);
  if (!member) return located(std::move(member).error());
  if (*member == nullptr) return not_hlo(bytes, file);
  Result<ZipContent> content = read_zip_member(bytes, **member);
  if (!content) return located(std::move(content).error());
  Choices inside = around.choices;
  inside.member =
      wanted.size() > (*member)->name.size() + 1 ? wanted.substr((*member)->name.size() + 1) : "";
  const std::string name = cat(file, "/", (*member)->name);
  const Surroundings around_inside{inside, ""};
  if (inside.member.empty() && !is_zip(content->bytes))
    return read_plain(content->bytes, name, around_inside, constants);
  if (depth == kMostArchives)
    return error(DiagnosticKind::kLimit, "archives so deep inside one another").at({name, 0});
  return read_packed(content->bytes, name, around_inside, constants, depth + 1);
}

Result<Imported> read_around(Bytes bytes, const std::string& file, const Surroundings& around,
                             Constants constants) {
  if (Budget* budget = current_budget()) budget->add_input(static_cast<int64_t>(bytes.size()));
  return read_packed(bytes, file, around, constants);
}

// Where data of the model may lie; nowhere, for standard input.
std::string folder_of(const std::string& path) {
  if (path == "-") return "";
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

Result<Imported> read_model(std::span<const std::byte> bytes, const std::string& file,
                            Constants constants, const Choices& choices) {
  return read_around(bytes, file, {choices, ""}, constants);
}

Result<Imported> read_model_file(const std::string& path, Constants constants, std::string* sha256,
                                 const Choices& choices) {
  HLOCC_TRY_ASSIGN(const std::vector<std::byte> bytes, read_file(path, true));
  if (sha256 != nullptr) *sha256 = hlocc::sha256(bytes);
  return read_around(bytes, path, {choices, folder_of(path)}, constants);
}

std::vector<std::string> data_files_of(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  // A pipe could be read once only.
  if (fs::status(path, ignored).type() != fs::file_type::regular) return {};
  const Result<std::vector<std::byte>> bytes = read_file(path, true);
  if (!bytes || sniff(*bytes) != FileKind::kOnnx) return {};
  std::vector<std::string> out;
  for (const std::string& location : onnx::data_files(*bytes)) {
    // Those that reading refuses, such as links and pipes, are none.
    const fs::path file = (fs::path(folder_of(path)) / location).lexically_normal();
    if (fs::symlink_status(file, ignored).type() == fs::file_type::regular)
      out.push_back(file.string());
  }
  return out;
}

}  // namespace hlocc::import
