// See draft.h: files, models and targets.
#include "driver/matrix/draft.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "driver/matrix/draft_reader.h"
#include "import/file.h"
#include "support/suggest.h"
#include "support/text.h"

namespace hlocc::driver {

namespace {

namespace fs = std::filesystem;
using Kind = LocatedJson::Kind;

}  // namespace

const DraftReader::Key DraftReader::kKeys[] = {
    {"$schema", &DraftReader::ignore},  {"extends", &DraftReader::extends},
    {"output", &DraftReader::output},   {"models", &DraftReader::models},
    {"targets", &DraftReader::targets}, {"axes", &DraftReader::axes},
    {"options", &DraftReader::options}, {"include", &DraftReader::include},
    {"exclude", &DraftReader::exclude}, {"verify", &DraftReader::verify},
    {"gates", &DraftReader::gates}};

Diagnostic DraftReader::unknown(const LocatedJson& value, const std::string& key,
                                const std::vector<std::string>& known) const {
  Diagnostic out = suggest(wrong(value, cat("there is no '", key, "' here")), key, known);
  if (out.notes.empty()) out.notes.push_back("there are " + join(known, ", "));
  return out;
}

std::string DraftReader::from_here(const std::string& path) const {
  return (fs::path(file_).parent_path() / path).string();  // what is absolute stays as it is
}

Status DraftReader::read(const std::string& path) {
  file_ = path;
  HLOCC_TRY_ASSIGN(const std::vector<std::byte> bytes, import::read_file(path));
  HLOCC_TRY_ASSIGN(
      const LocatedJson root,
      read_located_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path));
  if (!root.is_object()) return wrong(root, cat("is ", root.what(), "; a matrix is an object"));
  draft_.files.push_back(path);
  std::vector<std::string> known;
  for (const Key& key : kKeys) known.emplace_back(key.name);
  for (const auto& [name, value] : root.members)
    if (std::ranges::find(known, name) == known.end()) return unknown(value, name, known);
  // In the order of the table: what a file extends lies under what it says itself.
  for (const Key& key : kKeys)
    if (const LocatedJson* value = root.find(key.name)) HLOCC_TRY((this->*key.read)(*value));
  return {};
}

Result<std::vector<std::string>> DraftReader::texts(const LocatedJson& value,
                                                    std::string_view key) const {
  if (!value.is_array()) return is_no(value, key, "an array of strings");
  std::vector<std::string> out;
  for (const LocatedJson& item : value.items) {
    if (!item.is_string() || item.text.empty()) return is_no(item, key, "an array of strings");
    out.push_back(item.text);
  }
  return out;
}

Status DraftReader::extends(const LocatedJson& value) {
  if (!value.is_array()) return is_no(value, "extends", "an array of files");
  for (const LocatedJson& item : value.items) HLOCC_TRY(add_file(item));
  return {};
}

Status DraftReader::add_file(const LocatedJson& value) {
  if (!value.is_string() || value.text.empty()) return is_no(value, "extends", "an array of files");
  const std::string path = from_here(value.text);
  std::error_code failure;
  const std::string real = fs::weakly_canonical(path, failure).string();
  if (std::ranges::find(open_, real) != open_.end())
    return wrong(value, cat(value.text, " extends itself: ", join(open_, ", which extends "),
                            ", which extends ", real));
  open_.push_back(real);
  DraftReader reader(draft_, open_);
  if (Status status = reader.read(path); !status) {
    Diagnostic why = std::move(status).error();
    return why.location.file.empty() ? std::move(why).at(at(value)) : why;
  }
  open_.pop_back();
  return {};
}

Status DraftReader::output(const LocatedJson& value) {
  if (!value.is_string() || value.text.empty()) return is_no(value, "output", "a folder");
  draft_.output = from_here(value.text);
  return {};
}

Status DraftReader::models(const LocatedJson& value) {
  if (!value.is_object()) return is_no(value, "models", "an object of models by name");
  for (const auto& [name, model] : value.members) HLOCC_TRY(add_model(name, model));
  return {};
}

Status DraftReader::add_model(const std::string& name, const LocatedJson& value) {
  const bool is_name = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-' || c == '.';
  });
  if (!is_name)
    return wrong(value, cat("'", name, "': a model's name is of letters, digits and . _ -"));
  MatrixModel model{name, "", {}, std::nullopt, at(value)};
  if (value.is_string()) model.path = value.text;
  for (const auto& [key, member] : value.members) {
    if (key == "path") {
      if (!member.is_string()) return is_no(member, "path", "a file");
      model.path = member.text;
    } else if (key == "verify") {
      if (member.kind == Kind::kTrue || member.kind == Kind::kFalse) {
        model.snapshots.emplace();
        if (member.kind == Kind::kTrue) model.snapshots->push_back("");  // the model's own file
        continue;
      }
      HLOCC_TRY_ASSIGN(model.snapshots, texts(member, "verify"));
      for (std::string& path : *model.snapshots) path = from_here(path);
    } else {
      HLOCC_TRY(add_flag(key, member, model.flags));
    }
  }
  if (model.path.empty())
    return wrong(value, cat("'", name, "' is a file, or an object with a \"path\""));
  model.path = from_here(model.path);
  std::erase_if(draft_.models, [&](const MatrixModel& other) { return other.name == name; });
  draft_.models.push_back(std::move(model));
  return {};
}

Status DraftReader::targets(const LocatedJson& value) {
  if (!value.is_array()) return is_no(value, "targets", "an array");
  for (const LocatedJson& item : value.items) HLOCC_TRY(add_target(item));
  return {};
}

Status DraftReader::add_target(const LocatedJson& value) {
  MatrixTarget target{value.is_string() ? value.text : "", {}, at(value)};
  for (const auto& [key, member] : value.members) {
    if (key != "target") {
      HLOCC_TRY(add_flag(key, member, target.flags));
      continue;
    }
    if (!member.is_string()) return is_no(member, "target", "a string");
    target.name = member.text;
  }
  if (target.name.empty())
    return wrong(value, "a target is its name, or an object with a \"target\"");
  std::erase_if(draft_.targets, [&](const auto& other) { return other.name == target.name; });
  draft_.targets.push_back(std::move(target));
  return {};
}

void lay_over(MatrixFlagValues& under, const MatrixFlagValues& over) {
  for (const auto& [key, values] : over) under[key] = values;
}

Result<MatrixDraft> read_draft(const std::string& path) {
  MatrixDraft out;
  std::error_code failure;
  std::vector<std::string> open = {fs::weakly_canonical(path, failure).string()};
  DraftReader reader(out, open);
  HLOCC_TRY(reader.read(path));
  return out;
}

}  // namespace hlocc::driver
