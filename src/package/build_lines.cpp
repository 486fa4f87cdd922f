// See build_lines.h. A firmware's link line does without a C library; another one has it, and there
// the library stands before it: the firmware's memcpy is the libc's, and hlocc_memcpy is the same
// function (docs/design/010_memory_functions.md).
#include "package/build_lines.h"

#include <algorithm>

#include "support/text.h"
#include "target/board_row.h"
#include "target/memory_functions.h"

namespace hlocc::package {
namespace {

struct Tool {
  std::string command;  // with flags
  std::string libgcc;   // how its linker is told of the compiler's helpers
};

class Lines {
 public:
  Lines(const Target& target, const BuildFiles& files, BoardRow row)
      : target_(target), files_(files), row_(std::move(row)) {}

  std::vector<BuildLine> all();

 private:
  // It has start-up code and a linker script of its own.
  bool is_firmware() const { return target_.bare_metal && !row_.contains("link"); }
  bool has_libc() const { return !target_.bare_metal || row_.contains("libc"); }
  std::string path(const std::string& name) const {
    return files_.folder.empty() ? name : cat(files_.folder, "/", name);
  }
  std::string compile(const Tool& tool);
  std::string link(const Tool& tool, bool with_libc);

  const Target& target_;
  const BuildFiles& files_;
  BoardRow row_;
};

std::string Lines::compile(const Tool& tool) {
  std::string out = tool.command + " -O2";
  if (!has_libc() && !row_["cflags"].ends_with("-ffreestanding")) out += " -ffreestanding";
  if (!files_.folder.empty()) out += cat(" -I ", files_.folder);
  out += " -c main.c";
  if (target_.backend == "c") out += cat(" ", path(files_.stem + ".c"));
  if (target_.options.weights_external) out += cat(" ", path(files_.stem + "_weights.S"));
  return out;
}

std::string Lines::link(const Tool& tool, bool with_libc) {
  std::string out = tool.command;
  if (is_firmware())
    out += with_libc ? " -nostartfiles -T SCRIPT.ld START.o" : " -nostdlib -T SCRIPT.ld START.o";
  else if (!row_["link"].empty())
    out += " " + row_["link"];
  out += " main.o";
  if (target_.options.weights_external) out += cat(" ", files_.stem, "_weights.o");
  if (with_libc && files_.own_copy) out += cat(" -Wl,--defsym=", kOwnCopy, "=memcpy");
  out += " " + (target_.backend == "c" ? files_.stem + ".o" : path(cat("lib", files_.stem, ".a")));
  if (is_firmware()) out += cat(with_libc ? " -lc " : " ", tool.libgcc);
  if (!target_.bare_metal && target_.options.threads > 1) out += " -pthread";
  return out + (is_firmware() ? " -o program.elf" : " -o program");
}

std::vector<BuildLine> Lines::all() {
  // Where another core stands in for the chip's, the row names the chip's own compiler.
  const std::string own = row_[row_.contains("own_compiler") ? "own_compiler" : "compiler"];
  const std::string flags = row_["cflags"].empty() ? "" : " " + row_["cflags"];
  const bool has_gcc = !own.starts_with("clang");
  std::vector<BuildLine> out;
  if (has_gcc) {
    const Tool gcc{own + flags, "-lgcc"};
    out = {{"gcc", "compile", compile(gcc)}, {"gcc", "link", link(gcc, false)}};
    if (is_firmware()) out.push_back({"gcc", "link_libc", link(gcc, true)});
  }
  const std::optional<Target> row = preset(target_.board);
  if (row && row->backend == "c") return out;
  const std::string triple =
      has_gcc && row_.contains("triple") ? cat(" --target=", row_["triple"]) : "";
  // Clang does not take all of GCC's flags.
  const std::string own_flags = row_.contains("clang") ? " " + row_["clang"] : flags;
  const Tool clang{cat("clang", triple, own_flags),
                   cat("$(", own, flags, " -print-libgcc-file-name)")};
  out.push_back({"clang", "compile", compile(clang)});
  // Clang's own linker is lld, but where a row says how it links.
  const bool names_lld = !triple.empty() || (!has_gcc && is_firmware());
  const Tool lld{clang.command + (names_lld ? " -fuse-ld=lld" : ""), clang.libgcc};
  out.push_back({"clang", "link", link(lld, false)});
  return out;
}

}  // namespace

BuildFiles build_files(const kernel::Signature& names, const Artifacts& artifacts) {
  return {"", names.stem, std::ranges::count(artifacts.defined, kOwnCopy) > 0};
}

std::vector<BuildLine> build_lines(const Target& target, const BuildFiles& files) {
  BoardRow row = row_for(target);
  if (row.empty()) return {};
  return Lines(target, files, std::move(row)).all();
}

std::string to_text(const std::vector<BuildLine>& lines) {
  constexpr size_t kColumn = 16;
  std::string out;
  for (const BuildLine& row : lines) {
    std::string what = cat("  ", row.compiler, " ", row.step);
    what.resize(std::max(what.size(), kColumn), ' ');
    out += cat(what, " ", row.line, "\n");
  }
  return out;
}

}  // namespace hlocc::package
