// See budgets.h.
#include "driver/pipeline/budgets.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "driver/analyze/layer_text.h"
#include "support/suggest.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

// A decimal number and a unit of the table; case does not matter.
std::optional<double> number_with_unit(const std::string& text, const std::vector<Unit>& units) {
  size_t end = 0;
  while (end < text.size() &&
         (std::isdigit(static_cast<unsigned char>(text[end])) != 0 || text[end] == '.'))
    ++end;
  const std::string digits = text.substr(0, end);
  if (digits.empty() || digits.size() > 18 || digits[0] == '.' || digits.back() == '.' ||
      std::count(digits.begin(), digits.end(), '.') > 1)
    return std::nullopt;
  const std::string unit = to_upper(text.substr(end));
  for (const Unit& row : units)
    if (row.name == unit) return std::strtod(digits.c_str(), nullptr) * row.factor;
  return std::nullopt;
}

std::string heaviest_layers(const Analysis& found) {
  std::vector<const Layer*> order;
  for (const Layer& layer : found.layers) order.push_back(&layer);
  std::ranges::stable_sort(
      order, [](const Layer* a, const Layer* b) { return a->flash_bytes > b->flash_bytes; });
  std::vector<std::string> names;
  for (const Layer* layer : order)
    if (names.size() < 3 && layer->flash_bytes > 0)
      names.push_back(cat(layer_name(layer->launch), " (", layer->flash_bytes, ")"));
  return names.empty() ? "" : cat("the largest in flash: ", join(names, ", "), " bytes");
}

}  // namespace

std::string largest_values(const Analysis& found) {
  std::vector<std::string> names;
  for (const AliveValue* value : found.at_peak())
    if (names.size() < 3) names.push_back(cat(value->name, " (", value->bytes, ")"));
  return names.empty() ? "" : cat("the largest values at the peak: ", join(names, ", "), " bytes");
}

std::string what_holds(const Analysis& found) {
  if (found.peak < 0) return "";
  const Layer& layer = found.layers[static_cast<size_t>(found.peak)];
  return cat(largest_values(found), "; it is in ", layer_name(layer.launch));
}

Result<int64_t> parse_bytes(const std::string& text, const char* flag) {
  const std::optional<double> bytes = number_with_unit(text, {{"", 1},
                                                              {"B", 1},
                                                              {"K", 1024},
                                                              {"KB", 1024},
                                                              {"KIB", 1024},
                                                              {"M", 1048576},
                                                              {"MB", 1048576},
                                                              {"MIB", 1048576},
                                                              {"G", 1073741824},
                                                              {"GB", 1073741824},
                                                              {"GIB", 1073741824}});
  if (!bytes || *bytes != std::floor(*bytes) || *bytes > 9e15)
    return error(DiagnosticKind::kUsage,
                 cat(flag, " ", text, ": it is a number of bytes, as in 65536, 64K or 1.5M"));
  return static_cast<int64_t>(*bytes);
}

Result<Limits> parse_limits(const std::string& text) {
  Limits out;
  const std::string what = cat("--limits ", text, ": ");
  for (const std::string& part : split(text, ',')) {
    const size_t equal = std::min(part.find('='), part.size());
    const std::string name = part.substr(0, equal);
    int64_t* into = name == "work" ? &out.work : name == "memory" ? &out.memory : nullptr;
    if (into == nullptr || equal == part.size())
      return suggest(
          error(DiagnosticKind::kUsage,
                cat(what, "it is work=N, memory=BYTES or both, as in work=40G,memory=8G")),
          name, {"work", "memory"});
    if (*into != 0) return error(DiagnosticKind::kUsage, cat(what, name, " stands there twice"));
    const std::string flag = cat("--limits ", name, " of");
    HLOCC_TRY_ASSIGN(*into, parse_bytes(part.substr(equal + 1), flag.c_str()));
    if (*into == 0) return error(DiagnosticKind::kUsage, cat(what, "no file takes nothing"));
  }
  return out;
}

Result<double> parse_clock(const std::string& text, const char* flag) {
  const std::optional<double> hertz =
      number_with_unit(text, {{"", 1}, {"HZ", 1}, {"KHZ", 1e3}, {"MHZ", 1e6}, {"GHZ", 1e9}});
  if (!hertz || *hertz <= 0)
    return error(DiagnosticKind::kUsage,
                 cat(flag, " ", text, ": it is a frequency, as in 80MHz or 1.2GHz"));
  return *hertz;
}

std::vector<Diagnostic> over_budget(const Analysis& found, const Budgets& budgets, bool chip) {
  std::vector<Diagnostic> out;
  const auto hold = [&](const char* what, int64_t needed, int64_t given, int64_t chip_has,
                        const std::string& parts, const std::string& largest,
                        const std::vector<std::string>& cures) {
    const bool by_chip = given < 0 && chip && chip_has > 0;
    const int64_t allowed = by_chip ? chip_has : given;
    if (allowed < 0 || needed <= allowed) return;
    Diagnostic one =
        error(DiagnosticKind::kBudget,
              cat(found.target, ": ", found.class_name, " needs ", needed, " bytes of ", what,
                  parts, ": ", by_chip ? "the chip has " : "the budget is ", allowed, ", ",
                  needed - allowed, " are missing"));
    if (!largest.empty()) one.notes.push_back(largest);
    for (const std::string& cure : cures) one.notes.push_back("cure: " + cure);
    out.push_back(std::move(one));
  };
  hold("RAM", found.ram_bytes(), budgets.ram, found.chip_ram,
       cat(" (arena ", found.arena_bytes, ", instance ", found.instance_bytes, ")"),
       largest_values(found), found.ram_cures);
  hold("flash", found.flash_bytes(), budgets.flash, found.chip_flash,
       cat(" (weights ", found.weights_bytes, ", code ",
           found.has_code ? cat(found.code_bytes + found.table_bytes) : "not known", ")"),
       heaviest_layers(found), found.flash_cures);
  hold("stack", found.stack_bytes, budgets.stack, 0, found.stack_is_lower_bound ? " at least" : "",
       "", {"the stack is that of the deepest kernel; -Os keeps fewer values at once"});
  if (budgets.stack >= 0 && !found.has_code)
    out.push_back(
        error(DiagnosticKind::kBudget, cat(found.target, ": the stack of ", found.class_name,
                                           " is not known: your compiler makes the code"))
            .note("leave --stack away, or use a backend that makes objects"));
  return out;
}

}  // namespace hlocc::driver
