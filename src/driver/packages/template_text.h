// Templates as Mustache has them, with the delimiters <% and %>, as far as packages want them:
// <%name%> is a value, written as its kind of file asks; <%&name%> the value as it is;
// <%#name%>...<%/name%> stands once an element of a list, or once where the value is true;
// <%^name%>...<%/name%> where a list is empty or a value false. A name is looked for from the
// innermost element outwards. A line with nothing but <%#...%>, <%^...%> or <%/...%> leaves no line
// behind.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace hlocc::driver {

using TemplateValues = nlohmann::ordered_json;

// What may stand in a text of that kind; escapes.def has a row for each.
using Escape = std::string (*)(std::string_view text);

// A name without a value, and a section that does not end, are bugs of the template.
std::string expand_template(std::string_view text, const TemplateValues& values, Escape escape);

}  // namespace hlocc::driver
