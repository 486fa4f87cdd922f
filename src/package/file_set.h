// From what the backend made to named files: which kinds the user asked for with --emit, what each
// is called, and the files themselves, still in memory.
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/program.h"
#include "package/origin.h"
#include "planning/plan.h"
#include "target/artifacts.h"
#include "target/target.h"

namespace hlocc::package {

enum class Emit : uint8_t {
#define HLOCC_EMIT(emit, ...) emit,
#include "target/emits.def"
};

struct EmitInfo {
  Emit emit;
  std::string_view name;            // as --emit spells it
  std::string_view prefix, suffix;  // of the file, around the stem
  // What it is made of; the header is made here.
  ArtifactKind artifact;
  // The suffix behind the bare stem where Microsoft's tools link; empty: the same as elsewhere.
  std::string_view microsoft = {};
};
// All rows, in the order of Emit: target/emits.def.
const std::vector<EmitInfo>& emit_table();

struct File {
  std::string name;
  Pieces bytes;
  bool is_program = false;  // a script that is run as it is
};

// libkws.a, kws.h; kws.lib
std::string file_name(Emit wanted, const std::string& stem, const Artifacts& artifacts);
// What the backend made of that kind, which is not the header; else a diagnostic.
Result<Pieces> bytes_of_kind(Emit wanted, const Target& target, const Artifacts& artifacts);
// That no function of the user's is called like a keyword.
Status check_user_functions(const planning::Plan& plan);

// The files of one target, the manifest last. Asking for a kind that the backend does not make is a
// diagnostic.
Result<std::vector<File>> make_files(const kernel::Signature& signature, const planning::Plan& plan,
                                     const Target& target, const Artifacts& artifacts,
                                     const std::set<Emit>& emit, const Origin& origin = {});

}  // namespace hlocc::package
