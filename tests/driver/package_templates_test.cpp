// Templates of packages, and what a text of somebody else's becomes in each kind of file.
#include <catch2/catch.hpp>

#include <fstream>

#include "driver/packages/embedded.h"
#include "driver/packages/escapes.h"
#include "driver/packages/formats.h"
#include "driver/packages/template_text.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

std::string expanded(std::string_view text, const TemplateValues& values) {
  return expand_template(text, values, escape_for("file.json"));
}

TEST_CASE("templates are filled") {
  const TemplateValues values = {
      {"name", "say \"hi\""},
      {"yes", true},
      {"no", false},
      {"none", ""},
      {"number", 7},
      {"list",
       {{{"name", "a"}, {"last", false}, {"words", {"x", "y"}}},
        {{"name", "b"}, {"last", true}, {"words", TemplateValues::array()}}}}};
  CHECK(expanded("1 <%name%> <%&name%> <%number%>", values) == "1 say \\\"hi\\\" say \"hi\" 7");
  CHECK(expanded("<%#yes%>y<%/yes%><%^yes%>n<%/yes%><%#no%>y<%/no%><%^no%>n<%/no%>", values) ==
        "yn");
  CHECK(expanded("<%#none%>y<%/none%><%^none%>n<%/none%>", values) == "n");
  CHECK(expanded("<%#list%><%name%>=<%number%><%^last%>, <%/last%><%/list%>", values) ==
        "a=7, b=7");
  CHECK(expanded("<%#list%><%#words%><%name%><%.%> <%/words%><%^words%>-<%/words%><%/list%>",
                 values) == "ax ay -");
  // A section's tag alone on its line takes the line with it; beside others it does not.
  CHECK(expanded("a\n<%#list%>\n  <%name%>\n<%/list%>\nz\n", values) == "a\n  a\n  b\nz\n");
  CHECK(expanded("a\n <%#yes%> b\n<%/yes%>", values) == "a\n  b\n");
  CHECK(expanded("no tag < % >", values) == "no tag < % >");
  CHECK(expanded("<%#yes%>\ny\n<%/yes%>", values) == "y\n");
  CHECK(expanded("a\n<%#yes%>\n<%/yes%> b\n", values) == "a\n b\n");
  // A value alone on its line leaves that line as it is.
  CHECK(expanded("<%number%>\nz\n  <%&number%>\nz", values) == "7\nz\n  7\nz");
  // Sections and values of one name stand in each other, and a text is there where it is not empty.
  CHECK(expanded("<%#name%>[<%name%>]<%/name%>", values) == "[say \\\"hi\\\"]");
  CHECK(expanded("<%#yes%>a<%^yes%>n<%/yes%>b<%/yes%>c", values) == "abc");
  CHECK(expanded("<%^no%>a<%#no%>n<%/no%><%^no%>b<%/no%>c<%/no%>", values) == "abc");
  CHECK(expanded("<%#number%>n<%/number%><%^number%>no<%/number%>", values) == "n");
}

TEST_CASE("texts stay texts in every kind of file") {
  const std::string text = "a\"b'c$d;e\\f<g>&#h`i*\n";
  CHECK(escape_for("x/y.json")(text) == "a\\\"b'c$d;e\\\\f<g>&#h`i*\\\\x0a");
  CHECK(escape_for("Cargo.toml")("\"") == "\\\"");
  CHECK(escape_for("CMakeLists.txt")("a$b;\"@") == "a\\$b\\;\\\"\\@");
  CHECK(escape_for("x/meson.build")("it's \\") == "it\\'s \\\\");
  CHECK(escape_for("a.pc")("$x #") == "$$x \\#");
  CHECK(escape_for("Makefile")("$x #") == "$$x \\#");
  CHECK(escape_for("zephyr/Kconfig")("a \"$(b)\"") == "a \\\"(b)\\\"");
  CHECK(escape_for("a.pdsc")("<a & 'b'>") == "&lt;a &amp; &#39;b&#39;&gt;");
  CHECK(escape_for("README.md")("`a` <b> *c* [d](e) # f") ==
        "\\`a\\` \\<b\\> \\*c\\* \\[d\\](e) \\# f");
  CHECK(escape_for("DEBIAN/control")("a\nPre-Depends: b") == "a\\x0aPre-Depends: b");
  // Neither a line break nor a byte that is no UTF-8 comes through anywhere.
  for (const char* name : {"a.json", "CMakeLists.txt", "meson.build", "Makefile", "Kconfig",
                           "a.pdsc", "README.md", "control", "library.properties", "x"}) {
    INFO(name);
    CHECK(escape_for(name)("a\n\r\xff").find_first_of("\n\r\xff") == std::string::npos);
  }
}

TEST_CASE("every format has templates, a README among them, and names that are its own") {
  for (const PackageFormat& format : package_formats()) {
    INFO(format.name);
    bool has_readme = false;
    for (const std::string& set : split(format.templates, ' ')) {
      bool is_there = false;
      for (const EmbeddedFile& file : embedded_files()) {
        is_there |= file.path.starts_with(cat("templates/", set, "/"));
        has_readme |= file.path == cat("templates/", set, "/README.md.in");
      }
      INFO(set);
      CHECK(is_there);
    }
    CHECK(has_readme);
    for (const PackageFormat& other : package_formats())
      CHECK((&other == &format || other.name != format.name));
    CHECK(find_format(std::string(format.name)).ok());
  }
  std::ifstream file("../../docs/packages.md");
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  for (const PackageFormat& format : package_formats()) {
    const std::string row =
        cat("| `", std::string(format.name), "` | ", std::string(format.validated), " | ",
            std::string(format.built), " | ", std::string(format.ran), " | ");
    INFO(row);
    CHECK(page.find(row) != std::string::npos);
  }
  CHECK(template_text("a\n<%>partials/readme_tail.md.in%>\nb").find("## Whose it is") !=
        std::string::npos);
}

}  // namespace
}  // namespace hlocc::driver
