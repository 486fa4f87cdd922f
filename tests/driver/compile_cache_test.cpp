// What a compile's outcome is kept under, what is read of it again, and from which place: keys that
// change with each fact, records that are torn, places near and far, content that is damaged
// (driver/cache/action.cpp, cache.cpp).
#include "driver/cache/cache.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <set>

#include "driver/captured_output.h"
#include "driver/set_variable.h"
#include "support/require.h"
#include "support/sha256.h"
#include "support/temporary_folder.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

namespace fs = std::filesystem;
using tests::require, tests::SetVariable, tests::TemporaryFolder;

CommandLine cached_line(const std::string& words) {
  const std::vector<std::string> all = split("hlocc compile " + words, ' ');
  std::vector<const char*> raw;
  for (const std::string& word : all) raw.push_back(word.c_str());
  CommandLine line = require(parse_command_line(static_cast<int>(raw.size()), raw.data()));
  line.tool = "hlocc 1.0 (0123456)";
  return line;
}

Target kept_target(const char* name = "cortex-m4f", const char* backend = "c") {
  Target out = *preset(name);
  out.name = name;
  out.backend = backend;
  return out;
}

std::string key_of_line(const CommandLine& line, const Target& target = kept_target()) {
  FileDigests digests;
  return require(action_key(line, target, digests));
}

TEST_CASE("what is kept is what has a name of its own") {
  const std::pair<const char*, const char*> rows[] = {
      {"m.pb", ""},
      {"m.pb --plugin ./p.so", "what a plug-in makes"},
      {"m.pb --print-after lower", "what --print-after prints"},
      {"a.pb b.pb --shared-arena --name N", "a library of several models"},
      {"-", "a model from the standard input"},
  };
  for (const auto& [words, why] : rows) {
    INFO(words);
    CHECK(why_not_kept(cached_line(words), kept_target()) == why);
  }
  CommandLine line = cached_line("m.pb");
  line.device = "gpu";
  CHECK(why_not_kept(line, kept_target()) == "what is made for a GPU");
  const CommandLine plain = cached_line("m.pb");
  CHECK(why_not_kept(plain, kept_target("host", "c")) == "C for this machine");
  CHECK(why_not_kept(plain, kept_target("host", "cpu")).empty());
  CHECK(why_not_kept(plain, kept_target("cortex-m4f", "cpu")).empty());
}

TEST_CASE("each fact of a compile changes its key, and what is about this run does not") {
  const TemporaryFolder folder;
  const std::string model = folder.write("m.pb", "a model"),
                    other = folder.write("n.pb", "another"), copy = folder.write("o.pb", "a model"),
                    file = folder.write("w.npy", "weights"),
                    same = folder.write("v.npy", "weights"),
                    changed = folder.write("u.npy", "heights");
  const std::string plain = key_of_line(cached_line(model + " --target cortex-m4f"));
  CHECK(plain.size() == 64);
  CHECK(key_of_line(cached_line(model + " --target cortex-m4f")) == plain);
  for (const char* words : {" -o x", " --json", " -q", " --time-report", " --depfile d",
                            " --cache dir", " --cache-verify 3", " --limits work=1G"})
    CHECK(key_of_line(cached_line(model + " --target cortex-m4f" + words)) == plain);
  std::set<std::string> keys = {plain};
  const auto is_new = [&](const CommandLine& line, const Target& target = kept_target()) {
    return keys.insert(key_of_line(line, target)).second;
  };
  CHECK(is_new(cached_line(model)));  // the target is assumed
  const std::vector<std::string> flags = {" -O3",
                                          " -O1",
                                          " --name acme::A",
                                          " --name acme::B",
                                          cat(" --freeze x=", file),
                                          cat(" --freeze x=", same),
                                          cat(" --freeze x=", changed),
                                          cat(" --freeze y=", file),
                                          cat(" --freeze x --from ", file),
                                          cat(" --freeze x --from ", changed)};
  for (const std::string& words : flags) {
    INFO(words);
    CHECK(is_new(cached_line(model + " --target cortex-m4f" + words)));
  }
  CHECK(is_new(cached_line(other + " --target cortex-m4f")));
  CHECK(is_new(cached_line(copy + " --target cortex-m4f")));  // the stem is another
  CHECK_FALSE(is_new(cached_line(model + " --target cortex-m4f"), kept_target()));
  for (const auto& change : std::vector<std::function<void(Target&)>>{
           [](Target& t) { t.name = "x"; }, [](Target& t) { t.triple += "x"; },
           [](Target& t) { t.cpu = "x"; }, [](Target& t) { t.features = "+x"; }}) {
    Target target = kept_target();
    change(target);
    CHECK(is_new(cached_line(model + " --target cortex-m4f"), target));
  }
  // With a name the file's own does not count, and where lines are told of it, it does.
  const std::string named = " --target cortex-m4f --name acme::A";
  CHECK(key_of_line(cached_line(model + named)) == key_of_line(cached_line(copy + named)));
  CHECK(is_new(cached_line(model + named + " -g")));
  CHECK(is_new(cached_line(copy + named + " -g")));
  CHECK_FALSE(is_new(cached_line(copy + named)));
  FileDigests digests;
  CHECK(action_key(cached_line(folder.path() + "/no.pb"), kept_target(), digests).error().kind ==
        DiagnosticKind::kFile);
}

TEST_CASE("a tool without a commit of its own is told by its file") {
  const TemporaryFolder folder;
  CommandLine line = cached_line(folder.write("kws.pb", "a model"));
  // The key where the tool is these words, and nothing else is added.
  const auto key = [&](const std::string& tool) {
    line.tool = tool;
    return key_of_line(line);
  };
  const auto plain = [&](const std::string& tool) {
    std::string flags;
    for (const auto& [flag, values] : line.given) {
      flags += cat(flag, " ", values.size(), "\n");
      for (const std::string& value : values) flags += cat(value.size(), " ", value, "\n");
    }
    return sha256(cat("hlocc action 1\ntool ", tool, "\nmodel ", sha256(std::string("a model")),
                      "\nstem kws\ntarget cortex-m4f ", kept_target().triple, " ",
                      kept_target().cpu, " ", kept_target().features, " assumed\n", flags));
  };
  CHECK(key("hlocc 1.0 (0123456)") == plain("hlocc 1.0 (0123456)"));
  for (const char* tool : {"", "hlocc 1.0 (0123456 with changes)", "hlocc 1.0 (unknown)"})
    CHECK(key(tool) != plain(tool));
}

TEST_CASE("files beside the model are those that flags name") {
  using Files = std::vector<std::string>;
  CHECK(files_beside_model(cached_line("m.pb --freeze a=b=c.npy --freeze x --from s.pb -o out")) ==
        Files{"c.npy", "s.pb"});
  CHECK(files_beside_model(cached_line("m.pb")).empty());
}

CompiledTarget code_outcome(const std::string& content) {
  CompiledTarget out;
  out.files = {{"m.h", hlocc::bytes_of("header")}, {"m.c", hlocc::bytes_of(content)}};
  out.summary = "RAM 1\n";
  out.sizes = {{"ram", 1}};
  out.layers = {"a"};
  out.build.stem = "m";
  out.said = {{true, "careful"}, {false, "by the way"}};
  return out;
}

TEST_CASE("a record is read again, and one that is torn or another's is none") {
  const std::string key(64, 'a'), text = record_of(code_outcome("code"), {"1", "2"}, key);
  const std::optional<Record> read = read_record(text, key);
  REQUIRE(read);
  CHECK(read->digests == std::vector<std::string>{"1", "2"});
  CHECK(read->made.files[1].name == "m.c");
  CHECK(read->made.summary == "RAM 1\n");
  CHECK(read->made.sizes["ram"] == 1);
  CHECK(read->made.layers[0] == "a");
  CHECK(read->made.build.stem == "m");
  CHECK(read->made.said[0].is_warning);
  CHECK(read->made.said[1].text == "by the way");
  const auto signed_text = [](const std::string& body) { return cat(sha256(body), "\n", body); };
  CHECK(read_record(signed_text(text.substr(text.find('\n') + 1)), key));
  for (const std::string& wrong :
       {std::string(), std::string("\n"), text.substr(1), text + " ", text.substr(0, 64),
        text.substr(0, text.size() - 1), signed_text("{"), signed_text(""), signed_text("{}"),
        signed_text(cat("{\"key\":\"", key, "\"}"))})
    CHECK_FALSE(read_record(wrong, key));
  CHECK_FALSE(read_record(text, std::string(64, 'b')));
}

// --- places ---

std::vector<std::string> files_of(const std::string& folder) {
  std::vector<std::string> out;
  if (!fs::exists(folder)) return out;
  for (const auto& one : fs::recursive_directory_iterator(folder))
    if (one.is_regular_file()) out.push_back(one.path().string());
  return out;
}

// A cache in the folders near and far, of compiles that count themselves.
struct CachePlaces {
  TemporaryFolder folder;
  std::string near = folder.path() + "/near", far = folder.path() + "/far";
  CommandLine line = cached_line(folder.write("m.pb", "a model"));
  int compiles = 0;
  std::string errors;

  CacheOptions both(int percent = 0) const { return {{near, far}, 1 << 20, false, percent}; }
  CacheOptions only(const std::string& place) const { return {{place}, 1 << 20, false, 0}; }

  // "known code", "made code": where it came from and the second file's content, or the message.
  std::string get(const CacheOptions& options, const std::string& content = "code") {
    const tests::CapturedOutput written(stderr);
    CompileCache cache(options);
    bool was_known = true;
    const Result<CompiledTarget> made = cache.get(
        line, kept_target(),
        [&]() -> Result<CompiledTarget> {
          ++compiles;
          if (content.empty()) return error(DiagnosticKind::kBudget, "too large");
          return code_outcome(content);
        },
        &was_known);
    cache.finish(line);
    errors = written.text();
    if (!made) return made.error().message;
    const Pieces::Bytes bytes = made->files[1].bytes.joined();
    return cat(was_known ? "known " : "made ",
               std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
};

TEST_CASE("what was compiled once is known, with what was said") {
  CachePlaces places;
  CHECK(places.get(places.only(places.near), "") == "too large");
  CHECK(files_of(places.near).empty());
  CHECK(places.get(places.only(places.near)) == "made code");
  CHECK(files_of(places.near).size() == 3);
  CHECK(places.get(places.only(places.near), "other") == "known code");
  CHECK(places.errors == "warning: careful\nnote: by the way\n");
  CHECK(places.compiles == 2);
  // Without a place, or without a key, everything is compiled.
  CHECK(places.get({}) == "made code");
  places.line = cached_line("- --cache dir");
  CHECK(places.get(places.only(places.near)) == "made code");
  CHECK(places.errors == "note: --cache: a model from the standard input is not kept\n");
  places.line.cache.clear();
  CHECK(places.get(places.only(places.near)) == "made code");
  CHECK(places.errors.empty());
}

TEST_CASE("what a far place gives is kept in the near one") {
  CachePlaces places;
  CHECK(places.get(places.only(places.far)) == "made code");
  CHECK(places.get(places.only(places.near)) == "made code");
  fs::remove_all(places.near);
  CHECK(places.get(places.both()) == "known code");
  CHECK(files_of(places.near).size() == 3);
  CHECK(places.get(places.only(places.near)) == "known code");
  // Contents alone are missing in the near place: they come from the far one.
  fs::remove_all(places.near + "/cas");
  CHECK(places.get(places.both()) == "known code");
  CHECK(files_of(places.near).size() == 3);
  // In both: there is no outcome.
  fs::remove_all(places.near + "/cas");
  fs::remove_all(places.far + "/cas");
  CHECK(places.get(places.both(), "new") == "made new");
  CHECK(files_of(places.far).size() == 3);
}

TEST_CASE("what is damaged is removed and not used") {
  CachePlaces places;
  for (const char* shelf : {"ac", "cas"}) {
    places.get(places.only(places.near));
    const std::vector<std::string> files = files_of(places.near + "/" + shelf);
    for (const std::string& file : files) fs::resize_file(file, 3);
    CHECK(places.get(places.only(places.near)) == "made code");
    CHECK(places.errors.find(cat("warning: the cache holds another content than ", shelf, "/")) !=
          std::string::npos);
    CHECK(places.get(places.only(places.near)) == "known code");
    CHECK(places.errors.find("another content") == std::string::npos);
  }
  // In the near place alone: the far one has it.
  places.get(places.both());
  places.get(places.only(places.far));
  for (const std::string& file : files_of(places.near)) fs::resize_file(file, 3);
  CHECK(places.get(places.both()) == "known code");
}

TEST_CASE("a share of what is known is compiled again and compared") {
  CachePlaces places;
  places.get(places.both());
  const uint64_t number = std::stoul(key_of_line(places.line).substr(0, 8), nullptr, 16) % 100;
  const int drawn = static_cast<int>(number) + 1;
  CHECK(places.get(places.both(drawn)) == "known code");
  CHECK(places.compiles == 2);
  CHECK(places.get(places.both(drawn - 1), "other") == "known code");
  CHECK(places.compiles == 2);
  CHECK(places.get(places.both(100), "other")
            .starts_with("--cache-verify: m.c is not what the cache's ac/"));
}

TEST_CASE("which entries are compared is drawn by their keys alone") {
  struct Row {
    const char* key;
    int percent;
    bool is_drawn;
  };
  // The first eight digits, modulo a hundred.
  const Row rows[] = {{"00000000f", 0, false}, {"00000000f", 1, true},   {"000000010", 1, false},
                      {"000000010", 2, true},  {"00000063f", 99, false}, {"00000063f", 100, true},
                      {"00000064f", 1, true},  {"00000065f", 1, false}};
  for (const Row& row : rows) {
    INFO(row.key << " " << row.percent);
    CHECK(is_drawn(row.key, row.percent) == row.is_drawn);
  }
}

TEST_CASE("outcomes that are compared differ in names, bytes and number of files") {
  const auto told = [](std::vector<package::File> known, std::vector<package::File> made) {
    const TemporaryFolder folder;
    const CommandLine line = cached_line(folder.write("m.pb", "a model"));
    CompileCache cache({{folder.path() + "/c"}, 1 << 20, false, 100});
    const auto compile = [&](const std::vector<package::File>& files) {
      return [&files]() -> Result<CompiledTarget> { return CompiledTarget{.files = files}; };
    };
    REQUIRE(cache.get(line, kept_target(), compile(known)));
    const Result<CompiledTarget> again = cache.get(line, kept_target(), compile(made));
    return again ? "same" : again.error().message.substr(16, 4);
  };
  const package::File a{"a", hlocc::bytes_of("1")}, b{"b", hlocc::bytes_of("1")},
      a2{"a", hlocc::bytes_of("2")};
  CHECK(told({a}, {a}) == "same");
  CHECK(told({}, {}) == "same");
  CHECK(told({a, b}, {a, b}) == "same");
  CHECK(told({a}, {b}) == "b is");
  CHECK(told({a}, {a2}) == "a is");
  CHECK(told({a}, {a, b}) == "b is");
  CHECK(told({a, b}, {a}) == "b is");
  CHECK(told({}, {a}) == "a is");
}

TEST_CASE("places of a cache are folders and addresses, by flag or variable") {
  const SetVariable none("HLOCC_CACHE", std::nullopt), size("HLOCC_CACHE_SIZE", std::nullopt),
      reads("HLOCC_CACHE_READONLY", std::nullopt);
  const auto places = [](const std::string& words) {
    const Result<CacheOptions> options = cache_options(cached_line("m.pb" + words));
    return options ? join(options->places, " ") : options.error().message;
  };
  CHECK(places("").empty());
  CHECK(places(" --cache a,,b") == "a b");
  CHECK(places(" --cache http://h/x,dir") == "http://h/x dir");
  CHECK(places(" --cache https://h") == "https://h");
  CHECK(places(" --cache a,ftp://h") == "--cache ftp://h: no such address");
  CHECK(places(" --cache http://") == "--cache http://: no such address");
  {
    const SetVariable variable("HLOCC_CACHE", "c,d");
    CHECK(places("") == "c d");
    CHECK(places(" --cache e") == "e");
  }
  const auto options = [] { return require(cache_options(cached_line("m.pb --cache-verify 7"))); };
  CHECK(options().limit == int64_t{5} << 30);
  CHECK(options().verify_percent == 7);
  CHECK_FALSE(options().read_only);
  for (const auto& [value, is_read_only] :
       std::vector<std::pair<const char*, bool>>{{"", false}, {"0", false}, {"1", true}}) {
    const SetVariable variable("HLOCC_CACHE_READONLY", value);
    CHECK(options().read_only == is_read_only);
  }
  const SetVariable limit("HLOCC_CACHE_SIZE", "2K");
  CHECK(options().limit == 2048);
  const SetVariable wrong("HLOCC_CACHE_SIZE", "2Q");
  CHECK(cache_options(cached_line("m.pb")).error().kind == DiagnosticKind::kUsage);
}

}  // namespace
}  // namespace hlocc::driver
