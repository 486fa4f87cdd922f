// See gates.h. Layers are told apart by their name and by how many of that name stood before.
#include "driver/matrix/gates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

#include "driver/cli/text_table.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

struct Figure {
  const char *name, *key;
  std::optional<double> MatrixGates::*gate;
};
constexpr std::array<Figure, 4> kFigures = {{{"RAM", "ram_bytes", &MatrixGates::ram},
                                             {"flash", "flash_bytes", &MatrixGates::flash},
                                             {"stack", "stack_bytes", &MatrixGates::stack},
                                             {"cycles", "expected_cycles", &MatrixGates::cycles}}};

using ById = std::map<std::string, const CellResult*>;
ById with_files(const std::vector<CellResult>& cells) {
  ById out;
  for (const CellResult& cell : cells)
    if (cell.has_files()) out[cell.id] = &cell;
  return out;
}

std::string number(double value) { return cat(static_cast<int64_t>(std::llround(value))); }
std::string signed_percent(double percent) {
  char text[32];
  std::snprintf(text, sizeof text, "%+.1f %%", percent);
  return text;
}

std::vector<Movement> movements_of(const CellResult& before, const CellResult& after) {
  std::vector<Movement> out;
  for (const Figure& figure : kFigures) {
    const std::optional<double> old = before.figure(figure.key), now = after.figure(figure.key);
    if (old && now && *old != *now) out.push_back({after.id, figure.name, *old, *now});
  }
  return out;
}

// Layers by name and number.
std::map<std::pair<std::string, int>, CellLayer> numbered(const std::vector<CellLayer>& layers) {
  std::map<std::string, int> seen;
  std::map<std::pair<std::string, int>, CellLayer> out;
  for (const CellLayer& layer : layers) out[{layer.name, seen[layer.name]++}] = layer;
  return out;
}

// What of the layers moved: those of both, those that came, those that went.
std::vector<Movement> layer_movements(const CellResult& before, const CellResult& after) {
  const auto old = numbered(before.layers), now = numbered(after.layers);
  std::vector<Movement> out;
  const auto add = [&](const std::string& name, const CellLayer& a, const CellLayer& b) {
    if (a.cycles != b.cycles) out.push_back({name, "cycles", a.cycles, b.cycles});
    if (a.flash_bytes != b.flash_bytes)
      out.push_back(
          {name, "flash", static_cast<double>(a.flash_bytes), static_cast<double>(b.flash_bytes)});
  };
  for (const auto& [key, layer] : now) {
    const auto was = old.find(key);
    add(key.first, was == old.end() ? CellLayer{} : was->second, layer);
  }
  for (const auto& [key, layer] : old)
    if (!now.contains(key)) add(key.first, layer, CellLayer{});
  std::ranges::stable_sort(out, [](const Movement& a, const Movement& b) {
    return std::abs(a.after - a.before) > std::abs(b.after - b.before);
  });
  return out;
}

bool has_other_bits(const CellResult& before, const CellResult& after) {
  return before.verdict && after.verdict && !before.verdict->results_sha256.empty() &&
         !after.verdict->results_sha256.empty() &&
         before.verdict->results_sha256 != after.verdict->results_sha256;
}

// Layers that are shown of a cell; the rest is counted.
constexpr size_t kMostLayers = 8;

}  // namespace

std::vector<Movement> movements(const std::vector<CellResult>& before,
                                const std::vector<CellResult>& after) {
  const ById old = with_files(before);
  std::vector<Movement> out;
  for (const CellResult& cell : after) {
    const auto was = old.find(cell.id);
    if (!cell.has_files() || was == old.end()) continue;
    const std::vector<Movement> own = movements_of(*was->second, cell);
    out.insert(out.end(), own.begin(), own.end());
  }
  return out;
}

std::vector<std::string> broken_gates(const std::vector<CellResult>& before,
                                      const std::vector<CellResult>& after,
                                      const MatrixGates& gates) {
  std::vector<std::string> out;
  for (const Movement& moved : movements(before, after))
    for (const Figure& figure : kFigures) {
      const std::optional<double> gate = gates.*figure.gate;
      if (figure.name != moved.figure || !gate || moved.after <= moved.before * (1 + *gate / 100))
        continue;
      out.push_back(cat(moved.id, ": ", moved.figure, " grew from ", number(moved.before), " to ",
                        number(moved.after), ", ", signed_percent(moved.percent())));
    }
  const ById old = with_files(before);
  for (const CellResult& cell : after)
    if (const auto was = old.find(cell.id); was != old.end() && has_other_bits(*was->second, cell))
      out.push_back(cat(cell.id, ": results have other bits than the baseline's"));
  return out;
}

std::string difference_text(const std::vector<CellResult>& before,
                            const std::vector<CellResult>& after, size_t width) {
  const ById old = with_files(before), now = with_files(after);
  TextTable lines;
  const auto add = [&](const std::string& name, const Movement& moved) {
    lines.push_back({name, moved.figure, number(moved.before), number(moved.after),
                     moved.before > 0 ? signed_percent(moved.percent()) : ""});
  };
  std::string others;
  for (const auto& [id, cell] : now) {
    const auto was = old.find(id);
    if (was == old.end()) {
      others += cat(id, ": new\n");
      continue;
    }
    if (has_other_bits(*was->second, *cell)) others += cat(id, ": results have other bits\n");
    for (const Movement& moved : movements_of(*was->second, *cell)) add(id, moved);
    const std::vector<Movement> layers = layer_movements(*was->second, *cell);
    for (size_t i = 0; i < std::min(layers.size(), kMostLayers); ++i)
      add(cat("  ", layers[i].id), layers[i]);
    if (layers.size() > kMostLayers)
      lines.push_back({cat("  and ", layers.size() - kMostLayers, " more"), "", "", "", ""});
  }
  for (const auto& [id, cell] : old)
    if (!now.contains(id)) others += cat(id, ": gone\n");
  if (lines.empty() && others.empty()) return "nothing moved\n";
  if (lines.empty()) return others;
  return cat(to_text({{"cell"}, {"figure"}, {"before", true}, {"after", true}, {"change", true}},
                     lines, width),
             others);
}

nlohmann::ordered_json difference_json(const std::vector<CellResult>& before,
                                       const std::vector<CellResult>& after) {
  using Json = nlohmann::ordered_json;
  const ById old = with_files(before), now = with_files(after);
  const auto rows = [](const std::vector<Movement>& all, const char* name) {
    Json out = Json::array();
    for (const Movement& moved : all)
      out.push_back({{name, moved.id},
                     {"figure", moved.figure},
                     {"before", moved.before},
                     {"after", moved.after}});
    return out;
  };
  Json layers = Json::array(), fresh = Json::array(), gone = Json::array(), bits = Json::array();
  for (const auto& [id, cell] : now) {
    const auto was = old.find(id);
    if (was == old.end()) {
      fresh.push_back(id);
      continue;
    }
    if (has_other_bits(*was->second, *cell)) bits.push_back(id);
    for (Json& row : rows(layer_movements(*was->second, *cell), "layer")) {
      row["id"] = id;
      layers.push_back(std::move(row));
    }
  }
  for (const auto& [id, cell] : old)
    if (!now.contains(id)) gone.push_back(id);
  return {{"cells", rows(movements(before, after), "id")},
          {"layers", layers},
          {"other_bits", bits},
          {"new", fresh},
          {"gone", gone}};
}

}  // namespace hlocc::driver
