// See action.h. The key is the digest of a text, a line for each fact. A record is JSON behind a
// line with its own digest, so that one that was cut or mixed up is none.
#include "driver/cache/action.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>

#include "import/data_files.h"
#include "import/file.h"
#include "package/names.h"
#include "support/sha256.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using Json = nlohmann::ordered_json;

// Changes when the meaning of a record or of a key does.
constexpr int kFormat = 1;

// Flags that say where files go and what is said, and not what is in the files.
bool is_about_this_run(std::string_view flag) {
  static constexpr std::array<std::string_view, 12> kFlags = {
      "-o",       "--depfile", "--json",         "-q",       "-v",       "--time-report",
      "--config", "--cache",   "--cache-verify", "--target", "--limits", "--verify-each"};
  return std::ranges::find(kFlags, flag) != kFlags.end();
}

// The file that a flag's value names; empty: it names none.
std::string file_of(std::string_view flag, const std::string& value) {
  if (flag == "--from") return value;
  if (flag != "--freeze") return "";
  const size_t equal = value.rfind('=');
  return equal == std::string::npos ? "" : value.substr(equal + 1);
}

// A tool that was built from no commit, or from one with changes, is told by its own file.
std::string tool_of(const CommandLine& line) {
  if (!line.tool.empty() && line.tool.find("with changes") == std::string::npos &&
      line.tool.find("unknown") == std::string::npos)
    return line.tool;
  struct stat found;
  if (::stat("/proc/self/exe", &found) != 0) return line.tool;
  return cat(line.tool, " ", found.st_size, " ", found.st_mtim.tv_sec, ".", found.st_mtim.tv_nsec);
}

Json said_json(const std::vector<Said>& said) {
  Json out = Json::array();
  for (const Said& one : said) out.push_back({{"warning", one.is_warning}, {"text", one.text}});
  return out;
}

// Members that are missing or of another type make no record: JSON's own exceptions end here.
Record to_record(const Json& told) {
  Record out;
  for (const Json& file : told.at("files")) {
    out.made.files.push_back({file.at("name"), {}});
    out.digests.push_back(file.at("sha256"));
  }
  out.made.summary = told.at("summary");
  out.made.sizes = told.at("sizes");
  out.made.layers = told.at("layers");
  out.made.build.stem = told.at("build").at("stem");
  out.made.build.own_copy = told.at("build").at("own_copy");
  for (const Json& one : told.at("said"))
    out.made.said.push_back({one.at("warning"), one.at("text")});
  return out;
}

}  // namespace

std::string why_not_kept(const CommandLine& line, const Target& target) {
  if (!line.plugin.empty()) return "what a plug-in makes";
  if (!line.device.empty()) return "what is made for a GPU";
  if (!line.compile.print_after.empty()) return "what --print-after prints";
  if (line.compile.shared_arena) return "a library of several models";
  if (line.models[0] == "-") return "a model from the standard input";
  // Its macros are asked of a compiler that may change.
  if (target.name == "host" && target.backend == "c") return "C for this machine";
  return "";
}

std::vector<std::string> files_beside_model(const CommandLine& line) {
  std::vector<std::string> out;
  for (const std::string& model : line.models)
    for (std::string& file : import::data_files_of(model)) out.push_back(std::move(file));
  for (const auto& [flag, values] : line.given)
    for (const std::string& value : values)
      if (std::string file = file_of(flag, value); !file.empty()) out.push_back(std::move(file));
  return out;
}

Result<std::string> FileDigests::of(const std::string& path) {
  if (const auto known = known_.find(path); known != known_.end()) return known->second;
  HLOCC_TRY_ASSIGN(const std::vector<std::byte> bytes, import::read_file(path));
  return known_.emplace(path, sha256(bytes)).first->second;
}

Result<std::string> FileDigests::of_model(const std::string& path) {
  if (const auto known = models_.find(path); known != models_.end()) return known->second;
  HLOCC_TRY_ASSIGN(const std::string model, of(path));
  std::string out = cat("model ", model, "\n");
  for (const std::string& file : import::data_files_of(path)) {
    HLOCC_TRY_ASSIGN(const std::string digest, of(file));
    out += cat("data ", digest, "\n");
  }
  return models_.emplace(path, std::move(out)).first->second;
}

Result<std::string> action_key(const CommandLine& line, const Target& target,
                               FileDigests& digests) {
  std::string text = cat("hlocc action ", kFormat, "\ntool ", tool_of(line), "\n");
  HLOCC_TRY_ASSIGN(const std::string model, digests.of_model(line.models[0]));
  text += model;
  if (line.options.name.empty())
    text += cat("stem ", package::stem_of_file(line.models[0], {}), "\n");
  // Line tables name the file.
  if (line.options.debug) text += cat("path ", line.models[0], "\n");
  text += cat("target ", target.name, " ", target.triple, " ", target.cpu, " ", target.features,
              line.targets.empty() ? " assumed" : "", "\n");
  for (const auto& [flag, values] : line.given) {
    if (is_about_this_run(flag)) continue;
    text += cat(flag, " ", values.size(), "\n");
    for (const std::string& value : values) {
      text += cat(value.size(), " ", value, "\n");
      const std::string file = file_of(flag, value);
      if (file.empty()) continue;
      HLOCC_TRY_ASSIGN(const std::string digest, digests.of(file));
      text += cat("file ", digest, "\n");
    }
  }
  return sha256(text);
}

std::string record_of(const CompiledTarget& made, const std::vector<std::string>& digests,
                      const std::string& key) {
  Json files = Json::array();
  for (size_t i = 0; i < digests.size(); ++i)
    files.push_back({{"name", made.files[i].name}, {"sha256", digests[i]}});
  const Json told = {{"key", key},
                     {"files", files},
                     {"summary", made.summary},
                     {"sizes", made.sizes},
                     {"layers", made.layers},
                     {"build", {{"stem", made.build.stem}, {"own_copy", made.build.own_copy}}},
                     {"said", said_json(made.said)}};
  const std::string body = told.dump(-1, ' ', false, Json::error_handler_t::replace);
  return cat(sha256(body), "\n", body);
}

std::optional<Record> read_record(std::string_view text, const std::string& key) {
  const size_t end = text.find('\n');  // without one the text is held against itself
  const std::string_view body = text.substr(end + 1);
  if (sha256(body) != text.substr(0, end)) return std::nullopt;
  const Json told = Json::parse(body, nullptr, false);  // what is no JSON has no members
  try {
    if (told.at("key") != key) return std::nullopt;
    return to_record(told);
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace hlocc::driver
