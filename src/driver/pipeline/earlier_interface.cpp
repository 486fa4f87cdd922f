// See earlier_interface.h. Both sides are read from the manifest's text, so that they mean the
// same.
#include "driver/pipeline/earlier_interface.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "support/text.h"

namespace hlocc::driver {
namespace {

using nlohmann::json;

constexpr size_t kMostShown = 400;  // letters of an interface in a message

// What is under `key`, or null where there is no such member: the file may be no manifest at all.
const json& under(const json& object, const char* key) {
  static const json& nothing = *new json();
  if (!object.is_object()) return nothing;
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

std::string word_under(const json& object, const char* key) {
  const json& word = under(object, key);
  return word.is_string() ? word.get<std::string>() : "";
}

std::string leaf_text(const json& leaf) {
  const std::string name = word_under(leaf, "name");
  std::vector<std::string> shape;
  for (const json& size : under(leaf, "shape")) shape.push_back(size.dump());
  const json& donated = under(leaf, "donated");
  return cat(name, name.empty() ? "" : ": ", word_under(leaf, "type"), "[", join(shape, ","), "]",
             donated.is_boolean() && donated.get<bool>() ? " donated" : "");
}

std::string leaves_text(const json& leaves) {
  std::vector<std::string> out;
  for (const json& leaf : leaves) out.push_back(leaf_text(leaf));
  return "(" + join(out, ", ") + ")";
}

std::string model_text(const std::string& name, const json& model) {
  return cat(name, leaves_text(under(model, "arguments")), " -> ",
             leaves_text(under(model, "results")));
}

// "acme::Kws(mfcc: f32[1,490]) -> (probs: f32[1,12])"; empty where the text is no manifest.
std::string interface_text(const std::string& manifest) {
  const json read = json::parse(manifest, nullptr, false);
  if (under(read, "schema").is_null() || !under(read, "options").is_object()) return "";
  if (under(read, "models").is_null())
    return model_text(word_under(under(read, "options"), "name"), read);
  std::vector<std::string> out;
  for (const json& model : under(read, "models"))
    out.push_back(model_text(word_under(model, "name"), model));
  return join(out, ", ");
}

std::string shown(const std::string& interface) {
  return interface.size() <= kMostShown ? interface : interface.substr(0, kMostShown) + "...";
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
      out.push_back(cat(placed.path(), " was of ", shown(earlier), " and is now of ", shown(now)));
  }
  return out;
}

}  // namespace hlocc::driver
