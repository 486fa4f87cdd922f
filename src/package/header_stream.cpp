// Of a model whose rows come one after the other: begin, push and end in the place of run. The
// library does one part of a window a call, which the first word of its state names
// (kernel::StreamPhase); the second counts rows, from 1 for none: 0 says that no window has begun.
#include "package/header_parts.h"
#include "planning/kept_rows.h"
#include "support/text.h"

namespace hlocc::package {
namespace {

const HeaderLeaf& streamed(const HeaderFacts& facts) {
  return facts.arguments[facts.signature->stream->leaf];
}

// arg0; the name itself where there is one.
std::vector<std::string> names_of(const HeaderLeaf& l) {
  std::vector<std::string> out{l.bases[0]};
  if (!l.leaf->name.empty()) out.push_back(l.leaf->name);
  return out;
}

constexpr std::string_view kStreamHelpers = R"(
static inline int32_t *@pstream_(const @pt *self) {
  return @MCAST_(int32_t *, @pstate_(self, %STATE));
}
/* A word in front of the arena's values, which tells that no other model has used the arena. */
static inline uint32_t *@pticket_(const @pt *self) {
  return @MCAST_(uint32_t *, @parena_(self, %TICKET));
}
static inline uint32_t @pticket_now_(const @pt *self) {
  return @MCAST_(uint32_t, @MNUMBER_(self) * 2654435761u) ^
         @MCAST_(uint32_t, @pstream_(self)[1] * 40503);
}
static inline int @ppart_(@pt *self, int32_t part) {
  int code;
  @pstream_(self)[0] = part;
  code = @prun_(self);
  if (code != @MOK) @pstream_(self)[1] = 0;
  return code;
}

/* Begins a window: all arguments but the rows must be there, and must stay until its end. Of a
 * window that has not ended nothing is left. */
static inline int @pbegin(@pt *self) {
  int code;
  if (!self || !self->arena) return @MERROR_NULL;
  @pstream_(self)[1] = 1;
  code = @ppart_(self, 0);
  if (code == @MOK) *@pticket_(self) = @pticket_now_(self);
  return code;
}

/* Rows that are missing until the results are there. */
static inline size_t @prows_left(const @pt *self) {
  const int32_t count = @pstream_(self)[1];
  return count == 0 ? @MSTREAM_ROWS : @MSTREAM_ROWS + 1 - @MCAST_(size_t, count);
}

/* 0 if the window's results are there; @MERROR_ROWS if rows are missing. */
static inline int @pend(const @pt *self) {
  if (!self || !self->arena) return @MERROR_NULL;
  if (@pstream_(self)[1] == 0) return @MERROR_NOT_BEGUN;
  return @prows_left(self) == 0 ? @MOK : @MERROR_ROWS;
}
%FOLLOWS
/* The next `count` rows, which lie one after the other, each of them aligned as ..._ALIGN says (so
 * only one at a time if their size is no multiple of it); they are not needed any more afterwards.
 * With the last of STREAM_ROWS rows the results are there. If there are too many rows, none of them
 * is taken. */
static inline int @ppush_%NAME(@pt *self, const %TYPE *rows, size_t count) {
  int32_t *stream;
  if (!self || !self->arena || (!rows && count > 0)) return @MERROR_NULL;
  if (@MNUMBER_(rows) % %ALIGN != 0) return @MERROR_ALIGN;
%SINGLE  stream = @pstream_(self);
  if (stream[1] == 0) return @MERROR_NOT_BEGUN;
  if (count > %LEFT) return @MERROR_ROWS;
  if (count == 0) return @MOK;
  if (*@pticket_(self) != @pticket_now_(self)) {
    stream[1] = 0;
    return @MERROR_ARENA;
  }
%NEXT  for (; count > 0; --count, rows += %ELEMENTS) {
    int code;
    self->%SLOT = @MMUTABLE_(@MCAST_(const void *, rows));
    code = @ppart_(self, 1);
    if (code != @MOK) return code;
    ++stream[1];
  }
  if (@prows_left(self) == 0) {
    int code = @MOK, behind;
    for (behind = %BEHIND; behind > 0 && code == @MOK; --behind) code = @ppart_(self, 1);
    if (code == @MOK) code = @ppart_(self, 2);
    if (code != @MOK) return code;
  }
  *@pticket_(self) = @pticket_now_(self);
  return @MOK;
}
)";

// Where windows follow one another: STREAM_EVERY rows behind a result make the next one.
constexpr const char* kLeft = "(@prows_left(self) > 0 ? @prows_left(self) : @MSTREAM_EVERY)";
constexpr const char* kNext =
    "  if (@prows_left(self) == 0) stream[1] = @MSTREAM_ROWS + 1 - @MSTREAM_EVERY;\n";
constexpr const char* kFollows = R"(
/* Behind a result rows go on: those of the window move up by STREAM_EVERY, and so many more make
 * the next result. Results hold until then. */)";

std::string with(std::string text, std::string_view mark, const std::string& value) {
  for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
    text.replace(at, mark.size(), value);
  return text;
}

}  // namespace

std::string stream_macros(const HeaderFacts& facts) {
  if (!facts.signature->stream) return "";
  std::string every;
  if (const int64_t spacing = planning::window_spacing(*facts.plan); spacing > 0)
    every = cat("\n/* Rows from a result to the next. */\n#define @MSTREAM_EVERY ", spacing);
  return facts.fill(cat(
      "\n/* Rows of a window; the sizes of its argument are those of one row. */\n"
      "#define @MSTREAM_ROWS ",
      facts.signature->stream->rows, every,
      "\n#define @MERROR_NOT_BEGUN 3 /* rows without a window that has begun */\n"
      "#define @MERROR_ROWS 4      /* more rows than the window has left, or fewer than all */\n"
      "#define @MERROR_ARENA 5     /* the arena was used by others since the last rows */\n"));
}

std::string stream_messages(const HeaderFacts& facts) {
  if (!facts.signature->stream) return "";
  return R"(  if (code == @MERROR_NOT_BEGUN) return "no window has begun";
  if (code == @MERROR_ROWS) return "too many or too few rows";
  if (code == @MERROR_ARENA) return "the arena was used by others in the middle of a window";
)";
}

std::string stream_functions(const HeaderFacts& facts) {
  if (!facts.signature->stream) return "";
  const HeaderLeaf& l = streamed(facts);
  const planning::Plan::StreamPlace& place = *facts.plan->stream;
  const std::vector<std::string> names = names_of(l);
  // A second row would not be aligned.
  const bool is_single = l.leaf->bytes() % l.align != 0;
  const bool follows = planning::window_spacing(*facts.plan) > 0;
  std::string out(kStreamHelpers);
  for (const auto& [mark, value] : std::initializer_list<std::pair<const char*, std::string>>{
           {"%SINGLE", is_single ? "  if (count > 1) return @MERROR_ALIGN;\n" : ""},
           {"%LEFT", follows ? kLeft : "@prows_left(self)"},
           {"%NEXT", follows ? kNext : ""},
           {"%FOLLOWS", follows ? kFollows : ""},
           {"%STATE", cat(place.state_offset)},
           {"%TICKET", cat(place.ticket_offset)},
           {"%NAME", names[0]},
           {"%TYPE", std::string(l.type.name)},
           {"%ALIGN", cat(l.align)},
           {"%ELEMENTS", cat(l.leaf->shape.element_count() * l.type.per_element)},
           {"%SLOT", l.slot},
           {"%BEHIND", cat(place.iterations - facts.signature->stream->rows)}})
    out = with(std::move(out), mark, value);
  for (size_t i = 1; i < names.size(); ++i)
    out += cat("static inline int @ppush_", names[i], "(@pt *self, const ", l.type.name,
               " *rows, size_t count) {\n  return @ppush_", names[0], "(self, rows, count);\n}\n");
  return facts.fill(out);
}

std::string stream_members(const HeaderFacts& facts) {
  const HeaderLeaf& l = streamed(facts);
  std::string out = facts.fill(
      "@MALWAYS_INLINE_ bool Begin() {\n    if (ready_) return Did(@pbegin(&self_));\n"
      "    if (error_ == 0) error_ = @MERROR_NULL;\n    return false;\n  }\n"
      "  bool End() { return Did(@pend(&self_)); }\n"
      "  size_t rows_left() const { return @prows_left(&self_); }\n");
  for (const std::string& name : names_of(l))
    out += facts.fill(cat("  @MALWAYS_INLINE_ bool push_", name, "(const ", l.type.name,
                          " *rows, size_t count) {\n    return Did(@ppush_", name,
                          "(&self_, rows, count));\n  }\n"));
  return out;
}

}  // namespace hlocc::package
