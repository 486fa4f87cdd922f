// See launch_table.h.
#include "driver/analyze/launch_table.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "costs/kernel_work.h"
#include "driver/analyze/layer_text.h"

#include "driver/cli/text_table.h"
#include "planning/run_counts.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

void add_rows(const kernel::Steps& steps, const kernel::Program& program, const Target& target,
              bool in_loop, std::vector<LaunchRow>& rows) {
  for (const kernel::Step& step : steps) {
    if (const auto* launch = std::get_if<kernel::Launch>(&step.what)) {
      const kernel::Kernel& kernel = program.kernels[static_cast<size_t>(launch->kernel)];
      const costs::KernelWork work = costs::launch_work(kernel, *launch, target);
      rows.push_back({.kernel = kernel.name,
                      .origin = step.origin,
                      .choice = kernel.choice,
                      .products = work.products,
                      .bytes_read = work.bytes_read,
                      .bytes_written = work.bytes_written,
                      .cycles = work.cycles,
                      .in_loop = in_loop,
                      .step = &step});
    } else if (const auto* loop = std::get_if<kernel::WhileStep>(&step.what)) {
      add_rows(loop->condition, program, target, true, rows);
      add_rows(loop->body, program, target, true, rows);
    } else if (const auto* choice = std::get_if<kernel::ConditionalStep>(&step.what)) {
      for (const kernel::Steps& branch : choice->branches)
        add_rows(branch, program, target, in_loop, rows);
    }
  }
}

bool has_steps(const kernel::Step& step) {
  return std::holds_alternative<kernel::WhileStep>(step.what) ||
         std::holds_alternative<kernel::ConditionalStep>(step.what);
}

std::string whole(double number) { return cat(static_cast<int64_t>(std::llround(number))); }

}  // namespace

std::vector<LaunchRow> launch_table(const kernel::Program& program, const kernel::Steps& steps,
                                    const Target& target) {
  std::vector<LaunchRow> rows;
  add_rows(steps, program, target, false, rows);
  if (std::ranges::none_of(steps, has_steps)) return rows;
  const auto counts = planning::run_counts(program, steps);
  for (LaunchRow& row : rows) {
    const auto found = counts.find(row.step);
    row.runs = found == counts.end() ? 0 : found->second;
  }
  return rows;
}

std::string to_text(const std::vector<LaunchRow>& rows, size_t width) {
  static const std::vector<Column> columns = {{"layer"},
                                              {"shape", false, 2},
                                              {"source", false, 1},
                                              {"kernel", false, 5},
                                              {"schedule"},
                                              {"tile", false, 3},
                                              {"products", true},
                                              {"read", true, 4},
                                              {"written", true, 4},
                                              {"cycles", true}};
  TextTable lines;
  for (const LaunchRow& row : rows)
    lines.push_back({layer_text(row), row.origin.shape, source_text(row.origin), row.kernel,
                     row.choice.to_string(), row.choice.tile.to_string(), whole(row.products),
                     whole(row.bytes_read), whole(row.bytes_written), whole(row.cycles)});
  return to_text(columns, std::move(lines), width);
}

nlohmann::ordered_json to_json(const std::vector<LaunchRow>& rows) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const LaunchRow& row : rows) {
    nlohmann::ordered_json one = {{"kernel", row.kernel}};
    add_origin(row.origin, one);
    one["schedule"] = row.choice.to_string();
    one["tile"] = row.choice.tile.to_string();
    one["products"] = std::llround(row.products);
    one["bytes_read"] = std::llround(row.bytes_read);
    one["bytes_written"] = std::llround(row.bytes_written);
    one["expected_cycles"] = std::llround(row.cycles);
    one["in_loop"] = row.in_loop;
    one["runs"] = row.runs ? nlohmann::ordered_json(*row.runs) : nullptr;
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace hlocc::driver
