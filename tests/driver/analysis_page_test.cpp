// The pages of `analyze` and `profile`: their numbers, and what stands on them only where there is
// something to say (driver/analyze/page_parts.cpp, analysis_page.cpp, profile_page.cpp).
#include "driver/analyze/analysis_page.h"

#include <catch2/catch.hpp>

#include "driver/analyze/page_parts.h"
#include "driver/analyze/profile.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

TEST_CASE("numbers on a page stand in groups of three") {
  const std::pair<int64_t, const char*> rows[] = {
      {0, "0"},
      {999, "999"},
      {1000, "1&#8239;000"},
      {12345, "12&#8239;345"},
      {123456, "123&#8239;456"},
      {1234567, "1&#8239;234&#8239;567"},
      {-1, "-1"},
      {-999, "-999"},
      {-1000, "-1&#8239;000"},
      {-123456, "-123&#8239;456"},
  };
  for (const auto& [number, text] : rows) CHECK(grouped(number) == text);
}

TEST_CASE("shares on a page are in percent, of nothing none") {
  struct Row {
    double part, whole;
    const char* text;
  };
  const Row rows[] = {{1, 8, "12.500%"},   {1, 1, "100.000%"},   {1, 2, "50.000%"},
                      {0.5, 1, "50.000%"}, {3, 0.5, "600.000%"}, {0, 5, "0.000%"},
                      {5, 0, "0.000%"},    {5, -1, "0.000%"}};
  for (const Row& row : rows) CHECK(percent(row.part, row.whole) == row.text);
}

TEST_CASE("cells and frames of a page hold text that is no HTML") {
  CHECK(head_cell("a", true) ==
        "<th scope=\"col\" class=\"n\"><button type=\"button\">a</button></th>");
  CHECK(head_cell("a", false) == "<th scope=\"col\"><button type=\"button\">a</button></th>");
  CHECK(cell(1000) == "<td class=\"n\" data-n=\"1000\">1&#8239;000</td>");
  CHECK(cell("a<b") == "<td>a&lt;b</td>");
  CHECK(layer_cell("x&y", {.hlo = {"a", "b<"}}) == "<td title=\"a, b&lt;\">x&amp;y</td>");
  const std::string page = page_around("a<b", "<p>body</p>\n");
  CHECK(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
  CHECK(page.find("<title>a&lt;b</title>") != std::string::npos);
  CHECK(page.find("</head><body>\n<h1>a&lt;b</h1>\n<p>body</p>\n<script>") != std::string::npos);
}

// Three layers, of which the second has most alive: "a" in the first, the argument "b" in the
// second and "c" in the third.
Analysis three_layers() {
  Analysis out{.target = "chip", .class_name = "acme::Kws"};
  for (const int64_t alive : {500, 1000, 600}) {
    Layer layer{.alive_bytes = alive};
    layer.launch.kernel = cat("k", out.layers.size());
    out.layers.push_back(layer);
  }
  out.values = {{.name = "a", .bytes = 500, .first = 0, .last = 0},
                {.name = "b", .is_argument = true, .bytes = 1000, .first = 1, .last = 1},
                {.name = "c", .bytes = 500, .first = 2, .last = 2}};
  out.arena_bytes = 2000, out.instance_bytes = 24, out.peak = 1;
  out.weights_bytes = 4000, out.stack_bytes = 128, out.cycles = 2e6;
  return out;
}

std::string page_of(const Analysis& found, std::optional<double> clock = std::nullopt) {
  return to_page({found}, clock);
}

bool has(const std::string& page, const std::string& text) {
  return page.find(text) != std::string::npos;
}

// The lines of the map of the arena, without what places them: "CLASS NAME BYTES".
std::vector<std::string> boxes_of(const std::string& page) {
  std::vector<std::string> out;
  const std::string begin = "<div class=\"";
  for (const std::string& line : split(page, '\n')) {
    if (!line.starts_with(begin) || !has(line, "bottom:")) continue;
    const size_t name = line.find('>') + 1;
    out.push_back(cat(line.substr(begin.size(), line.find('"', begin.size()) - begin.size()), " ",
                      line.substr(name, line.find('<', name) - name)));
  }
  return out;
}

TEST_CASE("the map of the arena marks arguments and what is alive at the peak") {
  using Boxes = std::vector<std::string>;
  Analysis found = three_layers();
  // Largest first; equal ones in their order.
  CHECK(boxes_of(page_of(found)) == Boxes{"argument atpeak b 1&#8239;000", " a 500", " c 500"});
  found.peak = 2;
  CHECK(boxes_of(page_of(found)) == Boxes{"argument b 1&#8239;000", " a 500", " atpeak c 500"});
  CHECK(has(page_of(found), "left:33.333%;width:33.333%;bottom:0.000%;height:50.000%\">b "));
  CHECK(has(page_of(found),
            "<i style=\"height:83.333%\"></i><i style=\"height:166.667%\"></i><i class=\"peak\" "
            "style=\"height:100.000%\"></i>"));
  // 1500 values are drawn, the largest ones.
  for (const size_t count : {1499, 1500, 1501}) {
    found.values.assign(count, {.name = "v", .bytes = 8});
    found.values[0].bytes = 7;
    const Boxes boxes = boxes_of(page_of(found));
    CHECK(boxes.size() == std::min<size_t>(count, 1500));
    CHECK((boxes.back() == " v 7") == (count <= 1500));
  }
}

TEST_CASE("ten values of the peak are on the page, then how many there are more") {
  Analysis found = three_layers();
  for (const size_t count : {9, 10, 11, 12}) {
    found.values.assign(count, {.name = "v", .offset = 2000, .bytes = 8, .last = 2});
    const std::string page = page_of(found);
    CHECK(has(page, "<li>v: 8 bytes at 2&#8239;000</li>"));
    CHECK(has(page, "<li>and ") == (count > 10));
    CHECK(has(page, cat("<li>and ", count - 10, " smaller ones</li></ul>\n")) == (count > 10));
  }
  found.values[0].is_argument = true;
  CHECK(has(page_of(found), "<li>v: 8 bytes at 2&#8239;000, an argument</li>"));
}

TEST_CASE("a page says of a model what is known of it") {
  const std::string nothing = "<p>Nothing runs: results are arguments or constants.</p>";
  Analysis found = three_layers();
  std::string page = page_of(found);
  CHECK(has(page,
            "<p>RAM 2&#8239;024 bytes (arena 2&#8239;000, instance 24), flash at least "
            "4&#8239;000, stack not known, about 2&#8239;000&#8239;000 cycles. <a "
            "href=\"#graph-chip\">Layers as a graph</a></p>\n"));
  CHECK(has(page, "<p>4&#8239;000 bytes of weights; your compiler makes the code.</p>"));
  CHECK(has(page,
            "<p>The most is alive in layer 1, <b>k1</b>: 1&#8239;000 of the arena's "
            "2&#8239;000 bytes. The arena is other offsets"));
  for (const char* absent : {nothing.c_str(), "loops of unknown", "every row", "side by side",
                             "lower them", "RAM against cycles"})
    CHECK_FALSE(has(page, absent));
  CHECK(has(page, "<tr class=\"peak\"><td class=\"n\" data-n=\"1\">1</td>"));
  CHECK(has(page, "<tr><td class=\"n\" data-n=\"0\">0</td>"));
  found.has_code = true, found.code_bytes = 96, found.layers_in_loops = 1, found.row_floor = 640;
  found.sections = {{"a<b", 1024}};
  found.ram_cures = {"less & less"}, found.flash_cures = {"none"};
  found.memories = {{"fast", 0, 600, 700}, {"slow", 600, 400, 5000}};
  page = page_of(found, 1e9);
  CHECK(has(page, "flash 4&#8239;096, stack 128, about 2&#8239;000&#8239;000 cycles (2.000 ms). "));
  CHECK(has(page, "1 kernels stand in loops of unknown length"));
  CHECK(has(page,
            "The arena is in 2 memories. If every row were freed at its last reader, 640 "
            "bytes would do.</p>"));
  CHECK(has(page,
            "<span>a&lt;b</span><span><span class=\"track\"><b style=\"width:25.000%\"></b>"
            "</span>1&#8239;024 bytes</span></div>"));
  CHECK(has(page, "<li>RAM: less &amp; less</li><li>flash: none</li>"));
  found.stack_is_lower_bound = true;
  CHECK(has(page_of(found), "stack at least 128, about"));
  // The peak in the first layer, and none.
  found.peak = 0;
  CHECK(has(page_of(found), "alive in layer 0, <b>k0</b>"));
  CHECK_FALSE(has(page_of(found), nothing));
  found.peak = -1, found.layers.clear();
  CHECK(has(page_of(found), nothing));
  CHECK_FALSE(has(page_of(found), "Layers as a graph"));
}

TEST_CASE("targets are compared on a page from two on") {
  Analysis one = three_layers(), two = three_layers(), three = three_layers();
  two.target = "other", two.cycles = 1e6, three.cycles = 5e5;
  CHECK_FALSE(has(to_page(std::vector<Analysis>(), std::nullopt), "side by side"));
  CHECK_FALSE(has(to_page({one}, std::nullopt), "side by side"));
  const std::string page = to_page({one, two}, std::nullopt);
  CHECK(has(page, "<h2>Targets side by side</h2>\n<h3>RAM, bytes</h3>"));
  CHECK(has(page,
            "<h3>Cycles, estimated</h3><div class=\"bars targets\"><span>chip</span><span><span "
            "class=\"track\"><b style=\"width:100.000%\"></b></span>2&#8239;000&#8239;000</span>"
            "<span>other</span><span><span class=\"track\"><b style=\"width:50.000%\"></b></span>"
            "1&#8239;000&#8239;000</span></div>"));
  CHECK(has(to_page({one, two, three}, std::nullopt), "side by side"));
}

TEST_CASE("a curve of RAM and cycles on a page goes through its points") {
  Analysis found = three_layers();
  found.curve = {{500, 400, 2000, "rows"}, {1000, 900, 500, "a<b"}};
  const std::string page = page_of(found);
  CHECK(has(page, "<polyline points=\"300,0 600,180\""));
  CHECK(has(page,
            "<circle cx=\"300\" cy=\"0\" r=\"5\" fill=\"currentColor\"><title>500 bytes of "
            "RAM, 2&#8239;000 cycles</title></circle>"));
  CHECK(has(page,
            "<tr><td class=\"n\" data-n=\"1000\">1&#8239;000</td><td class=\"n\" "
            "data-n=\"900\">900</td><td class=\"n\" data-n=\"500\">500</td><td>a&lt;b</td>"));
  found.curve = {{0, 0, 0, ""}};
  CHECK(has(page_of(found), "<polyline points=\"0,240\""));
}

// --- profiles ---

Profile profile_of(const std::vector<double>& ticks) {
  ProfileDump dump{.model = "m", .target = "chip", .level = "-O2", .runs = 2};
  std::vector<Layer> layers;
  for (const double each : ticks) {
    const auto total = static_cast<uint64_t>(2 * each);
    dump.steps.push_back({2, total, 1, total});
    layers.emplace_back().launch.kernel = cat("k", layers.size());
  }
  return join_profile(dump, layers);
}

TEST_CASE("the steps of a run stand one behind the other, the longest ones marked") {
  const std::string page = to_page(profile_of({10, 30, 30, 20, 10}), std::nullopt);
  std::vector<std::string> steps;
  for (const std::string& line : split(page, '\n'))
    if (line.starts_with("<div class=\"step")) steps.push_back(line);
  REQUIRE(steps.size() == 5);
  const std::string begin = "<div class=\"step";
  CHECK(steps[0] == begin +
                        "\" style=\"left:0.000%;width:10.000%;bottom:0.000%;height:33.3%\">0 "
                        "k0 10</div>");
  CHECK(steps[1].starts_with(begin + " atpeak\" style=\"left:10.000%;width:30.000%;bottom:33.333"));
  CHECK(steps[2].starts_with(begin + " atpeak\" style=\"left:40.000%;width:30.000%;bottom:66.667"));
  CHECK(steps[3].starts_with(begin + " argument\" style=\"left:70.000%;width:20.000%;bottom:0.0"));
  CHECK(steps[4].starts_with(begin + "\" style=\"left:90.000%"));
  CHECK(has(page, "<span>ticks of a run, on average</span><span>100</span>"));
  // Bars: the longest first, equal ones in their order.
  for (const char* number : {"0 k0", "1 k1", "2 k2", "3 k3", "4 k4"})
    CHECK(has(page, cat("<span>", number, "</span><span><span class=\"track\">")));
  const auto at = [&](const char* bar) { return page.find(cat("<span>", bar, "</span><span>")); };
  CHECK(at("1 k1") < at("2 k2"));
  CHECK(at("2 k2") < at("3 k3"));
  CHECK(at("3 k3") < at("0 k0"));
  CHECK(at("0 k0") < at("4 k4"));
  CHECK(has(page, "2 runs of 100 ticks.</p>"));
  CHECK(has(to_page(profile_of({10, 40}), 1e3), " ticks (50.000 ms).</p>"));
}

TEST_CASE("twelve steps of a profile have bars") {
  for (const size_t count : {11, 12, 13}) {
    const std::string page = to_page(profile_of(std::vector<double>(count, 5)), std::nullopt);
    CHECK(has(page, "<span>10 k10</span>"));
    CHECK(has(page, "<span>11 k11</span>") == (count > 11));
    CHECK_FALSE(has(page, "<span>12 k12</span>"));
  }
}

TEST_CASE("calls of a run and shares of it in a profile's table") {
  const std::string text = to_text(profile_of({0.5, 0.5}), std::nullopt, 200);
  CHECK(has(text, "k0        0      1            1  50.0      1     1         0"));
  CHECK(profile_of({1}).rows[0].share == 1);
  Profile never = profile_of({1});
  never.dump.runs = 0;
  CHECK(has(to_text(never, std::nullopt, 200), "k0        0      0 "));
}

}  // namespace
}  // namespace hlocc::driver
