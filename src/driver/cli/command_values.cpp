// See command_values.h.
#include "driver/cli/command_values.h"

#include <algorithm>
#include <cmath>

#include "driver/cli/command_words.h"
#include "support/number.h"
#include "support/suggest.h"
#include "support/text.h"

namespace hlocc::driver {

Status parse_level(const std::string& text, Options& options) {
  if (text.empty()) return {};
  for (Level level : {Level::kO0, Level::kO1, Level::kO2, Level::kO3, Level::kOs, Level::kOz})
    if (level_name(level) == "-O" + text) {
      options.level = level;
      return {};
    }
  return usage(cat("-O", text, ": levels are -O0 -O1 -O2 -O3 -Os -Oz"));
}

Status parse_float_abi(const std::string& text, FloatAbi& abi) {
  static const std::map<std::string, FloatAbi> names = {{"", FloatAbi::kDefault},
                                                        {"hard", FloatAbi::kHard},
                                                        {"softfp", FloatAbi::kSoftfp},
                                                        {"soft", FloatAbi::kSoft}};
  const auto found = names.find(text);
  if (found == names.end())
    return suggest(usage(cat("--float-abi ", text, ": it is hard, softfp or soft")), text,
                   {"hard", "softfp", "soft"});
  abi = found->second;
  return {};
}

Status parse_names(const std::vector<std::string>& requests, const char* flag,
                   std::map<std::string, std::string>& names) {
  for (const std::string& request : requests) {
    const size_t equal = request.rfind('=');
    if (equal == std::string::npos || equal == 0 || request[0] == '-')
      return usage(cat(std::string(flag), " ", request,
                       ": it is I=NAME, as in 0=mfcc, or HLO_NAME=NAME, as in s['gain']=gain"));
    const std::string leaf = request.substr(0, equal);
    if (!names.emplace(leaf, request.substr(equal + 1)).second)
      return usage(cat(std::string(flag), " ", request, ": leaf ", leaf, " has a name already"));
  }
  return {};
}

Status parse_emit(const std::vector<std::string>& kinds, CompileFlags& out) {
  for (const std::string& kind : kinds) {
    const auto& rows = package::emit_table();
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.name == kind; });
    if (row == rows.end()) {
      std::vector<std::string> names;
      for (const auto& known : rows) names.emplace_back(known.name);
      return suggest(usage(cat("--emit ", kind, ": there is no such kind of file")), kind, names)
          .note("kinds are " + join(names, ", "));
    }
    out.emit.insert(row->emit);
    out.has_emit = true;
  }
  return {};
}

Status parse_shard(const std::string& text, CommandLine& out) {
  if (text.empty()) return {};
  const size_t slash = text.find('/');
  const std::optional<int> shard = to_count(std::string_view(text).substr(0, slash));
  const std::optional<int> shards = slash == std::string::npos
                                        ? std::nullopt
                                        : to_count(std::string_view(text).substr(slash + 1));
  if (!shard || !shards || *shard >= *shards)
    return usage(cat("--shard ", text, ": it is I/N with I from 0 to N - 1"));
  out.shard = *shard;
  out.shards = *shards;
  return {};
}

// What LLVM and every assembler take unquoted; and no name that makes a linker treat the section as
// something else than constants.
Status check_section(const std::string& flag, const std::string& name) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$' ||
           c == '-';
  };
  const std::string what = cat(flag, " ", name, ": ");
  if (name.empty() || !std::all_of(name.begin(), name.end(), plain))
    return usage(cat(what, name.empty() ? "the name is empty" : "no assembler takes that name"))
        .note("a section's name is made of letters, digits and . _ $ -, as in .rodata.weights");
  struct Special {
    std::string_view name, why;
  };
  static constexpr Special specials[] = {
      {".bss", "holds zeros, which are not stored"},
      {".sbss", "holds zeros, which are not stored"},
      {".tbss", "holds zeros, which are not stored"},
      {".noinit", "is not stored"},
      {".init_array", "holds addresses of functions"},
      {".fini_array", "holds addresses of functions"},
      {".preinit_array", "holds addresses of functions"},
      {".ctors", "holds addresses of functions"},
      {".dtors", "holds addresses of functions"},
      {".tdata", "belongs to threads"},
      {".note", "holds the linker's notes"},
      {".debug", "is left out of a firmware"},
      {".comment", "is left out of a firmware"},
      {".symtab", "is the linker's own"},
      {".strtab", "is the linker's own"},
      {".shstrtab", "is the linker's own"},
      {".rel", "is the linker's own"},
      {".rela", "is the linker's own"},
      {".group", "is the linker's own"},
  };
  for (const Special& row : specials)
    if (name == row.name || name.starts_with(cat(row.name, ".")) ||
        (row.name == ".debug" && name.starts_with(".debug_")))
      return usage(cat(what, row.name, " ", row.why))
          .note("constants lie in a section of another name, as in .rodata.weights");
  return {};
}

Status parse_tolerance(const char* flag, const std::string& text, bool is_given,
                       std::optional<double>& out) {
  if (!is_given) return {};
  const std::optional<double> value = to_real(text);
  if (!value || !std::isfinite(*value) || *value < 0)
    return usage(cat(flag, " ", text, ": a tolerance is a number that is not negative"))
        .note(cat(flag, " 1e-4"));
  out = value;
  return {};
}

}  // namespace hlocc::driver
