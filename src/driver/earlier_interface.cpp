// See earlier_interface.h. Both sides are read from the manifest's text, so that they mean the
// same.
#include "driver/earlier_interface.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "support/text.h"

namespace hlocc::driver {
namespace {

using nlohmann::json;

std::string leaves_text(const json& leaves) {
  std::vector<std::string> out;
  for (const json& leaf : leaves)
    out.push_back(cat(leaf.value("name", ""), leaf.value("name", "").empty() ? "" : ": ",
                      leaf.value("type", ""), "[",
                      join(leaf.value("shape", std::vector<int64_t>()), ","), "]",
                      leaf.value("donated", false) ? " donated" : ""));
  return "(" + join(out, ", ") + ")";
}

std::string model_text(const std::string& name, const json& model) {
  return cat(name, leaves_text(model.value("arguments", json::array())), " -> ",
             leaves_text(model.value("results", json::array())));
}

// "acme::Kws(mfcc: f32[1,490]) -> (probs: f32[1,12])"; empty where the text is no manifest.
std::string interface_text(const std::string& manifest) {
  const json read = json::parse(manifest, nullptr, false);
  if (!read.is_object() || !read.contains("schema") || !read.contains("options")) return "";
  std::vector<std::string> out;
  if (read.contains("models"))
    for (const json& model : read["models"])
      out.push_back(model_text(model.value("name", ""), model));
  else
    out.push_back(model_text(read["options"].value("name", ""), read));
  return join(out, ", ");
}

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

}  // namespace

std::vector<std::string> changed_interfaces(const std::vector<package::Placed>& files) {
  std::vector<std::string> out;
  for (const package::Placed& placed : files) {
    if (!placed.file.name.ends_with(".json")) continue;
    const std::string earlier = interface_text(text_of_file(placed.path()));
    const Pieces::Bytes bytes = placed.file.bytes.joined();
    const std::string now =
        interface_text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    if (!earlier.empty() && earlier != now)
      out.push_back(cat(placed.path(), " was of ", earlier, " and is now of ", now));
  }
  return out;
}

}  // namespace hlocc::driver
