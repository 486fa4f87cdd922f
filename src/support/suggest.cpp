// The optimal string alignment distance, row by row.
#include "support/suggest.h"

#include <algorithm>

#include "support/text.h"

namespace hlocc {
namespace {

// Names are short; whatever is longer was not misspelt but is something else.
constexpr size_t kLongest = 128;

char plain(char c) { return c == '_' ? '-' : c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    now[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const int differs = plain(a[i - 1]) == plain(b[j - 1]) ? 0 : 1;
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + differs});
      if (i > 1 && j > 1 && plain(a[i - 1]) == plain(b[j - 2]) &&
          plain(a[i - 2]) == plain(b[j - 1]))
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(now);
  }
  return last[b.size()];
}

std::vector<std::string> all_nearest(std::string_view word, const std::vector<std::string>& names) {
  std::vector<std::string> best;
  if (word.size() > kLongest) return best;
  int least = static_cast<int>(word.size() + 2) / 3;
  for (const std::string& name : names) {
    if (name.size() > kLongest) continue;
    const int distance = edit_distance(word, name);
    if (distance > least) continue;
    if (distance < least) best.clear();
    least = distance;
    best.push_back(name);
  }
  return best;
}

std::string nearest(std::string_view word, const std::vector<std::string>& names) {
  const std::vector<std::string> all = all_nearest(word, names);
  return all.empty() ? "" : all.front();
}

Diagnostic suggest(Diagnostic diagnostic, std::string_view word,
                   const std::vector<std::string>& names, std::string_view around) {
  const std::string name = nearest(word, names);
  if (!name.empty()) diagnostic.notes.push_back(cat("did you mean `", around, name, "`?"));
  return diagnostic;
}

}  // namespace hlocc
