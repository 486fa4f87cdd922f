// `hlocc doctor` as a whole, on ELF files that are made here byte by byte: which files it takes,
// what it prints, as JSON too, and its exit code (driver/doctor/verb_doctor.cpp).
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "driver/verb_told.h"
#include "support/temporary_folder.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

#ifdef HLOCC_LLVM  // whose library reads ELF files

std::string little(std::initializer_list<uint32_t> words) {
  std::string out;
  for (const uint32_t word : words)
    for (int i = 0; i < 4; ++i) out += static_cast<char>(word >> 8 * i);
  return out;
}

// A file for RV32 with two instructions and a global function: linked (2) or an object (1).
std::string elf_file(uint32_t type, const std::string& function) {
  constexpr uint32_t kMachine = 243, kHeader = 52, kRow = 40, kSections = 5, kCode = 8;
  const std::string code(kCode, '\1'), symbols = little({0, 0, 0, 0, 1, 0, kCode, 0x10012});
  std::string text = std::string(1, '\0') + function,
              names("\0.text\0.symtab\0.strtab\0.shstrtab\0", 33);
  text.resize(16);
  names.resize(36);
  const auto size = [](const std::string& part) { return static_cast<uint32_t>(part.size()); };
  const uint32_t at_symbols = kHeader + kCode, at_text = at_symbols + size(symbols),
                 at_names = at_text + size(text), at_rows = at_names + size(names);
  std::string out("\177ELF\1\1\1\0\0\0\0\0\0\0\0\0", 16);
  out += little(
      {kMachine << 16 | type, 1, 0, 0, at_rows, 0, kHeader, kRow << 16, 4 << 16 | kSections});
  out += code + symbols + text + names + std::string(kRow, '\0');
  out += little({1, 1, 6, 0, kHeader, kCode, 0, 0, 4, 0});
  out += little({7, 2, 0, 0, at_symbols, size(symbols), 3, 1, 4, 16});
  out += little({15, 3, 0, 0, at_text, size(text), 0, 0, 1, 0});
  return out + little({23, 3, 0, 0, at_names, size(names), 0, 0, 1, 0});
}

class DoctorFolder {
 public:
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  VerbCall run(const char* firmware, const char* library = "libkws.a", const char* header = "",
               bool quiet = false, bool json = false) const {
    CommandLine line;
    line.models = {folder_.path() + "/" + firmware};
    line.doctor.library = folder_.path() + "/" + library;
    if (*header != '\0') line.doctor.header = folder_.path() + "/" + header;
    line.quiet = quiet;
    line.json = json;
    return call_of(verb_doctor, line);
  }
  std::string path(const char* name) const { return folder_.path() + "/" + name; }

 private:
  tests::TemporaryFolder folder_;
};

const DoctorFolder& doctor_files() {
  static const DoctorFolder out;
  out.write("libkws.a", elf_file(1, "kws_run_1a2b"));
  out.write("right.elf", elf_file(2, "kws_run_1a2b"));
  out.write("wrong.elf", elf_file(2, "kws_run_9f"));
  out.write("none.a", "!<arch>\n");
  out.write("other.h", "#define kws_run kws_run_9f\n");
  out.write("kws.h", "#define kws_run kws_run_1a2b\n");
  return out;
}

TEST_CASE("what doctor prints of a firmware in which nothing is wrong") {
  const DoctorFolder& files = doctor_files();
  const std::string unseen = cat("not seen manifest  There is no ", files.path("kws.json"),
                                 ", which tells arena and stack.\n");
  const VerbCall all = files.run("right.elf"), quiet = files.run("right.elf", "libkws.a", "", true);
  CHECK(all.code == 0);
  CHECK(
      all.output ==
      "fine     machine   Firmware and library are code for riscv32 with the float ABI ilp32.\n"
      "fine     link      The firmware holds kws_run_1a2b.\n"
      "fine     isa       The library uses no unit that the rest of the firmware does without.\n" +
          unseen + "nothing is wrong\n");
  CHECK(quiet.code == 0);
  CHECK(quiet.output == unseen);
  CHECK(files.run("right.elf", "libkws.a", "kws.h").output == all.output);
}

TEST_CASE("what is wrong is printed with its cure and counted") {
  const DoctorFolder& files = doctor_files();
  const VerbCall one = files.run("wrong.elf"), two = files.run("wrong.elf", "libkws.a", "other.h");
  CHECK(one.code == 1);
  CHECK(one.output.find("WRONG    link      The firmware holds kws_run_9f, ") != std::string::npos);
  CHECK(one.output.find("\n                   cure: Link the firmware again") != std::string::npos);
  CHECK(one.output.ends_with("\n1 thing is wrong\n"));
  CHECK(two.code == 1);
  CHECK(two.output.ends_with("\n2 things are wrong\n"));
  const VerbCall quiet = files.run("wrong.elf", "libkws.a", "", true);
  CHECK(quiet.code == 1);
  CHECK(quiet.output.starts_with("WRONG    link "));
  CHECK(quiet.output.find(" wrong\n") == std::string::npos);
}

TEST_CASE("findings as JSON") {
  const DoctorFolder& files = doctor_files();
  const auto json =
      nlohmann::json::parse(files.run("wrong.elf", "libkws.a", "", false, true).output);
  CHECK(json["firmware"] == files.path("wrong.elf"));
  CHECK(json["library"] == files.path("libkws.a"));
  CHECK(json["wrong"] == 1);
  REQUIRE(json["findings"].size() == 3);
  for (const auto& [i, health, topic] :
       {std::tuple{0, "fine", "machine"}, {1, "wrong", "link"}, {2, "not seen", "manifest"}}) {
    CHECK(json["findings"][i]["health"] == health);
    CHECK(json["findings"][i]["topic"] == topic);
    CHECK(json["findings"][i]["cure"].get<std::string>().empty() == (i != 1));
  }
}

TEST_CASE("a manifest beside the library is read, and what is no firmware is refused") {
  const DoctorFolder& files = doctor_files();
  files.write("vww.json", R"({"run_symbol": "kws_run_9f"})");
  files.write("libvww.a", elf_file(1, "kws_run_1a2b"));
  files.write("vww.a", elf_file(1, "kws_run_1a2b"));
  for (const char* library : {"libvww.a", "vww.a"}) {
    const VerbCall run = files.run("right.elf", library);
    CHECK(run.code == 1);
    CHECK(run.output.find("WRONG    header    The manifest belongs to another compile: it says "
                          "kws_run_9f, the library has kws_run_1a2b.") != std::string::npos);
    CHECK(run.output.find("There is no ") == std::string::npos);
  }
  const std::string refused = "is a static library, not a firmware";
  CHECK(files.run("none.a").error == refused);
  CHECK(files.run("libkws.a", "libkws.a").error == refused);
  CHECK(files.run("libkws.a", "libvww.a").output.find("an object that is not linked yet") !=
        std::string::npos);
  CHECK(files.run("kws.h").error == "is neither an ELF file nor a static library");
  CHECK_FALSE(files.run("nothing.elf").error.empty());
  CHECK(files.run("right.elf", "libkws.a", "none.a").error == "is no header of hlocc's");
  files.write("vww.json", "[]");
  CHECK(files.run("right.elf", "libvww.a").error == "is no manifest");
}

#endif

}  // namespace
}  // namespace hlocc::driver
