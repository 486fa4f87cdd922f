// See keep.h. The index has the form of tests/data/ops/index.json, one case a line, sorted by name
// so that two people's additions merge.
#include "fuzz/keep.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "driver/pipeline/load.h"
#include "fuzz/differential.h"
#include "fuzz/random.h"
#include "interpreter/interpreter.h"
#include "support/text.h"

namespace hlocc::fuzz {
namespace {

using Json = nlohmann::ordered_json;
using Index = std::map<std::string, Json>;

std::string index_path(const std::string& folder) { return folder + "/index.json"; }

Index read_index(const std::string& folder) {
  Index out;
  std::ifstream file(index_path(folder));
  const Json all = Json::parse(file, nullptr, false);
  if (all.is_discarded() || !all.contains("cases")) return out;
  for (const Json& row : all["cases"]) out[row["name"].get<std::string>()] = row;
  return out;
}

void write_index(const Index& index, const std::string& folder) {
  std::ofstream file(index_path(folder));
  file << "{\"corpus\": \"regressions\", \"count\": " << index.size() << ", \"cases\": [\n";
  size_t left = index.size();
  for (const auto& [name, row] : index) file << row.dump() << (--left ? ",\n" : "\n");
  file << "]}\n";
}

Result<Program> read_program(const std::string& path) {
  HLOCC_TRY_ASSIGN(import::Imported imported, driver::load_model(path));
  Program program{std::move(imported.module), {}};
  if (imported.snapshot) {
    program.arguments = std::move(imported.snapshot->arguments);
    return program;
  }
  Random random(1);
  for (const Shape& shape : program.module.entry_parameters)
    program.arguments.push_back(random_literal(shape, Fill::kSmall, random));
  return program;
}

// What the case is about: the ops that compute, and the types of all values.
Json described(const Program& program, const std::string& name, const std::string& note) {
  std::set<std::string> opcodes, types;
  for (const Computation& computation : program.module.computations)
    for (const hlo::Instruction& one : computation.instructions) {
      for (const Shape& leaf : hlo::leaf_shapes(one.shape))
        if (leaf.is_array()) types.insert(cat(leaf.element_type));
      static const std::set<Opcode> idle = {Opcode::kParameter, Opcode::kConstant, Opcode::kTuple,
                                            Opcode::kGetTupleElement};
      if (!idle.contains(one.opcode)) opcodes.insert(cat(hlo::opcode_name(one.opcode)));
    }
  Json row;
  row["name"] = name;
  row["opcodes"] = opcodes;
  row["dtypes"] = types;
  if (!note.empty()) row["note"] = note;
  return row;
}

// Empty, or what went wrong.
std::string keep(const Keep& one, const std::string& folder, Index& index) {
  const Result<Program> program = read_program(one.path);
  if (!program) return cat(one.path, ": ", program.error().message);
  const Finding finding = check(*program, {}, 60);
  if (finding.outcome != Outcome::kAgree) return cat(one.path, ": ", finding.what);
  const std::string rules = cat(folder, "/", one.name, ".json");
  write_case(*program, folder, one.name, true);
  if (!std::filesystem::exists(rules)) return cat(one.path, ": hangs on roundings; not kept");
  std::ifstream file(rules);
  Json row = described(*program, one.name, one.note);
  row["tolerance"] = Json::parse(file)["tolerance"];
  std::filesystem::remove(rules);
  index[one.name] = std::move(row);
  return {};
}

}  // namespace

std::vector<std::string> keep_cases(const std::vector<Keep>& cases, const std::string& folder) {
  Index index = read_index(folder);
  std::vector<std::string> wrong;
  for (const Keep& one : cases)
    if (const std::string what = keep(one, folder, index); !what.empty()) wrong.push_back(what);
  write_index(index, folder);
  return wrong;
}

std::vector<std::string> refresh_cases(const std::string& folder) {
  std::vector<Keep> all;
  for (const auto& [name, row] : read_index(folder))
    all.push_back({cat(folder, "/", name, ".snapshot.pb"), name, row.value("note", std::string())});
  return keep_cases(all, folder);
}

}  // namespace hlocc::fuzz
