// See file_set.h.
#include "package/file_set.h"

#include "package/header_writer.h"
#include "package/identifiers.h"
#include "package/manifest.h"
#include "planning/interface.h"
#include "support/text.h"

namespace hlocc::package {

const std::vector<EmitInfo>& emit_table() {
  static const std::vector<EmitInfo>& rows = *new std::vector<EmitInfo>{
#define HLOCC_EMIT(emit, artifact, name, prefix, suffix, microsoft) \
  {Emit::emit, name, prefix, suffix, ArtifactKind::artifact, microsoft},
#include "target/emits.def"
  };
  return rows;
}

std::string file_name(Emit wanted, const std::string& stem, const Artifacts& artifacts) {
  const EmitInfo& row = emit_table()[static_cast<int>(wanted)];
  return artifacts.microsoft_names && !row.microsoft.empty() ? cat(stem, row.microsoft)
                                                             : cat(row.prefix, stem, row.suffix);
}

Result<Pieces> bytes_of_kind(Emit wanted, const Target& target, const Artifacts& artifacts) {
  const EmitInfo& row = emit_table()[static_cast<int>(wanted)];
  const auto artifact = artifacts.files.find(row.artifact);
  if (artifact == artifacts.files.end())
    return error(DiagnosticKind::kUnsupported,
                 cat("--emit ", row.name, ": the backend ", target.backend, " does not make it"))
        .note("`hlocc backends` says what each backend makes");
  return artifact->second;
}

Status check_user_functions(const planning::Plan& plan) {
  for (const planning::UserFunction& function : planning::user_functions(plan))
    if (is_cpp_keyword(function.symbol))
      return error(DiagnosticKind::kUnsupported, cat("a custom-call calls \"", function.symbol,
                                                     "\", which is a keyword of C or C++"))
          .note("give the call another target");
  return {};
}

Result<std::vector<File>> make_files(const kernel::Signature& signature, const planning::Plan& plan,
                                     const Target& target, const Artifacts& artifacts,
                                     const std::set<Emit>& emit, const Origin& origin) {
  HLOCC_TRY(check_user_functions(plan));
  std::vector<File> out;
  for (Emit wanted : emit) {
    const std::string name = file_name(wanted, signature.stem, artifacts);
    if (wanted == Emit::kHeader) {
      out.push_back(
          {name, bytes_of(write_header(signature, plan, target, artifacts.core, origin))});
      continue;
    }
    HLOCC_TRY_ASSIGN(Pieces bytes, bytes_of_kind(wanted, target, artifacts));
    out.push_back({name, std::move(bytes)});
  }
  for (const auto& [kind, suffix] : {std::pair(ArtifactKind::kWeights, "_weights.bin"),
                                     std::pair(ArtifactKind::kWeightsSource, "_weights.S")})
    if (const auto found = artifacts.files.find(kind); found != artifacts.files.end())
      out.push_back({signature.stem + suffix, found->second});
  out.push_back({signature.stem + ".json",
                 bytes_of(write_manifest(signature, plan, target, artifacts, origin))});
  return out;
}

}  // namespace hlocc::package
