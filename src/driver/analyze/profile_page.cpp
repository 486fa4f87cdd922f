// The page of a profile: a run as a line of steps, each as wide as its share, then the steps as
// bars and as a table that sorts.
#include <algorithm>
#include <cmath>

#include "driver/analyze/layer_text.h"
#include "driver/analyze/page_parts.h"
#include "driver/analyze/profile.h"
#include "driver/cli/text_table.h"
#include "support/foreign_text.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// Time runs to the right. Steps take turns in three heights, so that neighbours are told apart and
// narrow ones have room for a name.
std::string timeline(const Profile& profile) {
  std::string out = cat("<div class=\"map\" role=\"img\" aria-label=\"one run, ",
                        profile.rows.size(), " steps from left to right\">\n");
  double begin = 0;
  for (const ProfileRow& row : profile.rows) {
    const bool is_largest = std::ranges::all_of(
        profile.rows, [&](const ProfileRow& other) { return other.per_run <= row.per_run; });
    out += cat("<div class=\"step",
               is_largest            ? " atpeak"
               : row.number % 2 == 1 ? " argument"
                                     : "",
               "\" style=\"left:", percent(begin, profile.ticks_of_run),
               ";width:", percent(row.per_run, profile.ticks_of_run),
               ";bottom:", percent(row.number % 3, 3), ";height:33.3%\">", row.number, " ",
               for_html(row.layer), " ", grouped(std::llround(row.per_run)), "</div>\n");
    begin += row.per_run;
  }
  return out + cat("</div><div class=\"axis\"><span>0</span><span>ticks of a run, on "
                   "average</span><span>",
                   grouped(std::llround(profile.ticks_of_run)), "</span></div>\n");
}

std::string steps_as_bars(const Profile& profile) {
  std::vector<const ProfileRow*> rows;
  for (const ProfileRow& row : profile.rows) rows.push_back(&row);
  std::ranges::stable_sort(
      rows, [](const ProfileRow* a, const ProfileRow* b) { return a->per_run > b->per_run; });
  std::string out = "<div class=\"bars steps\">";
  for (size_t i = 0; i < std::min<size_t>(rows.size(), 12); ++i)
    out += cat("<span>", rows[i]->number, " ", for_html(rows[i]->layer),
               "</span><span><span class=\"track\"><b style=\"width:",
               percent(rows[i]->per_run, profile.ticks_of_run), "\"></b></span>",
               percent(rows[i]->per_run, profile.ticks_of_run), "</span>");
  return out + "</div>\n";
}

std::string steps_table(const Profile& profile) {
  std::string out = "<div class=\"scroll\"><table class=\"layers\"><thead><tr>";
  out += head_cell("#", true);
  for (const char* name : {"layer", "shape", "source", "kernel"}) out += head_cell(name, false);
  for (const char* name : {"calls", "ticks a run", "least", "most", "cycles expected"})
    out += head_cell(name, true);
  out += "</tr></thead><tbody>\n";
  for (const ProfileRow& row : profile.rows) {
    out += "<tr>" + cell(int64_t{row.number}) + layer_cell(row.layer, row.origin) +
           cell(row.origin.shape) + cell(source_text(row.origin)) + cell(row.kernel) +
           cell(static_cast<int64_t>(row.ticks.calls));
    out += cell(static_cast<int64_t>(std::llround(row.per_run)));
    out += cell(static_cast<int64_t>(row.ticks.least)) + cell(static_cast<int64_t>(row.ticks.most));
    out += cell(static_cast<int64_t>(std::llround(row.expected_cycles)));
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace

std::string to_page(const Profile& profile, std::optional<double> clock) {
  const ProfileDump& dump = profile.dump;
  std::string body =
      cat("<p class=\"faint\">Counted on the board and read by hlocc. Expected cycles are "
          "estimates.</p>\n<p>",
          for_html(dump.target), ", ", for_html(dump.level), ", ",
          grouped(static_cast<int64_t>(dump.runs)), " runs of ",
          grouped(std::llround(profile.ticks_of_run)), " ticks",
          clock ? cat(" (", milliseconds(profile.ticks_of_run, *clock), ")") : "", ".</p>\n");
  body += "<h2>A run over time</h2>\n" + timeline(profile);
  body += "<h3>What takes most</h3>\n" + steps_as_bars(profile);
  return page_around(dump.model, body + "<h3>Steps</h3>\n" + steps_table(profile));
}

}  // namespace hlocc::driver
