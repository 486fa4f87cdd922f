// Programs inside and just outside of the passes' conditions (cases/*.hlo, each of which names its
// passes in the first line): what becomes of each, chip by chip, is golden (golden/cases_*.txt,
// written anew with HLOCC_REGENERATE=1), and what they mean stays. Which ops share a kernel, or
// which way round a product lies, changes no result, and so nothing else would show that a
// condition was turned round.
#include <filesystem>
#include <fstream>

#include "ops/text/printer.h"
#include "support/cases.h"
#include "support/golden.h"
#include "support/text.h"
#include "transforms/pipeline.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

// One of each kind: soft-float, FPU, vectors and caches, wide vectors with masks on a core that
// runs ahead, that for size, and caches so small that little pays.
const std::vector<std::pair<std::string, Target>>& case_chips() {
  static const auto& chips = *new std::vector<std::pair<std::string, Target>>([] {
    std::vector<std::pair<std::string, Target>> all;
    for (const char* name : {"cortex-m0", "cortex-m4f", "cortex-a53"})
      all.emplace_back(name, *preset(name));
    Target wide = *preset("cortex-a53");
    wide.vector_bits = 256;
    wide.vector_registers = 16;
    wide.multiply_by_lane = false;
    wide.out_of_order = wide.masked_vectors = true;
    all.emplace_back("wide", wide);
    wide.options.level = Level::kOs;
    all.emplace_back("wide-Os", wide);
    Target tiny = *preset("cortex-a53");
    tiny.cache_bytes = {512, 16 << 10, 1 << 20};
    all.emplace_back("tiny-cache", tiny);
    return all;
  }());
  return chips;
}

// An instruction without names: its shape, opcode and attributes; of a fusion what it holds.
std::string outline(const Module& module, const hlo::Computation& c, const hlo::Instruction& i) {
  if (i.opcode == Opcode::kFusion) {
    std::string inside;
    for (const hlo::Instruction& member : module.computations[i.called[0]].instructions)
      if (member.opcode != Opcode::kParameter && member.opcode != Opcode::kConstant)
        inside += cat(inside.empty() ? "" : " ", hlo::opcode_name(member.opcode));
    const auto& fusion = i.get<hlo::FusionAttributes>();
    return cat("fusion ", hlo::schedule_name(fusion.schedule),
               fusion.serpentine ? " serpentine" : "", "(", inside, ")",
               i.shape.is_tuple() ? cat(" of ", i.shape.tuple.size()) : "");
  }
  std::string line = ops::to_text(module, c, i);
  line = line.substr(line.find(" = ") + 3);
  const size_t open = line.find(cat(hlo::opcode_name(i.opcode), "("));
  const size_t from = line.find('(', open), to = line.find(')', from);
  return line.substr(0, from) + line.substr(to + 1);
}

// What the entry and the bodies of its loops hold.
std::string outline(const Module& module) {
  std::string text;
  std::vector<hlo::ComputationId> todo{module.entry};
  for (size_t at = 0; at < todo.size(); ++at) {
    const hlo::Computation& c = module.computations[todo[at]];
    for (const hlo::Instruction& i : c.instructions) {
      if (i.opcode == Opcode::kWhile || i.opcode == Opcode::kConditional)
        todo.insert(todo.end(), i.called.begin(), i.called.end());
      switch (i.opcode) {
        case Opcode::kParameter:
        case Opcode::kConstant:
        case Opcode::kTuple:
        case Opcode::kGetTupleElement: break;
        default: text += cat("  ", at > 0 ? "| " : "", outline(module, c, i), "\n");
      }
    }
  }
  return text;
}

// The passes that the first line of the file names: "@ simplify fuse".
std::vector<Pass> passes_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  INFO(path << ": " << line);
  REQUIRE(line.starts_with("@ "));
  std::vector<Pass> chosen;
  for (const std::string& name : split(line.substr(2), ' ')) {
    const auto table = transforms::passes();
    const auto found = std::find_if(table.begin(), table.end(),
                                    [&](const auto& pass) { return pass.name == name; });
    REQUIRE(found != table.end());
    chosen.push_back(found->run);
  }
  return chosen;
}

void check_cases(const std::string& name) {
  const std::string path = cat("cases/", name, ".hlo");
  const std::vector<Pass> passes = passes_of(path);
  std::string all;
  for (const Case& each : read_cases(path)) {
    INFO(each.name);
    const Module before = module_from(each.text);
    std::vector<std::pair<std::string, std::string>> found;  // the outline, and chips that have it
    for (const auto& [chip, target] : case_chips()) {
      Module module = before;
      Status status;
      for (const Pass pass : passes)
        if (status) status = pass(module, {target});
      std::string text =
          status ? outline(module) : cat("  refused: ", status.error().message, "\n");
      const auto known = std::find_if(found.begin(), found.end(),
                                      [&](const auto& other) { return other.first == text; });
      if (known != found.end()) {
        known->second += " " + chip;
        continue;
      }
      if (status) check_same_meaning(before, module, {.rtol = 1e-4, .atol = 1e-5});
      found.emplace_back(std::move(text), chip);
    }
    all += cat("# ", each.name, "\n");
    for (const auto& [text, chips] : found) all += cat(" ", chips, ":\n", text);
  }
  check_golden(cat("golden/cases_", name, ".txt"), all);
}

}  // namespace

// In parts, each short enough for runs of mutants: the files whose names lie from `first` to before
// `end`.
namespace {
void check_cases_from(const std::string& first, const std::string& end) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator("cases")) {
    const std::string name = entry.path().stem().string();
    if (name < first || name >= end) continue;
    check_cases(name);
    ++files;
  }
  CHECK(files > 0);
}
}  // namespace
TEST_CASE("programs inside and outside of conditions, a to c") { check_cases_from("", "d"); }
TEST_CASE("programs inside and outside of conditions, d and e") { check_cases_from("d", "f"); }
TEST_CASE("programs inside and outside of conditions, f") { check_cases_from("f", "g"); }
TEST_CASE("programs inside and outside of conditions, g to p") { check_cases_from("g", "q"); }
TEST_CASE("programs inside and outside of conditions, q") { check_cases_from("q", "r"); }
TEST_CASE("programs inside and outside of conditions, r") { check_cases_from("r", "s"); }
TEST_CASE("programs inside and outside of conditions, sa to sp") { check_cases_from("s", "sq"); }
TEST_CASE("programs inside and outside of conditions, sq to t") { check_cases_from("sq", "u"); }
TEST_CASE("programs inside and outside of conditions, u to z") { check_cases_from("u", "zz"); }

}  // namespace hlocc::tests
