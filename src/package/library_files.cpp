// See library_files.h. The header of a library is the headers of its models, each as it would stand
// in a file of its own, behind the constants of the arena: code that uses a model does not change
// when the model comes to share its arena.
#include "package/library_files.h"

#include <algorithm>

#include "package/header_parts.h"
#include "package/header_writer.h"
#include "package/names.h"
#include "package/version.h"
#include "support/foreign_text.h"
#include "support/generated_text.h"
#include "support/text.h"

namespace hlocc::package {
namespace {

std::string replace_macro(std::string_view text, const std::string& macro) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) != "@M") {
      out += text[i];
      continue;
    }
    out += macro;
    ++i;
  }
  return out;
}

std::string opening_comment(const kernel::Signature& library,
                            const std::vector<LibraryModel>& models, const Target& target) {
  const SharedArena arena = arena_of(models);
  std::string out = cat("/* ", library.class_name, ": ", models.size(),
                        " models in one arena, compiled by hlocc ", version(), " for ",
                        for_c_comment(target.name), kGeneratedText);
  for (const LibraryModel& model : models)
    out += cat(" *   ", model.signature->class_name, ": arena ",
               std::max<int64_t>(1, model.plan->arena_bytes), " bytes, state ",
               model.plan->state_bytes, " bytes\n");
  for (const planning::ArenaPiece& piece : arena.pieces)
    out += cat(" *   in ", piece.name, ": ", piece.bytes, " bytes\n");
  return out + cat(" *   together: arena ", arena.bytes, " bytes aligned to ", arena.align,
                   "\n *\n * Give every model's init the same arena. They run one after the other: "
                   "what one leaves in the\n * arena, arguments and results, is gone when another "
                   "has run. State lies in the instances and stays. */\n");
}

// The type of the arena, in a namespace that is called like the library.
std::string arena_struct(const kernel::Signature& library, const SharedArena& arena) {
  std::vector<std::string> path = split(library.class_name, ':');
  std::erase(path, "");
  std::string out = "#ifdef __cplusplus\n";
  for (const std::string& part : path) out += cat("namespace ", part, " {\n");
  const auto memory = [&](const std::string& name, int64_t bytes) {
    out += cat("struct alignas(", arena.align, ") Arena", name, " {\n  unsigned char bytes[", bytes,
               "];\n};\n");
  };
  out += "/* Memory for any of the models, one at a time. */\n";
  if (arena.pieces.empty()) memory("", arena.bytes);
  for (const planning::ArenaPiece& piece : arena.pieces)
    memory(to_camel_case(piece.name), piece.bytes);
  for (size_t i = path.size(); i-- > 0;) out += cat("} /* namespace ", path[i], " */\n");
  return out + "#endif\n\n";
}

}  // namespace

std::string class_beside(const std::string& library, const std::string& name) {
  const size_t colons = library.rfind("::");
  return colons == std::string::npos ? name : library.substr(0, colons + 2) + name;
}

std::string class_of_module(const hlo::Module& module) {
  std::string_view name = module.name;
  // What exporters put before the function's name.
  if (name.starts_with("jit_") && name.size() > 4) name.remove_prefix(4);
  return to_camel_case(to_c_identifier(std::string(name)));
}

Status check_names_apart(const kernel::Signature& library,
                         const std::vector<LibraryModel>& models) {
  std::vector<const kernel::Signature*> all = {&library};
  for (const LibraryModel& model : models) all.push_back(model.signature);
  for (const kernel::Signature* one : all)
    for (const kernel::Signature* other : all)
      if (one != other && one->prefix.starts_with(other->prefix))
        return error(DiagnosticKind::kUsage,
                     cat("--shared-arena: names of ", one->class_name, " (", one->prefix,
                         "...) could be names of ", other->class_name, " (", other->prefix, "...)"))
            .note("NAME=FILE calls a model NAME, --name the library");
  return {};
}

SharedArena arena_of(const std::vector<LibraryModel>& models) {
  SharedArena out;
  for (const LibraryModel& model : models) {
    out.bytes = std::max(out.bytes, model.plan->arena_bytes);
    out.align = std::max(out.align, model.plan->arena_align);
    const std::vector<planning::ArenaPiece>& pieces = model.plan->pieces;
    for (size_t i = 0; i < pieces.size(); ++i) {
      if (out.pieces.size() <= i) out.pieces.push_back({pieces[i].name, 0, 0, pieces[i].room});
      out.pieces[i].bytes = std::max(out.pieces[i].bytes, pieces[i].bytes);
    }
  }
  if (out.pieces.empty()) return out;
  out.bytes = 0;
  for (const planning::ArenaPiece& piece : out.pieces) out.bytes += piece.bytes;
  return out;
}

std::string write_library_header(const kernel::Signature& library,
                                 const std::vector<LibraryModel>& models, const Target& target,
                                 const CoreNeeds& core) {
  const SharedArena arena = arena_of(models);
  std::string out = opening_comment(library, models, target);
  out += replace_macro(cat("#ifndef @MH_\n#define @MH_\n\n#define @MARENA_BYTES ", arena.bytes,
                           "\n#define @MARENA_ALIGN ", arena.align, "\n",
                           memory_macros(arena.pieces), "\n#ifdef @MSKIP_TARGET_CHECK\n"),
                       library.macro_prefix);
  for (const LibraryModel& model : models)
    out += replace_macro("#ifndef @MSKIP_TARGET_CHECK\n#define @MSKIP_TARGET_CHECK\n#endif\n",
                         model.signature->macro_prefix);
  out += "#endif\n\n";
  for (const LibraryModel& model : models)
    out += write_header(*model.signature, *model.plan, target, core, model.origin) + "\n";
  return out + arena_struct(library, arena) +
         replace_macro("#endif /* @MH_ */\n", library.macro_prefix);
}

Result<std::vector<File>> make_library_files(const kernel::Signature& library,
                                             const std::vector<LibraryModel>& models,
                                             const Target& target, const Artifacts& artifacts,
                                             const std::set<Emit>& emit) {
  HLOCC_TRY(check_names_apart(library, models));
  for (const LibraryModel& model : models) HLOCC_TRY(check_user_functions(*model.plan));
  std::vector<File> out;
  for (Emit wanted : emit) {
    const std::string name = file_name(wanted, library.stem, artifacts);
    if (wanted == Emit::kHeader) {
      out.push_back(
          {name, bytes_of(write_library_header(library, models, target, artifacts.core))});
      continue;
    }
    HLOCC_TRY_ASSIGN(Pieces bytes, bytes_of_kind(wanted, target, artifacts));
    out.push_back({name, std::move(bytes)});
  }
  out.push_back({library.stem + ".json",
                 bytes_of(write_library_manifest(library, models, target, artifacts))});
  return out;
}

}  // namespace hlocc::package
