// What a package is made of, read off command lines: versions, licences, addresses, names of models
// and which of them meet, targets that a format has a place for, folders (docs/packages.md).
#include "driver/packages/spec.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "driver/packages/formats.h"
#include "support/temporary_folder.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

namespace fs = std::filesystem;

class PackageFolder {
 public:
  PackageFolder() {
    for (const char* name : {"full", "empty", "old"}) fs::create_directories(file(name));
    for (const char* name :
         {"kws.pb", "vww.tflite", "match.hlo", "full/x", "old/hlocc_package.json"})
      std::ofstream(file(name)) << "x";
  }
  std::string file(const std::string& name) const { return cat(folder_.path(), "/", name); }
  std::string told(std::string text) const {
    const std::string& own = folder_.path();
    for (size_t at = text.find(own); at != std::string::npos; at = text.find(own, at))
      text.replace(at, own.size(), "FOLDER");
    return text;
  }

 private:
  tests::TemporaryFolder folder_;
};

std::string spec_text(const Result<PackageSpec>& spec) {
  if (!spec) return spec.error().to_string();
  std::string out = cat(spec->names.class_name, ":");
  for (const PackageModel& model : spec->models)
    out += cat(" ", model.path, "=", model.names.class_name, "/", model.names.prefix);
  for (const PackageTarget& target : spec->targets)
    out += cat("\n ", target.id, ": ", target.condition);
  return out + "\n";
}

Result<PackageSpec> spec_of(std::vector<std::string> words) {
  words.insert(words.begin(), {"hlocc", "package"});
  std::vector<const char*> raw;
  for (const std::string& word : words) raw.push_back(word.c_str());
  HLOCC_TRY_ASSIGN(const CommandLine line,
                   parse_command_line(static_cast<int>(raw.size()), raw.data()));
  return read_package(line);
}

TEST_CASE("versions, licences and addresses of packages") {
  const PackageFolder folder;
  const auto is_taken = [&](const char* flag, const char* value) {
    return spec_of({folder.file("kws.pb"), "--format", "make", "--target", "cortex-m4f", "-o",
                    folder.file("new"), flag, value})
        .ok();
  };
  for (const char* good : {"1.2.3", "0.0.0", "10.20.30", "99999.0.1"})
    CHECK(is_taken("--package-version", good));
  for (const char* bad : {"1.2", "1.2.3.4", "1..3", "1.2.x", "01.2.3", "1.2.03", "100000.0.0",
                          "1.2.", ".1.2", "v1.2.3", "00.1.2"})
    CHECK_FALSE(is_taken("--package-version", bad));
  for (const char* good : {"MIT", "Apache-2.0 OR MIT", "(A+B)", "az09AZ"})
    CHECK(is_taken("--license", good));
  for (const char* bad : {"a/b", "a_b", "a@", "a[", "a`", "a{", "a:", "\x7f"})
    CHECK_FALSE(is_taken("--license", bad));
  for (const char* good : {"https://x", "http://x/~!", "https://a.b/c?d=e&f"})
    CHECK(is_taken("--url", good));
  for (const char* bad : {"ftp://x", "x", "https://a b", "https://\x7f", "https://\"", "https://'",
                          "https://<", "https://>", "https://\\", "https://`", "https:/x"})
    CHECK_FALSE(is_taken("--url", bad));
}

// The first line of what is said of the models, or the names that they get.
struct Models {
  std::vector<std::string> words;
  const char* told;
};

TEST_CASE("which names of models meet") {
  const PackageFolder folder;
  const std::string kws = folder.file("kws.pb"), vww = folder.file("vww.tflite"),
                    word = folder.file("match.hlo"), gone = folder.file("gone.pb");
  const Models all[] = {
      {{kws}, "Kws: FOLDER/kws.pb=Kws/kws_"},
      {{kws, "--name", "acme::Kws"}, "acme::Kws: FOLDER/kws.pb=acme::Kws/acme_kws_"},
      {{kws, vww}, "hlocc: error[usage]: a package of several models needs a name"},
      {{kws, vww, "--name", "acme::Models"},
       "acme::Models: FOLDER/kws.pb=acme::Kws/acme_kws_ FOLDER/vww.tflite=acme::Vww/acme_vww_"},
      {{kws, vww, "--name", "acme::Kws"},
       "hlocc: error[usage]: the package and its model acme::Kws are both called kws"},
      {{kws, vww, "--name", "Kws"},
       "hlocc: error[usage]: the package and its model Kws are both called kws"},
      {{kws, "--name", "M"},
       "hlocc: error[usage]: --name M: libm.a would be found by -lm, a library of C"},
      {{kws, "--name", "Mm"}, "Mm: FOLDER/kws.pb=Mm/mm_"},
      {{"A=" + kws, "AB=" + vww, "--name", "Both"},
       "Both: FOLDER/kws.pb=A/a_ FOLDER/vww.tflite=AB/ab_"},
      {{"A=" + kws, "A=" + vww, "--name", "Both"},
       "hlocc: error[usage]: names of A (a_...) could be names of A (a_...)"},
      {{"A=" + kws, "AB_c=" + vww, "--name", "Both"},
       "Both: FOLDER/kws.pb=A/a_ FOLDER/vww.tflite=AB_c/ab_c_"},
      {{"A=" + kws, "A_b=" + vww, "--name", "Both"},
       "hlocc: error[usage]: names of A_b (a_b_...) could be names of A (a_...)"},
      {{"A_b=" + kws, "A=" + vww, "--name", "Both"},
       "hlocc: error[usage]: names of A_b (a_b_...) could be names of A (a_...)"},
      {{"BothTarget=" + kws, "B=" + vww, "--name", "Both"},
       "hlocc: error[usage]: the header of BothTarget, both_target.h, is the one that chooses "
       "among the package's targets"},
      {{"BothTargets=" + kws, "B=" + vww, "--name", "Both"},
       "Both: FOLDER/kws.pb=BothTargets/both_targets_ FOLDER/vww.tflite=B/b_"},
      {{word}, "Match: FOLDER/match.hlo=Match/match_"},
      {{gone}, "FOLDER/gone.pb: error[file]: there is no such file"},
      {{"-"}, "hlocc: error[usage]: a package is made of files, not of the standard input"},
      {{kws, "--name", "a b"}, "hlocc: error[usage]: --name a b: 'a b' is no C identifier"}};
  for (Models one : all) {
    INFO(one.told);
    one.words.insert(one.words.end(),
                     {"--format", "make", "--target", "cortex-m4f", "-o", folder.file("new")});
    const std::string told = folder.told(spec_text(spec_of(one.words)));
    CHECK(told.substr(0, told.find('\n')) == one.told);
  }
  // A word of Rust is the name of no module of Rust, and only there.
  const auto in_rust = [&](std::vector<std::string> words) {
    words.insert(words.end(),
                 {"--format", "cargo", "--target", "cortex-m4f", "-o", folder.file("new")});
    return spec_text(spec_of(words));
  };
  CHECK(in_rust({word}).find("a module of Rust cannot be called match") != std::string::npos);
#ifdef HLOCC_LLVM
  CHECK(in_rust({word, "--name", "Matches"}).find("error") == std::string::npos);
  CHECK(in_rust({kws}).find("error") == std::string::npos);
#endif
}

#ifdef HLOCC_LLVM  // without it what a core asks of a compiler is not known

struct Place {
  const char *format, *taken, *refused;  // names of targets, with blanks between
};

TEST_CASE("where each format has a place") {
  const PackageFolder folder;
  const auto words_of = [&](std::string_view format, const std::vector<std::string>& targets,
                            const char* place) {
    std::vector<std::string> words = {folder.file("kws.pb"), "--format", std::string(format), "-o",
                                      folder.file(place)};
    for (const std::string& target : targets) words.insert(words.end(), {"--target", target});
    return words;
  };
  const Place kPlaces[] = {
      {"arduino", "cortex-m0 rv64gc xtensa-lx106 avr-mega2560 hexagon-v67",
       "x86_64-linux cortex-a53 riscv64v-linux s390x-linux wasm32"},
      {"cargo", "cortex-m0 rv64gc x86_64-linux riscv64v-linux wasm32",
       "s390x-linux xtensa-lx106 avr-mega2560 hexagon-v67"},
      {"cmake", "cortex-m55 s390x-linux xtensa-lx106 wasm32 avr-mega2560 hexagon-v67", ""},
      {"cmsis-pack", "cortex-m0 cortex-m3 cortex-m33 cortex-m55",
       "rv32imc x86_64-linux cortex-a53 xtensa-lx106 wasm32 avr-mega2560"},
      {"conan", "cortex-m0 rv32imc s390x-linux wasm32", "xtensa-lx106 avr-mega2560 hexagon-v67"},
      {"deb", "cortex-m0 s390x-linux wasm32 hexagon-v67", "xtensa-lx106 avr-mega2560"},
      {"esp-idf", "rv32imc rv32imac xtensa-lx106", "rv64gc cortex-m4f x86_64-linux"},
      {"make", "cortex-m55 s390x-linux xtensa-lx106 wasm32 avr-mega2560 hexagon-v67", ""},
      {"pkg-config", "cortex-m0 wasm32 hexagon-v67", "xtensa-lx106 avr-mega2560"},
      {"vcpkg", "rv32imc s390x-linux wasm32", "xtensa-lx106 avr-mega2560 hexagon-v67"},
      {"zephyr", "cortex-m0 rv64gc xtensa-lx106", "x86_64-linux cortex-a53 wasm32 avr-mega2560"}};
  for (const Place& place : kPlaces) {
    INFO(place.format);
    for (const std::string& target : split(place.taken, ' '))
      CHECK(spec_text(spec_of(words_of(place.format, {target}, "new"))).find("error") ==
            std::string::npos);
    for (const std::string& target : split(place.refused, ' ')) {
      if (target.empty()) continue;
      INFO(target);
      CHECK(spec_text(spec_of(words_of(place.format, {target}, "new")))
                .find(cat("--format ", place.format, " has no place for --target ", target)) !=
            std::string::npos);
    }
  }
  for (const PackageFormat& format : package_formats()) {
    INFO(format.name);
    const auto said = [&](const std::vector<std::string>& targets, const char* place) {
      return folder.told(spec_text(spec_of(words_of(format.name, targets, place))));
    };
    CHECK(said({}, "new").find("a package is for targets, and none is named") != std::string::npos);
    CHECK(said({"no-such"}, "new").find("error[target]") != std::string::npos);
    if (format.name == "esp-idf") continue;  // which is asked for the target first
    for (const char* place : {"new", "empty", "old"})
      CHECK(said({"cortex-m4f"}, place).find("error") == std::string::npos);
    CHECK(said({"cortex-m4f"}, "full").find("FOLDER/full is not empty") != std::string::npos);
    CHECK(said({"cortex-m4f"}, "kws.pb").find("FOLDER/kws.pb is no folder") != std::string::npos);
    // Named twice it is there once.
    CHECK(said({"cortex-m4f", "cortex-m4f"}, "new") == said({"cortex-m4f"}, "new"));
  }
}

TEST_CASE("targets that no compiler tells apart, and the order of those that it does") {
  const PackageFolder folder;
  const auto said = [&](const std::vector<std::string>& targets) {
    std::vector<std::string> words = {folder.file("kws.pb"), "--format", "make", "-o",
                                      folder.file("new")};
    for (const std::string& target : targets) words.insert(words.end(), {"--target", target});
    return spec_text(spec_of(words));
  };
  CHECK(said({"cortex-m0", "cortex-m0plus"})
            .find("no compiler tells cortex-m0 and cortex-m0plus apart") != std::string::npos);
  // Compilers do tell these apart, and their files would lie in one folder.
  CHECK(said({"aarch64_be-none-elf", "aarch64-be-none-elf"})
            .find("aarch64_be-none-elf and aarch64-be-none-elf would both be called "
                  "aarch64_be_none_elf in a package") != std::string::npos);
  for (const std::vector<std::string>& both :
       {std::vector<std::string>{"cortex-m0", "cortex-m4f"},
        std::vector<std::string>{"cortex-m4f", "cortex-m0"}}) {
    const std::string told = said(both);
    INFO(told);
    CHECK(told.find(" cortex_m4f: ") < told.find(" cortex_m0: "));
    CHECK(told.find(" cortex_m0: ") != std::string::npos);
  }
  // Those that ask as much stand as they are named.
  const std::string one = said({"mips-linux", "s390x-linux"}),
                    other = said({"s390x-linux", "mips-linux"});
  CHECK(one.find(" mips_linux: ") < one.find(" s390x_linux: "));
  CHECK(other.find(" s390x_linux: ") < other.find(" mips_linux: "));
}

TEST_CASE("a build system that knows its chips tells targets apart where no compiler does") {
  const PackageFolder folder;
  const auto said = [&](const char* format) {
    return spec_text(
        spec_of({folder.file("kws.pb"), "--format", format, "-o", folder.file("new"), "--target",
                 "xtensa-lx6", "--target", "xtensa-lx106", "--target", "xtensa-lx6"}));
  };
  CHECK(said("make").find("no compiler tells xtensa-lx6 and xtensa-lx106 apart") !=
        std::string::npos);
  const std::string told = said("esp-idf");
  INFO(told);
  CHECK(told.find(" xtensa_lx106: ") != std::string::npos);
  CHECK(std::ranges::count(told, '\n') == 3);
}

#endif

}  // namespace
}  // namespace hlocc::driver
