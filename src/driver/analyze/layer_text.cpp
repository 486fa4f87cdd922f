// See layer_text.h.
#include "driver/analyze/layer_text.h"

#include <nlohmann/json.hpp>

#include "support/text.h"

namespace hlocc::driver {

std::string layer_name(const LaunchRow& row) {
  return row.origin.layer.empty() ? row.kernel : row.origin.layer;
}

std::string layer_text(const LaunchRow& row) {
  std::string out = layer_name(row);
  if (!row.launches && out != row.kernel) out = cat(row.kernel, ": ", out);
  if (row.origin.hlo.size() > 1) out += cat(" (+", row.origin.hlo.size() - 1, ")");
  if (!row.in_loop) return out;
  return out + (row.runs ? cat(" (", *row.runs, " times)") : " (an iteration)");
}

std::string layer_and_kernel(const LaunchRow& row) {
  const std::string layer = layer_name(row);
  return layer == row.kernel ? layer : cat(layer, " (", row.kernel, ")");
}

std::string source_text(const kernel::Origin& origin) {
  if (origin.source.empty()) return "";
  const kernel::SourceLine& line = origin.source[0];
  return cat(line.file.substr(line.file.find_last_of('/') + 1), ":", line.line);
}

void add_origin(const kernel::Origin& origin, nlohmann::ordered_json& out) {
  out["layer"] = origin.layer;
  out["shape"] = origin.shape;
  out["source"] = nlohmann::ordered_json::array();
  for (const kernel::SourceLine& line : origin.source)
    out["source"].push_back(
        {{"file", line.file}, {"line", line.line}, {"function", line.function}});
  out["hlo"] = origin.hlo;
}

}  // namespace hlocc::driver
