// See import.h.
#include "import/stablehlo/import.h"

#include "import/stablehlo/parser.h"
#include "import/stablehlo/translator.h"
#include "import/structure.h"

namespace hlocc::import::stablehlo {

bool is_stablehlo(std::string_view text) {
  TextCursor cursor(text, {});
  cursor.skip_space();
  for (const std::string_view word :
       {"#loc", "#map", "#sdy", "\"builtin.module\"", "\"func.func\""})
    if (cursor.looking_at(word)) return true;
  const std::string_view word = cursor.word();
  if (word == "func.func" || word == "builtin.module") return true;
  return word == "module" &&
         (cursor.looking_at("@") || cursor.looking_at("{") || cursor.looking_at("attributes"));
}

Result<hlo::Module> read_stablehlo(std::string_view text, const std::string& file, Elided& elided) {
  Source source{text, TextCursor(text, file), elided};
  Result<Program> program = Parser(source).program();
  if (!program) {
    const size_t here = source.cursor.position();
    Diagnostic why = std::move(program).error();
    return why.message.find("(column ") == std::string::npos ? source.located_at(here, why) : why;
  }
  hlo::Module module;
  module.name = program->name;
  module.file = file;
  HLOCC_TRY(Translator(source, *program, module).build());
  HLOCC_TRY(finish_module(module, false));
  hlo::compact(module);
  HLOCC_TRY(finish_module(module, false));
  return module;
}

}  // namespace hlocc::import::stablehlo
