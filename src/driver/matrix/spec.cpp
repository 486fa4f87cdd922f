// See spec.h: the product of models, targets and axes, less what is excluded, with what is
// included; then the command line of each.
#include "driver/matrix/spec.h"

#include <fnmatch.h>

#include <algorithm>

#include "driver/matrix/draft.h"
#include "driver/pipeline/backend_table.h"
#include "driver/pipeline/targets.h"
#include "package/names.h"
#include "support/suggest.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// A cell before its flags are a command line.
struct Draft {
  const MatrixModel* model = nullptr;
  std::string target;
  std::vector<std::pair<std::string, std::string>> axes;
  MatrixFlagValues flags;
  std::optional<bool> verify;
  Location where;

  // What a rule calls `key`; null: the cell has no such axis.
  const std::string* value_of(const std::string& key) const {
    if (key == "model") return &model->name;
    if (key == "target") return &target;
    for (const auto& axis : axes)
      if (axis.first == key) return &axis.second;
    return nullptr;
  }
};

bool fits(const MatrixRule& rule, const Draft& cell) {
  return std::ranges::all_of(rule.match, [&](const auto& wanted) {
    const std::string* value = cell.value_of(wanted.first);
    return value != nullptr && ::fnmatch(wanted.second.c_str(), value->c_str(), 0) == 0;
  });
}

// Options lie under the model's flags, these under the target's, these under the axes'.
Draft make(const MatrixDraft& matrix, const MatrixModel& model, const MatrixTarget& target) {
  Draft out{&model, target.name, {}, matrix.options, std::nullopt, model.where};
  lay_over(out.flags, model.flags);
  lay_over(out.flags, target.flags);
  return out;
}

std::vector<Draft> product(const MatrixDraft& matrix) {
  std::vector<Draft> out;
  for (const MatrixModel& model : matrix.models)
    for (const MatrixTarget& target : matrix.targets) out.push_back(make(matrix, model, target));
  for (const MatrixAxis& axis : matrix.axes) {
    std::vector<Draft> all;
    for (const Draft& cell : out)
      for (const MatrixAxis::Value& value : axis.values) {
        all.push_back(cell);
        all.back().axes.emplace_back(axis.key, value.text);
        all.back().flags[axis.key] = value.flags;
      }
    out = std::move(all);
  }
  return out;
}

const MatrixTarget& target_called(const MatrixDraft& matrix, const MatrixTarget& other) {
  const auto found = std::ranges::find_if(
      matrix.targets, [&](const MatrixTarget& one) { return one.name == other.name; });
  return found == matrix.targets.end() ? other : *found;
}

// An inclusion adds to the cells that it fits; one that fits none is a cell of its own.
Status include(const MatrixDraft& matrix, const MatrixRule& rule, std::vector<Draft>& cells) {
  const auto add_to = [&](Draft& cell) {
    lay_over(cell.flags, rule.flags);
    if (rule.verify) cell.verify = rule.verify;
  };
  bool is_found = false;
  for (Draft& cell : cells) {
    if (!fits(rule, cell)) continue;
    add_to(cell);
    is_found = true;
  }
  if (is_found) return {};
  const auto wrong = [&](const std::string& why) {
    return error(DiagnosticKind::kUsage, why).at(rule.where);
  };
  const auto model = rule.match.find("model"), target = rule.match.find("target");
  if (model == rule.match.end() || target == rule.match.end())
    return wrong("no cell is like that, and a cell of its own has a \"model\" and a \"target\"");
  const auto found = std::ranges::find_if(
      matrix.models, [&](const MatrixModel& one) { return one.name == model->second; });
  if (found == matrix.models.end()) {
    std::vector<std::string> names;
    for (const MatrixModel& one : matrix.models) names.push_back(one.name);
    return suggest(wrong(cat("there is no model '", model->second, "'")), model->second, names)
        .note("models are " + join(names, ", "));
  }
  Draft cell = make(matrix, *found, target_called(matrix, {target->second, {}, rule.where}));
  cell.where = rule.where;
  for (const auto& [key, value] : rule.match) {
    if (key == "model" || key == "target") continue;
    cell.axes.emplace_back(key, value);
    cell.flags[key] = {{cat(key.size() == 1 ? "-" : "--", key), value, rule.where}};
  }
  add_to(cell);
  cells.push_back(std::move(cell));
  return {};
}

// As part of a path.
std::string safe(std::string text) {
  std::ranges::replace_if(
      text,
      [](unsigned char c) {
        return !std::isalnum(c) && std::string_view("._-+").find(c) == std::string_view::npos;
      },
      '_');
  return text;
}

std::string folder_of(const std::string& output, const Draft& cell) {
  std::string out = cat(output, "/", safe(cell.target));
  for (const auto& [key, value] : cell.axes) out += cat("/", safe(cat(key, "-", value)));
  return out;
}

// Command lines by their flags: most cells share them.
class CommandLines {
 public:
  Result<CommandLine> get(const Draft& cell) {
    std::vector<std::string> words = {"hlocc", "compile", cell.model->path,
                                      "--target=" + cell.target};
    std::vector<ConfigValue> values;
    std::string key;
    for (const auto& [name, given] : cell.flags)
      for (const ConfigValue& value : given) {
        words.push_back(value.word());
        values.push_back(value);
        key += cat(words.back(), "\n");
      }
    auto known = known_.find(key);
    if (known == known_.end()) {
      std::vector<const char*> pointers;
      for (const std::string& word : words) pointers.push_back(word.c_str());
      Result<CommandLine> line =
          parse_command_line(static_cast<int>(pointers.size()), pointers.data());
      if (!line) return located(locate_in_config(std::move(line).error(), values), cell);
      known = known_.emplace(std::move(key), std::move(line).value()).first;
    }
    CommandLine out = known->second;
    out.models = {cell.model->path};
    out.targets = {cell.target};
    HLOCC_TRY(check_target(known->first, out, cell, values));
    return out;
  }

 private:
  static Diagnostic located(Diagnostic why, const Draft& cell) {
    return why.location.file.empty() ? std::move(why).at(cell.where) : why;
  }

  // That there is the target with these flags, and a backend for it; once for each pair.
  Status check_target(const std::string& flags, const CommandLine& line, const Draft& cell,
                      const std::vector<ConfigValue>& values) {
    if (!checked_.emplace(cell.target, flags).second) return {};
    const auto checked = [&]() -> Status {
      HLOCC_TRY_ASSIGN(const Target target, resolve_target(cell.target, line));
      HLOCC_TRY(find_backend(target.backend, true));
      return {};
    };
    if (Status status = checked(); !status)
      return located(locate_in_config(std::move(status).error(), values), cell);
    return {};
  }

  std::map<std::string, CommandLine> known_;
  std::set<std::pair<std::string, std::string>> checked_;
};

std::vector<std::string> snapshots_of(const MatrixDraft& matrix, const Draft& cell) {
  const bool is_asked = cell.verify.value_or(matrix.verify || cell.model->snapshots.has_value());
  if (!is_asked) return {};
  std::vector<std::string> out = cell.model->snapshots.value_or(std::vector<std::string>{""});
  if (out.empty() && cell.verify.value_or(false)) out.emplace_back();
  for (std::string& path : out)
    if (path.empty()) path = cell.model->path;
  return out;
}

// Two cells whose files would have one name in one folder.
Status check_names(const std::vector<MatrixCell>& cells) {
  std::map<std::string, const MatrixCell*> seen;
  for (const MatrixCell& cell : cells) {
    const std::string& name = cell.line.options.name;
    const std::string stem = name.empty() ? package::stem_of_file(cell.line.models[0], {})
                                          : package::stem_of_class(name);
    const std::string path = cat(cell.line.output, "/", stem, ".h");
    const auto [other, is_new] = seen.emplace(path, &cell);
    if (!is_new)
      return error(DiagnosticKind::kUsage,
                   cat(other->second->id(), " and ", cell.id(), " would both write ", path))
          .at(cell.where)
          .note("give one of the models another \"name\", or what they differ in an axis");
  }
  return {};
}

}  // namespace

std::string MatrixCell::id() const {
  std::string out = cat(model, "/", target);
  for (const auto& [key, value] : axes) out += cat("/", key, "=", value);
  return out;
}

Result<MatrixSpec> read_matrix(const std::string& path, const std::string& output) {
  HLOCC_TRY_ASSIGN(const MatrixDraft draft, read_draft(path));
  std::vector<Draft> cells = product(draft);
  std::erase_if(cells, [&](const Draft& cell) {
    return std::ranges::any_of(draft.exclude,
                               [&](const MatrixRule& rule) { return fits(rule, cell); });
  });
  for (const MatrixRule& rule : draft.include) HLOCC_TRY(include(draft, rule, cells));
  if (cells.empty())
    return error(DiagnosticKind::kUsage, "has no cells: no models, no targets, or all excluded")
        .at({path, 0});
  MatrixSpec out{output.empty() ? draft.output : output, {}, draft.gates, draft.files};
  if (out.output.empty()) out.output = "matrix";
  CommandLines lines;
  for (const Draft& cell : cells) {
    MatrixCell made{cell.model->name, cell.target, cell.axes, {}, {}, cell.where};
    HLOCC_TRY_ASSIGN(made.line, lines.get(cell));
    made.line.output = folder_of(out.output, cell);
    made.snapshots = snapshots_of(draft, cell);
    out.cells.push_back(std::move(made));
  }
  HLOCC_TRY(check_names(out.cells));
  return out;
}

}  // namespace hlocc::driver
