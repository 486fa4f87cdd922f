// The files of a package: what was compiled, headers of runtime_stub/, the boards' files that its
// targets need, templates, and the manifest.
#include <algorithm>
#include <map>
#include <set>

#include "driver/packages/contents.h"
#include "driver/packages/embedded.h"
#include "driver/packages/escapes.h"
#include "package/json_text.h"
#include "support/sha256.h"
#include "support/text.h"
#include "target/board_row.h"

namespace hlocc::driver {
namespace {

using Files = std::map<std::string, package::File>;

// "targets/_target_", with the values' texts in the places of their names.
std::string filled_path(std::string_view path, const TemplateValues& values) {
  std::string out(path);
  for (const auto& [key, value] : values.items()) {
    if (!value.is_string()) continue;
    const std::string name = cat("_", key, "_"), text = value.get<std::string>();
    for (size_t at = out.find(name); at != std::string::npos; at = out.find(name, at + text.size()))
      out.replace(at, name.size(), text);
  }
  return out;
}

void add(Files& files, const std::string& path, Pieces bytes, bool is_program = false) {
  files[path] = {path, std::move(bytes), is_program};
}

// The package's values with an element's in front of them.
TemplateValues within(const TemplateValues& values, const TemplateValues& element) {
  TemplateValues out = values;
  out.update(element);
  return out;
}

// Names in a path that stand for an element of a list, and the list.
constexpr std::pair<const char*, const char*> kEach[] = {
    {"target", "targets"}, {"deb_root", "targets"}, {"model", "models"}, {"part", "parts"}};

// A template whose path names the target, or the model, is a file for each of them.
void add_template(Files& files, std::string_view path, std::string_view text,
                  const TemplateValues& values) {
  for (const auto& [key, list] : kEach) {
    if (path.find(cat("_", key, "_")) == std::string_view::npos || values.contains(key)) continue;
    for (const TemplateValues& element : values[list])
      add_template(files, path, text, within(values, element));
    return;
  }
  const std::string name = filled_path(path, values);
  const std::string filled = expand_template(template_text(text), values, escape_for(name));
  // Where nothing is left of a template, there is nothing to be said of that target.
  if (!filled.empty()) add(files, name, bytes_of(filled), name.ends_with(".sh"));
}

void add_templates(Files& files, const PackageFormat& format, const TemplateValues& values) {
  for (const std::string& set : split(format.templates, ' ')) {
    // Each is called as the file that it becomes, with .in behind it.
    const std::string folder = cat("templates/", set, "/");
    for (const EmbeddedFile& file : embedded_files())
      if (file.path.starts_with(folder))
        add_template(files, file.path.substr(folder.size(), file.path.size() - folder.size() - 3),
                     file.text, values);
  }
}

void add_compiled(Files& files, const PackageFormat& format, const TemplateValues& values,
                  std::vector<PackagedModel>& models) {
  for (PackagedModel& model : models)
    for (size_t t = 0; t < model.targets.size(); ++t) {
      const TemplateValues scope = within(values, values["targets"][t]);
      for (package::File& file : model.targets[t].files) {
        const std::string_view folder = file.name.ends_with(".json") ? format.manifests
                                        : file.name.ends_with(".h")  ? format.headers
                                                                     : format.code;
        const std::string path = cat(filled_path(folder, scope), "/", file.name);
        add(files, path, std::move(file.bytes));
      }
    }
}

// The files of toolchains/ that programs for the targets' boards need.
std::set<std::string> board_files(const PackageSpec& spec) {
  std::set<std::string> out;
  for (const PackageTarget& one : spec.targets) {
    BoardRow row = row_for(one.target);
    if (row.empty()) continue;
    for (const char* always : {"board.h", "board_text.c", "board_measure.c", "CMakeLists.txt",
                               "toolchain.cmake", "link_firmware.sh", "run_board.sh", "presets.sh"})
      out.insert(cat("boards/", always));
    std::string more =
        cat(row["start"], " ", row["script"], " ", row["support"], " ", row["runner"]);
    if (!row["script"].empty())
      more += " board_semihost.c board_semihost.h board_memory.c";
    else if (row["support"].empty())
      more += " board_linux.c";
    if (!row["runner"].empty()) more += " board_avr.h";
    for (const std::string& word : split(more, ' '))
      if (!word.empty()) out.insert(cat("boards/", word));
    const std::string board = one.target.name == "host" ? "host" : one.target.board;
    if (board != "host") out.insert(board + ".cmake");
    for (const std::string& name : board_row_names(board))
      out.insert(cat("boards/presets/", name, ".conf"));
  }
  return out;
}

void add_shared(Files& files, const PackageSpec& spec, const TemplateValues& values) {
  const PackageFormat& format = *spec.format;
  const std::set<std::string> boards =
      format.boards.empty() ? std::set<std::string>() : board_files(spec);
  for (const EmbeddedFile& file : embedded_files()) {
    const std::string_view name = file.path.substr(file.path.find('/') + 1);
    if (file.path.starts_with("runtime_stub/"))
      for (const TemplateValues& target : values["targets"])
        add(files, cat(filled_path(format.stub, within(values, target)), "/", name),
            bytes_of(file.text));
    if (file.path.starts_with("toolchains/") && boards.contains(std::string(name)))
      add(files, cat(format.boards, "/", name), bytes_of(file.text), name.ends_with(".sh"));
  }
  add(files, "LICENSES/Apache-2.0.txt", bytes_of(embedded_text("LICENSE")));
}

}  // namespace

std::vector<package::File> package_files(const PackageSpec& spec, const TemplateValues& values,
                                         std::vector<PackagedModel> models) {
  Files files;
  add_shared(files, spec, values);
  add_templates(files, *spec.format, values);
  add_compiled(files, *spec.format, values, models);
  std::vector<package::File> out;
  for (auto& [path, file] : files) out.push_back(std::move(file));
  const std::string manifest = package::json_text(package_manifest(values, out)) + "\n";
  out.push_back({kPackageManifest, bytes_of(manifest)});
  return out;
}

nlohmann::ordered_json package_manifest(const TemplateValues& values,
                                        const std::vector<package::File>& files) {
  nlohmann::ordered_json out;
  out["schema"] = 1;
  for (const char* key : {"format", "package", "version", "description", "license"})
    out[key] = values[key];
  out["hlocc"] = values["hlocc_version"];
  out["targets"] = nlohmann::ordered_json::array();
  for (const TemplateValues& target : values["targets"]) {
    nlohmann::ordered_json one = {{"target", target["target"]}, {"triple", target["triple"]}};
    for (const TemplateValues& part : target["parts"]) {
      nlohmann::ordered_json model;
      for (const char* key : {"class", "code", "header", "manifest", "ram_bytes", "flash_bytes",
                              "stack_bytes", "expected_cycles"})
        model[key] = part[key];
      one["models"].push_back(std::move(model));
    }
    out["targets"].push_back(std::move(one));
  }
  out["files"] = nlohmann::ordered_json::array();
  for (const package::File& file : files)
    out["files"].push_back({{"path", file.name},
                            {"bytes", file.bytes.size()},
                            {"sha256", sha256(file.bytes.joined())}});
  return out;
}

}  // namespace hlocc::driver
