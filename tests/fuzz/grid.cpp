// See grid.h. Elementwise ops get all codes of small types and all pairs of edge values; the others
// a handful of random shapes and attributes for each element type.
#include "fuzz/grid.h"

#include <algorithm>

#include "fuzz/noise.h"
#include "fuzz/proposals.h"
#include "support/text.h"

namespace hlocc::fuzz {
namespace {

using Visit = std::function<void(const GridCell&)>;

constexpr int64_t kAnySize = int64_t{1} << 20;

Knobs grid_knobs(int64_t max_elements) {
  Knobs knobs;
  knobs.max_elements = max_elements;
  knobs.fresh_operands = true;
  knobs.layouts = false;
  return knobs;
}

struct ElementwiseRow {
  Opcode opcode;
  std::string name;
  int operands;
};

std::vector<ElementwiseRow> elementwise_rows() {
  std::vector<ElementwiseRow> rows;
#define HLOCC_OPCODE(name, text, family, min, max, ...)                                       \
  if (hlo::Family::family == hlo::Family::kElementwise && min == max && min <= 2 &&           \
      Opcode::name != Opcode::kConvert && Opcode::name != Opcode::kCompare &&                 \
      Opcode::name != Opcode::kReducePrecision && Opcode::name != Opcode::kStochasticConvert) \
    rows.push_back({Opcode::name, text, min});
#include "hlo/opcodes.def"
  return rows;
}

// Element `pick(i)` of `values` at each i.
Literal picked(const Literal& values, int64_t count, const std::function<int64_t(int64_t)>& pick) {
  Literal out = Literal::zeros(Shape::array(values.type(), {count}));
  const int64_t width = hlo::storage_bytes(values.type());
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(out.mutable_bytes().data() + i * width, values.bytes().data() + pick(i) * width,
                static_cast<size_t>(width));
  return out;
}

// All pairs of values as two vectors.
std::pair<Literal, Literal> pairs(const Literal& edges) {
  const int64_t n = edges.element_count();
  return {picked(edges, n * n, [&](int64_t i) { return i / n; }),
          picked(edges, n * n, [&](int64_t i) { return i % n; })};
}

// Exact but for functions, which may differ by a few units in the last place of a type that has
// many.
Tolerance elementwise_tolerance(Opcode opcode, PrimitiveType type) {
  hlo::CompareRule rule{.exact = true, .signed_zero = true, .denorm = false};
  const bool function =
      std::holds_alternative<hlo::ResultAccuracyAttributes>(default_attributes(opcode)) ||
      opcode == Opcode::kPower || opcode == Opcode::kAtan2;
  if (is_complex(type)) {
    // Formulas differ in the zeros that they come to.
    rule.exact = rule.signed_zero = false;
    rule.rtol = type == PrimitiveType::kC64 ? 4e-6 : 1e-14;
    // Beside an infinite part, the other is held to its own size.
    rule.ulp = 16;
    if (opcode == Opcode::kPower) rule.rtol *= 100;
    // Infinite over finite with one part that underflows beside the other.
    if (opcode == Opcode::kDivide) rule.mismatch_frac = 0.002;
    if (opcode == Opcode::kAtan2) {
      rule.atol = 100 * rule.rtol;
      // At the cut, a rounding decides between pi and -pi.
      rule.mismatch_frac = 0.003;
    }
  } else if (is_float(type) && function && (opcode != Opcode::kSqrt)) {
    rule.exact = false;
    rule.ulp = hlo::type_bits(type) >= 32 ? 8 : 1;
  }
  return {rule};
}

void visit_cell(GridCell cell, Builder& b, const std::vector<Id>& results, const Visit& visit) {
  if (results.empty()) return;
  cell.program = b.take(results);
  visit(cell);
}

void elementwise_cells(const std::string& filter, const Visit& visit) {
  for (const ElementwiseRow& row : elementwise_rows()) {
    for (const PrimitiveType type : all_types()) {
      const std::string name = cat(row.name, " ", type);
      if (name.find(filter) == std::string::npos) continue;
      Random random(7);
      Builder b(random, grid_knobs(kAnySize));
      std::vector<Id> operands;
      if (row.operands == 1) {
        operands = {b.parameter(dense_values(type, random, 4096))};
      } else {
        // The angle of a huge power is noise.
        const bool powers = row.opcode == Opcode::kPower || row.opcode == Opcode::kAtan2;
        const auto [x, y] =
            pairs(powers && is_complex(type) ? moderate_values(type) : edge_values(type));
        operands = {b.parameter(x), b.parameter(y)};
      }
      const Id out = b.emit(row.opcode, operands);
      if (out == kNone) continue;
      visit_cell({name, {}, elementwise_tolerance(row.opcode, type), {name}}, b, {out}, visit);
    }
  }
}

void convert_cells(const std::string& filter, const Visit& visit) {
  for (const PrimitiveType type : all_types()) {
    const std::string name = cat("convert ", type);
    if (name.find(filter) == std::string::npos) continue;
    Random random(7);
    Builder b(random, grid_knobs(kAnySize));
    const Id x = b.parameter(dense_values(type, random, 4096));
    GridCell cell{
        name, {}, {hlo::CompareRule{.exact = true, .signed_zero = true, .denorm = false}}, {}};
    std::vector<Id> results;
    for (const PrimitiveType to : all_types()) {
      if (is_complex(type) && !is_complex(to)) continue;
      results.push_back(b.emit(Opcode::kConvert, {x}, {}, {}, Shape::array(to, b.dims(x))));
      cell.results.push_back(cat(name, " to ", to));
    }
    visit_cell(std::move(cell), b, results, visit);
  }
}

void compare_cells(const std::string& filter, const Visit& visit) {
  for (const PrimitiveType type : all_types()) {
    const std::string name = cat("compare ", type);
    if (name.find(filter) == std::string::npos) continue;
    Random random(7);
    Builder b(random, grid_knobs(kAnySize));
    const auto [x, y] = pairs(edge_values(type));
    const Id left = b.parameter(x), right = b.parameter(y);
    GridCell cell{name, {}, {hlo::CompareRule{.exact = true}}, {}};
    std::vector<Id> results;
    for (const bool total : {false, !is_complex(type)})
      for (int direction = 0; direction < 6; ++direction) {
        const Id out = b.emit(Opcode::kCompare, {left, right},
                              hlo::CompareAttributes{static_cast<hlo::Direction>(direction),
                                                     comparison_type(type, total)});
        if (out == kNone) continue;
        results.push_back(out);
        cell.results.push_back(cat(name, " direction ", direction, total ? " total" : ""));
      }
    visit_cell(std::move(cell), b, results, visit);
  }
}

void reduce_precision_cells(const std::string& filter, const Visit& visit) {
  for (const PrimitiveType type : all_types()) {
    const std::string name = cat("reduce-precision ", type);
    // Without a zero there is nothing to flush to, and every way makes up something else.
    if (!is_float(type) || type == PrimitiveType::kF8E8M0FNU ||
        name.find(filter) == std::string::npos)
      continue;
    Random random(7);
    Builder b(random, grid_knobs(kAnySize));
    const Id x = b.parameter(dense_values(type, random, 4096));
    GridCell cell{
        name, {}, {hlo::CompareRule{.exact = true, .signed_zero = true, .denorm = false}}, {}};
    std::vector<Id> results;
    for (const int exponent : {1, 2, 3, 4, 5, 8, 11, 15})
      for (const int mantissa : {0, 1, 2, 3, 7, 10, 23, 52, 60}) {
        results.push_back(b.emit(Opcode::kReducePrecision, {x},
                                 hlo::ReducePrecisionAttributes{exponent, mantissa}));
        cell.results.push_back(cat(name, " e", exponent, "m", mantissa));
      }
    visit_cell(std::move(cell), b, results, visit);
  }
}

// clamp and select on triples of edge values, with array and scalar bounds.
void ternary_cells(const std::string& filter, const Visit& visit) {
  for (const PrimitiveType type : all_types()) {
    const std::string name = cat("clamp ", type);
    if (name.find(filter) == std::string::npos) continue;
    Random random(7);
    Builder b(random, grid_knobs(kAnySize));
    const Literal edges = edge_values(type);
    const auto some = [&](int64_t) { return random.below(edges.element_count()); };
    const Id low = b.parameter(picked(edges, 4096, some)),
             x = b.parameter(picked(edges, 4096, some)),
             high = b.parameter(picked(edges, 4096, some));
    const Id bound = b.fresh(type, {}), which = b.fresh(PrimitiveType::kPred, {4096});
    GridCell cell{
        name, {}, {hlo::CompareRule{.exact = true, .signed_zero = true, .denorm = false}}, {}};
    std::vector<Id> results;
    for (const auto& [opcode, operands] :
         std::vector<std::pair<Opcode, std::vector<Id>>>{{Opcode::kClamp, {low, x, high}},
                                                         {Opcode::kClamp, {bound, x, high}},
                                                         {Opcode::kClamp, {low, x, bound}},
                                                         {Opcode::kSelect, {which, x, high}}})
      if (const Id out = b.emit(opcode, operands); out != kNone) {
        results.push_back(out);
        cell.results.push_back(cat(name, " ", results.size()));
      }
    visit_cell(std::move(cell), b, results, visit);
  }
}

uint64_t seed_of(const std::string& name) {
  uint64_t seed = 0;
  for (const char c : name) seed = seed * 131 + static_cast<unsigned char>(c);
  return seed;
}

// Every other proposal, several times with other shapes and attributes.
void structured_cells(const std::string& filter, const Visit& visit) {
  std::vector<std::string> elementwise;
  for (const ElementwiseRow& row : elementwise_rows()) elementwise.push_back(row.name);
  for (const Proposal& row : proposals()) {
    if (std::find(elementwise.begin(), elementwise.end(), row.name) != elementwise.end()) continue;
    for (const PrimitiveType type : all_types()) {
      const std::string name = cat("some ", row.name, " ", type);
      if (name.find(filter) == std::string::npos) continue;
      Random random(seed_of(name));
      Builder b(random, grid_knobs(600));
      GridCell cell{name, {}, {}, {}};
      std::vector<Id> results;
      for (int i = 0; i < 60 && results.size() < 8; ++i)
        if (const Id out = row.make(b, type); out != kNone) {
          results.push_back(out);
          cell.results.push_back(cat(name, " ", results.size()));
        }
      visit_cell(std::move(cell), b, results, visit);
    }
  }
}

}  // namespace

void each_cell(const std::string& filter, const Visit& visit) {
  elementwise_cells(filter, visit);
  convert_cells(filter, visit);
  compare_cells(filter, visit);
  reduce_precision_cells(filter, visit);
  ternary_cells(filter, visit);
  structured_cells(filter, visit);
}

}  // namespace hlocc::fuzz
