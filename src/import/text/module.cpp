// The module's header with its attributes, the tables of stack frames, and the three forms: with
// header, headerless, and a single instruction.
#include "import/text/module.h"

#include "import/limits.h"
#include "import/proto/stack_frames.h"
#include "import/structure.h"
#include "import/text/computation.h"
#include "import/text/fields.h"
#include "import/text/shape.h"
#include "support/text.h"

namespace hlocc::import {
namespace {
using hlo::Module;

class ModuleParser {
 public:
  ModuleParser(std::string_view text, const std::string& file, Elided& elided)
      : text_{TextCursor(text, file), elided, {}, {}, 0, {}, 0} {
    text_.module.file = file;
  }

  Result<Module> parse() {
    const bool has_header = cursor_.accept_word("HloModule");
    if (has_header) HLOCC_TRY(parse_header());
    if (has_header) HLOCC_TRY(parse_stack_frames());
    if (!has_header && at_single_instruction())
      HLOCC_TRY(parse_single_instruction(text_));
    else
      HLOCC_TRY(parse_computations());
    if (!cursor_.at_end()) return cursor_.expected("the end of the file");
    Module& module = text_.module;
    if (!has_header) module.name = "module_" + module.entry_computation().name;
    HLOCC_TRY(finish_module(module, has_entry_layout_));
    return std::move(module);
  }

 private:
  // --- header ---
  Status parse_header() {
    HLOCC_TRY_ASSIGN(text_.module.name, cursor_.name());
    cursor_.accept(":");
    while (cursor_.accept(",")) {
      const std::string_view name = cursor_.word();
      HLOCC_TRY(cursor_.expect("="));
      HLOCC_TRY(parse_attribute(name));
    }
    return {};
  }

  Status parse_attribute(std::string_view name) {
    Module& module = text_.module;
    if (name == "input_output_alias") return parse_aliases();
    if (name == "entry_computation_layout") return parse_entry_layout();
    if (name == "is_scheduled") return assign(module.is_scheduled, cursor_.boolean());
    if (name == "replica_count") return assign(module.replica_count, cursor_.integer());
    if (name == "num_partitions") return assign(module.num_partitions, cursor_.integer());
    return cursor_.skip_value();
  }

  template <typename T>
  static Status assign(T& out, Result<T> value) {
    if (!value) return std::move(value).error();
    out = std::move(value).value();
    return {};
  }

  // { {0}: (1, {}, must-alias), {1}: 2 }: the short form has the parameter's number alone.
  Status parse_aliases() {
    HLOCC_TRY(cursor_.expect("{"));
    while (!cursor_.accept("}")) {
      hlo::Alias alias;
      HLOCC_TRY(assign(alias.output_index, parse_dimension_list(cursor_)));
      HLOCC_TRY(cursor_.expect(":"));
      const bool tuple = cursor_.accept("(");
      HLOCC_TRY(assign(alias.parameter, cursor_.integer()));
      if (tuple) {
        if (cursor_.accept(","))
          HLOCC_TRY(assign(alias.parameter_index, parse_dimension_list(cursor_)));
        if (cursor_.accept(",")) alias.must_alias = cursor_.word() == "must-alias";
        HLOCC_TRY(cursor_.expect(")"));
      }
      text_.module.aliases.push_back(std::move(alias));
      cursor_.accept(",");
    }
    return {};
  }

  // {(shape, ...)->shape}.
  Status parse_entry_layout() {
    HLOCC_TRY(cursor_.expect("{"));
    HLOCC_TRY(cursor_.expect("("));
    while (!cursor_.accept(")")) {
      HLOCC_TRY_ASSIGN(hlo::Shape shape, parse_shape(cursor_));
      text_.module.entry_parameters.push_back(std::move(shape));
      cursor_.accept(",");
    }
    HLOCC_TRY(cursor_.expect("->"));
    HLOCC_TRY(assign(text_.module.entry_result, parse_shape(cursor_)));
    has_entry_layout_ = true;
    return cursor_.expect("}");
  }

  // --- stack frames: a word, then rows that begin with their number ---
  Status parse_stack_frames() {
    while (true) {
      if (cursor_.accept_word("FileNames")) {
        HLOCC_TRY(
            parse_rows([&](std::string text) { frames_.file_names.push_back(std::move(text)); }));
      } else if (cursor_.accept_word("FunctionNames")) {
        HLOCC_TRY(parse_rows(
            [&](std::string text) { frames_.function_names.push_back(std::move(text)); }));
      } else if (cursor_.accept_word("FileLocations")) {
        HLOCC_TRY(parse_rows([&](std::string text) {
          frames_.file_locations.push_back({number_in(text, "file_name_id="),
                                            number_in(text, "function_name_id="),
                                            static_cast<int>(number_in(text, "line="))});
        }));
      } else if (cursor_.accept_word("StackFrames")) {
        HLOCC_TRY(parse_rows([&](std::string text) {
          frames_.frames.push_back(
              {number_in(text, "file_location_id="), number_in(text, "parent_frame_id=")});
        }));
      } else {
        frames_.move_into(text_.module);
        return {};
      }
    }
  }

  template <typename Take>
  Status parse_rows(Take take) {
    while (cursor_.peek() >= '0' && cursor_.peek() <= '9') {
      HLOCC_TRY(cursor_.integer());
      Result<std::string> row = cursor_.peek() == '{' ? cursor_.braced() : cursor_.quoted();
      if (!row) return std::move(row).error();
      take(std::move(row).value());
    }
    return {};
  }

  // The number behind " key" in {key1=1 key2=2}; 0 if there is none.
  static int64_t number_in(const std::string& row, std::string_view key) {
    for (size_t at = row.find(key); at != std::string::npos; at = row.find(key, at + 1)) {
      if (at > 0 && row[at - 1] != '{' && row[at - 1] != ' ' && row[at - 1] != ',') continue;
      return std::atoll(row.c_str() + at + key.size());
    }
    return 0;
  }

  // --- body ---
  bool at_single_instruction() {
    const size_t begin = cursor_.position();
    cursor_.accept_word("ROOT");
    const bool single = cursor_.name().ok() && cursor_.looking_at("=");
    cursor_.rewind(begin);
    return single;
  }

  Status parse_computations() {
    if (cursor_.at_end()) return cursor_.expected("a computation");
    while (!cursor_.at_end()) HLOCC_TRY(parse_computation(text_));
    // Without ENTRY the last one is the entry.
    if (text_.module.entry == hlo::kNone)
      text_.module.entry = static_cast<hlo::ComputationId>(text_.module.computations.size()) - 1;
    return {};
  }

  TextModule text_;
  StackFrames frames_;
  TextCursor& cursor_ = text_.cursor;
  bool has_entry_layout_ = false;
};

}  // namespace

Result<Module> read_module_text(std::string_view text, const std::string& file, Elided& elided) {
  return ModuleParser(text, file, elided).parse();
}

}  // namespace hlocc::import
