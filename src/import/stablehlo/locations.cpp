// See locations.h. A name around a file's line is a function; every other name is the operation's.
#include "import/stablehlo/locations.h"

#include "import/limits.h"
#include "support/text.h"

namespace hlocc::import::stablehlo {
namespace {

// Of one location: calls in calls.
constexpr size_t kMostFrames = 64;

}  // namespace

Result<hlo::Metadata> Locations::of(size_t position) {
  hlo::Metadata out;
  if (position == 0) return out;
  TextCursor& cursor = source_.cursor;
  HLOCC_TRY(resolve_aliases());
  cursor.rewind(position);
  const std::string_view text = cursor.peek() == '#' ? cursor.until(")") : std::string_view();
  if (const auto found = known_.find(text); found != known_.end()) return found->second;
  cursor.rewind(position);
  HLOCC_TRY_ASSIGN(Place place, parse(0));
  // A name around a line, and nothing around that, is the operation's.
  if (place.name.empty() && place.lines.size() == 1 && place.lines[0].function != 0)
    place.name = module_.source_functions[std::exchange(place.lines[0].function, 0) - 1];
  out.op_name = place.name;
  out.stack_frame = frame_of(place.lines);
  if (!place.lines.empty()) {
    out.source_file = module_.source_files[place.lines[0].file - 1];
    out.source_line = place.lines[0].line;
  }
  if (!text.empty()) known_[text] = out;
  return out;
}

Status Locations::resolve_aliases() {
  if (std::exchange(are_resolved_, true)) return {};
  for (const std::string_view name : source_.locations) {
    source_.cursor.rewind(source_.aliases[name]);
    HLOCC_TRY_ASSIGN(aliases_[name], parse(1));
  }
  return {};
}

Result<Locations::Place> Locations::parse(int depth) {
  TextCursor& cursor = source_.cursor;
  if (depth > kMaxNesting)
    return cursor.fail(DiagnosticKind::kLimit, cat("locations nest deeper than ", kMaxNesting));
  if (cursor.looking_at("#")) return aliased(depth);
  if (cursor.looking_at("\"")) return named(depth);
  if (cursor.accept_word("callsite")) return called(depth);
  if (cursor.accept_word("fused")) return fused(depth);
  if (cursor.accept_word("unknown")) return Place();
  if (cursor.accept_word("loc")) {
    HLOCC_TRY(cursor.expect("("));
    HLOCC_TRY_ASSIGN(Place inside, parse(depth + 1));
    HLOCC_TRY(cursor.expect(")"));
    return inside;
  }
  return cursor.expected("a location");
}

Result<Locations::Place> Locations::aliased(int depth) {
  TextCursor& cursor = source_.cursor;
  cursor.skip_space();
  const size_t begin = cursor.position();
  cursor.accept("#");
  if (cursor.word().empty()) return cursor.expected("the name of an alias");
  const std::string_view name = cursor.since(begin);
  const size_t end = cursor.position();
  if (const auto found = aliases_.find(name); found != aliases_.end()) return found->second;
  const auto defined = source_.aliases.find(name);
  if (defined == source_.aliases.end()) {
    cursor.rewind(begin);
    return cursor.expected("the name of a location that the file defines");
  }
  cursor.rewind(defined->second);
  HLOCC_TRY_ASSIGN(Place place, parse(depth + 1));
  cursor.rewind(end);
  aliases_[name] = place;
  return place;
}

// "file":3:5 to :9, "function"("file":3:5), or "operation"(location).
Result<Locations::Place> Locations::named(int depth) {
  TextCursor& cursor = source_.cursor;
  HLOCC_TRY_ASSIGN(const std::string name, parse_string(source_));
  Place out;
  if (cursor.accept(":")) {
    Line line{.file = number_of(module_.source_files, files_, name)};
    HLOCC_TRY_ASSIGN(const int64_t number, cursor.integer());
    if (number < 0 || number > INT32_MAX) return cursor.expected("the number of a line");
    line.line = static_cast<int>(number);
    while (cursor.accept(":") || cursor.accept_word("to"))
      if (!cursor.looking_at(":")) HLOCC_TRY(cursor.integer());
    out.lines = {line};
    return out;
  }
  if (cursor.accept("(")) {
    HLOCC_TRY_ASSIGN(out, parse(depth + 1));
    HLOCC_TRY(cursor.expect(")"));
  }
  const bool is_function =
      depth > 0 && out.name.empty() && out.lines.size() == 1 && out.lines[0].function == 0;
  // What ends in a colon says what kind of operation it is.
  if (is_function)
    out.lines[0].function = number_of(module_.source_functions, functions_, name);
  else if (!name.ends_with(':'))
    out.name = name;
  return out;
}

// (callee at caller)
Result<Locations::Place> Locations::called(int depth) {
  TextCursor& cursor = source_.cursor;
  HLOCC_TRY(cursor.expect("("));
  HLOCC_TRY_ASSIGN(Place out, parse(depth + 1));
  if (!cursor.accept_word("at")) return cursor.expected("'at'");
  HLOCC_TRY_ASSIGN(const Place caller, parse(depth + 1));
  HLOCC_TRY(cursor.expect(")"));
  for (const Line& line : caller.lines)
    if (out.lines.size() < kMostFrames) out.lines.push_back(line);
  if (out.name.empty()) out.name = caller.name;
  return out;
}

// fused<"pass">[location, location]: the first that says something.
Result<Locations::Place> Locations::fused(int depth) {
  TextCursor& cursor = source_.cursor;
  if (cursor.looking_at("<")) HLOCC_TRY(skip_value(source_, "", "["));
  HLOCC_TRY(cursor.expect("["));
  Place out;
  while (!cursor.accept("]")) {
    HLOCC_TRY_ASSIGN(Place one, parse(depth + 1));
    if (out.name.empty() && out.lines.empty()) out = std::move(one);
    if (!cursor.accept(",") && !cursor.looking_at("]")) return cursor.expected("',' or ']'");
  }
  return out;
}

int Locations::number_of(std::vector<std::string>& names, std::map<std::string, int>& numbers,
                         const std::string& name) {
  const auto [at, is_new] = numbers.try_emplace(name, static_cast<int>(names.size()) + 1);
  if (is_new) names.push_back(name);
  return at->second;
}

int Locations::frame_of(const std::vector<Line>& lines) {
  int caller = 0;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    const auto next = static_cast<int>(module_.frames.size()) + 1;
    const auto [at, is_new] = frames_.try_emplace({*line, caller}, next);
    if (is_new) module_.frames.push_back({line->file, line->function, line->line, caller});
    caller = at->second;
  }
  return caller;
}

}  // namespace hlocc::import::stablehlo
