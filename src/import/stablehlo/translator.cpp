// See translator.h.
#include "import/stablehlo/translator.h"

#include <algorithm>

#include "import/limits.h"
#include "import/stablehlo/op.h"
#include "import/stablehlo/op_table.h"
#include "support/text.h"

namespace hlocc::import::stablehlo {
namespace {

// Of constants that are made of constants.
constexpr int kMostSteps = 8;

bool is_terminator(std::string_view name) {
  return name == "return" || name == "stablehlo.return" || name == "func.return";
}

// What is cheap to make anew wherever it is used.
bool may_be_repeated(std::string_view name) {
  return name == "stablehlo.constant" || name == "stablehlo.iota" ||
         name == "stablehlo.broadcast_in_dim" || name == "stablehlo.convert" ||
         name == "stablehlo.reshape";
}

// HLO's rules call an instruction "% (add) in computation %main: ...", which has no name yet.
std::string_view without_place(std::string_view message) {
  const size_t place = message.find(" in computation %"), end = message.find(": ", place);
  if (!message.starts_with("% (") || end == std::string_view::npos) return message;
  return message.substr(end + 2);
}

// Whether an instruction gives what the types of the results say.
bool gives(const Shape& shape, const std::vector<Shape>& types) {
  if (types.size() == 1 && hlo::same_dimensions_and_type(shape, types[0])) return true;
  return shape.is_tuple() && shape.tuple.size() == types.size() &&
         std::equal(types.begin(), types.end(), shape.tuple.begin(), hlo::same_dimensions_and_type);
}

}  // namespace

void Translator::fail(size_t at, DiagnosticKind kind, std::string message) {
  if (!builder_.failure()) builder_.fail(source_.fail_at(at, kind, std::move(message)));
}

// --- values ---

const Translator::Value* Translator::find(std::string_view name, size_t& scope) const {
  for (scope = scopes_.size(); scope-- > first_scope_;)
    if (const auto found = scopes_[scope].find(name); found != scopes_[scope].end())
      return &found->second;
  return nullptr;
}

// Whether it is made of constants alone, so that it can be made anew.
bool Translator::is_free_of_values(const Node& node, size_t scope, int depth) const {
  if (depth > kMostSteps || !may_be_repeated(node.name)) return false;
  return std::all_of(node.operands.begin(), node.operands.end(), [&](const Use& use) {
    const auto found = scopes_[scope].find(use.name);
    return found != scopes_[scope].end() && found->second.node != nullptr &&
           is_free_of_values(*found->second.node, scope, depth + 1);
  });
}

InstructionId Translator::value(const Use& use) {
  if (builder_.failure()) return 0;
  size_t scope = 0;
  const Value* found = find(use.name, scope);
  if (found == nullptr) {
    fail(use.at, DiagnosticKind::kStructure, cat("nothing defines %", use.name, " before it"));
    return 0;
  }
  if (scope + 1 == scopes_.size()) {
    if (use.index >= 0 && use.index < static_cast<int64_t>(found->ids.size()) &&
        found->ids[use.index] != hlo::kNone)
      return found->ids[use.index];
    fail(use.at, DiagnosticKind::kStructure, cat("%", use.name, " has no result ", use.index));
    return 0;
  }
  if (found->node == nullptr || !is_free_of_values(*found->node, scope, 0)) {
    fail(use.at, DiagnosticKind::kUnsupported,
         cat("%", use.name,
             " is computed outside of the region that uses it, which HLO allows in "
             "loops and branches only"));
    return 0;
  }
  run(*found->node);
  return builder_.failure() ? 0 : value(use);
}

void Translator::define(std::string_view name, int64_t index, InstructionId id) {
  std::vector<InstructionId>& ids = scopes_.back()[name].ids;
  if (static_cast<int64_t>(ids.size()) <= index) ids.resize(index + 1, hlo::kNone);
  ids[index] = id;
}

std::vector<Use> Translator::captured(std::span<const Region> regions) {
  std::vector<Use> out;
  std::vector<std::unordered_set<std::string_view>> inside;
  std::set<std::pair<std::string_view, int64_t>> seen;
  for (const Region& region : regions) capture(region, inside, seen, out);
  return out;
}

// Regions nest no deeper than kMaxNesting.
void Translator::capture(const Region& region,
                         std::vector<std::unordered_set<std::string_view>>& inside,
                         std::set<std::pair<std::string_view, int64_t>>& seen,
                         std::vector<Use>& out) const {
  inside.emplace_back();
  for (const Argument& argument : region.arguments) inside.back().insert(argument.name);
  for (const Node& node : region.body) {
    for (const Use& use : node.operands) {
      const auto defines = [&](const auto& names) { return names.contains(use.name); };
      size_t scope = 0;
      if (std::any_of(inside.begin(), inside.end(), defines)) continue;
      const Value* found = find(use.name, scope);
      if (found == nullptr || (found->node != nullptr && is_free_of_values(*found->node, scope, 0)))
        continue;
      if (seen.emplace(use.name, use.index).second) out.push_back(use);
    }
    for (const Region& next : node.regions) capture(next, inside, seen, out);
    for (const Definition& one : node.results) inside.back().insert(one.name);
  }
  inside.pop_back();
}

// --- operations ---

void Translator::run(const Node& node) {
  if (builder_.failure()) return;
  Result<hlo::Metadata> metadata = locations_.of(node.location);
  if (!metadata)
    return builder_.fail(source_.located_at(node.location, std::move(metadata).error()));
  builder_.set_metadata(std::move(*metadata));
  builder_.set_line(node.line);
  const OpRow* row = find_op(node.name);
  if (row == nullptr)
    return fail(node.at, DiagnosticKind::kUnknownOpcode,
                cat(node.name, " is no operation that is read"));
  const Op op(*this, node, row->opcode);
  const InstructionId id = row->translate(op);
  // A rule of HLO's names the operation here.
  if (builder_.failure())
    return builder_.relocate([&](Diagnostic& why) {
      if (why.message.find("(column ") != std::string::npos) return;
      why.message = cat(node.name, ": ", without_place(why.message));
      why = source_.located_at(node.at, std::move(why));
    });
  op.finish();
  if (!builder_.failure()) bind(node, id);
}

void Translator::bind(const Node& node, InstructionId id) {
  const Shape shape = builder_.shape(id);
  int64_t count = 0;
  for (const Definition& one : node.results) count += one.count;
  if (!gives(shape, node.result_types) || (count > 0 && count != std::ssize(node.result_types)))
    return fail(node.at, DiagnosticKind::kShape,
                cat(node.name, " gives ", shape, ", and its type says ",
                    node.result_types.size() == 1 ? node.result_types[0]
                                                  : Shape::make_tuple(node.result_types)));
  const bool is_whole =
      node.result_types.size() == 1 && hlo::same_dimensions_and_type(shape, node.result_types[0]);
  int64_t at = 0;
  for (const Definition& one : node.results) {
    scopes_.back()[one.name] = {.ids = {}, .node = &node};
    for (int64_t i = 0; i < one.count; ++i, ++at)
      define(one.name, i, is_whole ? id : builder_.element(id, at));
  }
}

std::vector<InstructionId> Translator::body(const Region& region) {
  for (const Node& node : region.body) {
    if (builder_.failure()) return {};
    if (!is_terminator(node.name)) {
      run(node);
      continue;
    }
    if (&node != &region.body.back())
      fail(node.at, DiagnosticKind::kStructure, "operations stand behind the return");
    std::vector<InstructionId> out;
    for (const Use& use : node.operands) out.push_back(value(use));
    return out;
  }
  const size_t at = region.body.empty() ? 0 : region.body.back().at;
  fail(at, DiagnosticKind::kStructure, "a region does not end with a return");
  return {};
}

// --- computations ---

ComputationId Translator::finish(const std::vector<InstructionId>& results) {
  builder_.set_metadata({});
  const InstructionId root = results.size() == 1 ? results[0] : builder_.tuple(results);
  scopes_.pop_back();
  return builder_.end(root);
}

ComputationId Translator::region(const Region& region, const char* name) {
  builder_.begin(name);
  scopes_.emplace_back();
  builder_.set_metadata({});
  int64_t number = 0;
  for (const Argument& one : region.arguments) {
    define(one.name, 0, builder_.parameter(number, one.type, cat("arg", number)));
    ++number;
  }
  return finish(body(region));
}

ComputationId Translator::region_of_tuple(const Region& region, const std::vector<Use>& captured,
                                          const std::vector<Shape>& shapes, const char* name,
                                          bool gives_captured) {
  builder_.begin(name);
  scopes_.emplace_back();
  builder_.set_metadata({});
  const InstructionId in = builder_.parameter(0, Shape::make_tuple(shapes), "state");
  int64_t index = 0;
  for (const Argument& one : region.arguments) define(one.name, 0, builder_.element(in, index++));
  std::vector<InstructionId> kept;
  for (const Use& use : captured) {
    kept.push_back(builder_.element(in, index++));
    define(use.name, use.index, kept.back());
  }
  std::vector<InstructionId> results = body(region);
  if (!gives_captured) return finish(results);
  results.insert(results.end(), kept.begin(), kept.end());
  const InstructionId root = builder_.tuple(results);
  scopes_.pop_back();
  return builder_.end(root);
}

const Function* Translator::find(const std::string& name) const {
  for (const Function& one : program_.functions)
    if (one.name == name) return &one;
  return nullptr;
}

ComputationId Translator::function(const std::string& name, size_t at) {
  if (builder_.failure()) return 0;
  if (const auto done = functions_.find(name); done != functions_.end() && done->second != kOpen)
    return done->second;
  const Function* found = find(name);
  if (found == nullptr || !found->has_body) {
    fail(at, DiagnosticKind::kStructure, cat("no function is called @", name));
    return 0;
  }
  if (functions_.contains(name) || depth_ == kMaxNesting) {
    fail(at, DiagnosticKind::kStructure,
         functions_.contains(name) ? cat("function @", name, " calls itself")
                                   : cat("calls nest deeper than ", kMaxNesting));
    return 0;
  }
  functions_[name] = kOpen;
  const size_t outer = std::exchange(first_scope_, scopes_.size());
  ++depth_;
  const ComputationId made = region(found->region, found->name.c_str());
  --depth_;
  first_scope_ = outer;
  return functions_[name] = made;
}

}  // namespace hlocc::import::stablehlo
