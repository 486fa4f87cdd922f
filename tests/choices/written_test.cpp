// What is written for whole programs: the files of op cases, regressions and models in C for rows of
// every kind, and LLVM's IR of them after our passes. Which form an expression, a vector or an
// address takes changes no result; it changes what the text is made of: how often which instruction
// of LLVM's stands there, which functions of the chip the C calls, its loops and statements.
#include <algorithm>
#include <cctype>

#include "choices/data_cases.h"
#include "driver/pipeline/pipeline.h"
#include "driver/pipeline/targets.h"
#include "support/figures.h"
#include "support/require.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

using package::Emit;

Target row(const std::string& name, const char* backend) {
  driver::CommandLine line;
  line.backend = backend;
  Target target = require(driver::resolve_target(name, line));
  target.options.stem = "m";
  return target;
}

// Without vectors, with words, with vectors of each kind, with constants apart, with the other order
// of bytes, for a linker without GNU's sections.
std::vector<Target> rows_of_c() {
  std::vector<Target> rows;
  for (const char* name : {"cortex-m0", "cortex-m4f", "cortex-m55", "cortex-a53", "s390x-linux",
                           "x86_64-linux", "avr-mega2560"})
    rows.push_back(row(name, "c"));
  Target wide = row("x86_64-linux", "c");
  wide.vector_bits = 512;
  wide.isa = {Isa::kSse2, Isa::kAvx2, Isa::kAvxVnni, Isa::kAvx512Vnni};
  rows.push_back(wide);
  return rows;
}

// Builds with LLVM write triples with all their parts.
std::string with_whole_triples(std::string text) {
#ifndef HLOCC_LLVM
  constexpr std::string_view kShort = "-none-", kVendor = "-unknown";
  for (size_t at = text.find("\"triple\": "); at != std::string::npos;
       at = text.find("\"triple\": ", at + 1)) {
    const std::string_view line = std::string_view(text).substr(at, text.find('\n', at) - at);
    const size_t cut = line.find(kShort);
    if (cut != std::string_view::npos && line.find(kVendor) == std::string_view::npos)
      text.insert(at + cut, kVendor);
  }
#endif
  return text;
}

bool is_word(char c) { return c == '_' || c == '.' || std::isalnum(static_cast<unsigned char>(c)); }

// Whether a function's name is one of the compiler's or of ACLE's: `__smlad`, `_mm256_add_ps`,
// `vaddq_f32`, `vctp32q`.
bool is_of_chip(std::string_view name) {
  if (name.starts_with("__") || name.starts_with("_mm") || name.starts_with("vctp")) return true;
  const std::string_view type = name.substr(name.rfind('_') + 1);
  return name.starts_with("v") && type.find_first_of("fsup") == 0 && type.size() > 1 &&
         type.find_first_not_of("0123456789", 1) == type.npos;
}

// Of C: functions of the chip by name, and what every program has.
void add_c_text(Figures& figures, std::string_view text) {
  figures.add("lines", std::ranges::count(text, '\n'));
  figures.add("statements", std::ranges::count(text, ';'));
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    while (at < text.size() && is_word(text[at])) ++at;
    const std::string_view word = text.substr(begin, at - begin);
    for (const std::string_view control : {"for", "while", "if"})
      if (word == control) figures.count(std::string(word));
    if (at < text.size() && text[at] == '(' && is_of_chip(word)) figures.count(std::string(word));
    if (at == begin) ++at;
  }
}

// Of LLVM's IR: instructions by name, and which of its own functions are called.
void add_ir_text(Figures& figures, std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    std::string_view line = text.substr(at, text.find('\n', at) - at);
    at += line.size() + 1;
    if (!line.starts_with("  ")) continue;
    line.remove_prefix(2);
    if (const size_t is = line.find(" = "); line.starts_with("%") && is != line.npos)
      line.remove_prefix(is + 3);
    for (const std::string_view before : {"tail ", "fast "})
      if (line.starts_with(before)) line.remove_prefix(before.size());
    const std::string word(line.begin(), std::ranges::find_if_not(line, is_word));
    const size_t own = line.find("@llvm.");
    if (word.empty()) continue;
    if (word != "call")
      figures.count(word);
    else if (own == line.npos)
      figures.count("calls");
    else
      figures.count(std::string(line.substr(own + 1, line.find('(', own) - own - 1)));
  }
}

void add(const std::string& file, const std::string& line, const hlo::Module& module,
         const Target& target, const std::set<Emit>& emit) {
  const auto made = driver::compile_module(module, target, emit, {});
  Figures figures;
  // What can't be compiled is refused with the same words.
  if (!made) {
    figures.count(cat("refused: ", made.error().message));
    return add_figures(file, line, figures);
  }
  std::string text;
  for (const package::File& one : made->files) {
    const std::vector<std::byte> bytes = one.bytes.joined();
    text += cat(one.name, "\n");
    text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  figures.add("bytes", static_cast<int64_t>(with_whole_triples(text).size()));
  if (emit.contains(Emit::kLlvmIr))
    add_ir_text(figures, text);
  else
    add_c_text(figures, text);
  add_figures(file, line, figures);
}

void add_c(const std::string& folder) {
  const std::vector<Target> rows = rows_of_c();
  for (const DataCase& one : data_cases(folder))
    for (const Target& target : rows)
      add("c", cat(folder, " ", one.name), one.module, target, {Emit::kCSource, Emit::kHeader});
}

TEST_CASE("the C of op cases") { add_c("ops"); }
TEST_CASE("the C of regressions") { add_c("regressions"); }
TEST_CASE("the C of models") { add_c("models"); }

#ifdef HLOCC_LLVM
std::vector<Target> rows_of_llvm() {
  std::vector<Target> rows;
  for (const char* name : {"cortex-m0", "cortex-m4f", "cortex-m55", "rv32imc", "cortex-a53",
                           "riscv64v-linux", "s390x-linux", "x86_64-linux"})
    rows.push_back(row(name, "cpu"));
  driver::CommandLine line;
  line.backend = "cpu";
  line.cpu = "cascadelake";
  rows.push_back(require(driver::resolve_target("x86_64-linux", line)));
  rows.back().options.stem = "m";
  return rows;
}

// Each for two of the rows, by its name: LLVM's passes take their time.
void add_llvm(const std::string& folder) {
  const std::vector<Target> rows = rows_of_llvm();
  for (const DataCase& one : data_cases(folder)) {
    size_t first = 0;
    for (const char c : one.name) first = 31 * first + static_cast<unsigned char>(c);
    for (const size_t n : {first, first + 1 + first / rows.size() % (rows.size() - 1)})
      add("llvm", cat(folder, " ", one.name), one.module, rows[n % rows.size()], {Emit::kLlvmIr});
  }
}

TEST_CASE("LLVM's IR of op cases") { add_llvm("ops"); }
TEST_CASE("LLVM's IR of regressions") { add_llvm("regressions"); }
TEST_CASE("LLVM's IR of models") { add_llvm("models"); }
#endif

}  // namespace
}  // namespace hlocc::tests
