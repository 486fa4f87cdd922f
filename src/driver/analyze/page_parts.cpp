// See page_parts.h.
#include "driver/analyze/page_parts.h"

#include <cstdio>

#include "driver/analyze/analysis_page_style.h"
#include "support/foreign_text.h"
#include "support/text.h"

namespace hlocc::driver {

std::string grouped(int64_t number) {
  std::string digits = std::to_string(number), out;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0 && digits[i - 1] != '-') out += "&#8239;";
    out += digits[i];
  }
  return out;
}

std::string percent(double part, double whole) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f%%", whole <= 0 ? 0.0 : 100 * part / whole);
  return text;
}

std::string head_cell(const char* name, bool number) {
  return cat("<th scope=\"col\"", number ? " class=\"n\"" : "", "><button type=\"button\">", name,
             "</button></th>");
}

std::string cell(int64_t number) {
  return cat("<td class=\"n\" data-n=\"", number, "\">", grouped(number), "</td>");
}

std::string cell(const std::string& text) { return cat("<td>", for_html(text), "</td>"); }

std::string layer_cell(const std::string& layer, const kernel::Origin& origin) {
  return cat("<td title=\"", for_html(join(origin.hlo, ", ")), "\">", for_html(layer), "</td>");
}

std::string page_around(const std::string& title, const std::string& body) {
  const std::string name = for_html(title);
  return cat(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<title>",
      name, "</title>\n<style>", kPageStyle, "</style></head><body>\n<h1>", name, "</h1>\n", body,
      "<script>", kPageScript, "</script></body></html>\n");
}

}  // namespace hlocc::driver
