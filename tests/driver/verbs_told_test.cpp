// What the verbs that tell of a model say: notes where there is something to note, names of
// arguments, plans where the host makes one, exit codes, and what a package leaves of an earlier one
// (driver/analyze/verb_analyze.cpp, verb_inspect.cpp, inspection.cpp, device_table.cpp;
// driver/packages/verb_package.cpp; driver/cli/verb_targets.cpp).
#include <catch2/catch.hpp>
#include <filesystem>

#include "driver/verb_told.h"
#include "support/temporary_folder.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using tests::TemporaryFolder;

// A product of an argument "in" with weights that are values, elided, or an argument.
std::string product_with(const std::string& weights) {
  return cat(
      "HloModule m\nENTRY e {\n x = f32[2] parameter(0), metadata={op_name=\"in\"}\n",
      " y = f32[2] sine(x)\n w = f32[2,2] ", weights,
      "\n ROOT d = f32[2] dot(y, w), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n}\n");
}

struct ToldModels {
  TemporaryFolder folder;
  std::string whole = folder.write("whole.hlo", product_with("constant({{1,2},{3,4}})")),
              elided = folder.write("elided.hlo", product_with("constant({...})")),
              argument = folder.write("argument.hlo", product_with("parameter(1)")),
              odd = folder.write("odd.hlo",
                                 "HloModule m\nENTRY e {\n x = f32[2] parameter(0)\n ROOT o = "
                                 "f32[2] custom-call(x), custom_call_target=\"what\"\n}\n"),
              lacking = folder.write("lacking.hlo",
                                     "HloModule m\nENTRY e {\n t = token[] after-all()\n i = "
                                     "(f32[2], token[]) infeed(t)\n ROOT d = f32[2] "
                                     "get-tuple-element(i), index=0\n}\n"),
              bad = folder.write("bad.hlo", "HloModule m\nENTRY e {\n x = f32[2] para\n}\n");
};

TEST_CASE("analyze notes what is not in the file, and weights that are arguments") {
  const ToldModels models;
  const std::string target = " --target cortex-m4f --backend c";
  const std::string elided =
      "note     the values of 1 constants are not in the file ({...}); sizes "
      "count all the same";
  CHECK(told_by("analyze " + models.whole + target).line("note") == "none");
  CHECK(told_by("analyze " + models.elided + target).line("note") == elided);
  CHECK(told_by("analyze " + models.argument + target)
            .line("note")
            .starts_with("note     the argument w is weights that every run is given, in RAM; "));
  for (const std::string& model : {models.elided, models.argument})
    CHECK(told_by("analyze " + model + target + " -q").line("note") == "none");
  const Told small = told_by("analyze " + models.whole + target + " --ram 1");
  CHECK(small.code == kExitInput);
  CHECK(small.out.starts_with("Whole for cortex-m4f\n"));
  CHECK(small.errors.starts_with("hlocc: error[budget]: cortex-m4f: Whole needs "));
  const Told json = told_by("analyze " + models.whole + target + " --ram 1 --json");
  CHECK(json.code == kExitInput);
  CHECK(json.out.find("\"over_budget\": [\n    {\n      \"message\": \"cortex-m4f: Whole needs ") !=
        std::string::npos);
  CHECK(json.errors.empty());
  CHECK(told_by("analyze " + models.whole + target + " --ram 4096").code == kExitDone);
}

TEST_CASE("inspect tells arguments by both names, weights and plans") {
  const ToldModels models;
  const Told told = told_by("inspect " + models.argument);
  CHECK(told.code == kExitDone);
  CHECK(told.line("argument  0") == "argument  0  in: f32[2]{0}, 8 bytes");
  CHECK(told.line("result") == "result    0  f32[2]{0}, 8 bytes");
  CHECK(told.line("macs") == "macs     4");
  CHECK(told.line("weights") == "weights  0 bytes in the model, 0 in flash");
  CHECK(told.line("types") == "none");
  CHECK(told.line("note").starts_with("note     the argument w is weights"));
  const Told elided = told_by("inspect " + models.elided);
  CHECK(elided.line("note").starts_with("note     the values of 1 constants are not in the file"));
  const Told whole = told_by("inspect " + models.whole);
  CHECK(whole.line("note") == "none");
  CHECK(whole.line("weights") == "weights  16 bytes in the model, 16 in flash");
  CHECK(whole.line("types") == "types    bytes of weights: f32 16");
  CHECK(whole.line("plan").starts_with("plan     host: arena "));
  CHECK(whole.line("ops") == "ops      constant 1 dot 1 parameter 1 sine 1");
  for (const char* absent : {"device", "unsupported", "calls", "runs", "layer"})
    CHECK(whole.line(absent) == "none");
  CHECK(told_by("inspect " + models.whole + " --kernels").line("layer") != "none");
  for (const auto& [op_name, line] :
       {std::pair("s['gain']", "argument  0  s_gain (s['gain']): f32[2]{0}, 8 bytes"),
        std::pair("!!!", "argument  0  (!!!): f32[2]{0}, 8 bytes")}) {
    const std::string named = models.folder.write(
        "named.hlo", cat("HloModule m\nENTRY e {\n x = f32[2] parameter(0), metadata={op_name=\"",
                         op_name, "\"}\n ROOT y = f32[2] sine(x)\n}\n"));
    CHECK(told_by("inspect " + named).line("argument") == line);
  }
  const std::string of_jax = models.folder.write(
      "of_jax.mlir",
      "module @m {\n func.func public @main(%arg0: tensor<2xf32>) -> (tensor<2xf32> "
      "{jax.result_info = \"out\"}) {\n %0 = stablehlo.sine %arg0 : tensor<2xf32>\n return %0 : "
      "tensor<2xf32>\n }\n}\n");
  CHECK(told_by("inspect " + of_jax).line("argument") == "argument  0  f32[2]{0}, 8 bytes");
  CHECK(told_by("inspect " + of_jax).line("result") == "result    0  out: f32[2]{0}, 8 bytes");
}

TEST_CASE("steps that launch no kernel are layers, and constants of the same bytes are one") {
  const ToldModels models;
  const std::string twice = models.folder.write(
      "twice.hlo",
      "HloModule m\nENTRY e {\n x = f32[4] parameter(0)\n y = f32[4] sine(x)\n ROOT t = (f32[4], "
      "f32[4], f32[4]) tuple(x, y, y)\n}\n");
  const Told told = told_by("analyze " + twice + " --target cortex-m4f");
  CHECK(told.code == kExitDone);
  CHECK(told.line("copy").starts_with("copy                      0        0      0         48 "));
  const Told drawn = told_by("inspect " + twice + " --graph svg -o -");
  CHECK(drawn.out.find(">copy</text>") != std::string::npos);
  CHECK(drawn.out.find(">y</text>") != std::string::npos);
  // A copy into the place where the value is already is none.
  const std::string loop = models.folder.write(
      "loop.hlo",
      "HloModule m\nbody { s = (f32[64], s32[]) parameter(0)\n x = f32[64] get-tuple-element(s), "
      "index=0\n i = s32[] get-tuple-element(s), index=1\n one = s32[] constant(1)\n y = f32[64] "
      "sine(x)\n n = s32[] add(i, one)\n ROOT t = (f32[64], s32[]) tuple(y, n) }\ncondition { s = "
      "(f32[64], s32[]) parameter(0)\n i = s32[] get-tuple-element(s), index=1\n n = s32[] "
      "constant(27)\n ROOT p = pred[] compare(i, n), direction=LT }\nENTRY e { x = f32[64] "
      "parameter(0)\n i = s32[] constant(0)\n t = (f32[64], s32[]) tuple(x, i)\n w = (f32[64], "
      "s32[]) while(t), condition=condition, body=body\n ROOT r = f32[64] get-tuple-element(w), "
      "index=0 }\n");
  const Told looped = told_by("analyze " + loop + " --target cortex-m4f --backend c");
  CHECK(looped.out.find("\ncopy: w ") != std::string::npos);
  CHECK(looped.out.find("\ncopy: w ") == looped.out.rfind("\ncopy: w "));
  const std::string same = models.folder.write(
      "same.hlo",
      "HloModule m\nENTRY e {\n x = f32[4] parameter(0)\n z = s32[4] parameter(1)\n c = f32[4] "
      "constant({1,1.5,2,1})\n k = s32[4] "
      "constant({1065353216,1069547520,1073741824,1065353216})\n "
      "m = f32[4] multiply(x, c)\n a = s32[4] add(z, k)\n v = f32[4] convert(a)\n ROOT r = f32[4] "
      "add(m, v)\n}\n");
#ifdef HLOCC_LLVM
  CHECK(told_by("analyze " + same + " --target cortex-m4f")
            .line("r (+3)")
            .starts_with("r (+3)  f32[4]             4       16 "));
#endif
  CHECK(told_by("analyze " + same + " --target cortex-m4f --backend c")
            .line("  weights")
            .ends_with(" 16"));
}

TEST_CASE("inspect says who runs what, and has a plan where the host makes the code") {
  const ToldModels models;
  struct Row {
    const char *flags, *plan, *runs;
  };
  const Row rows[] = {
      {"", "plan     host", "none"},
      {" --backend c", "plan     host", "runs     y (sine) on c"},
#ifdef HLOCC_LLVM
      {" --backend host", "plan     host", "runs     y (sine) on host"},
#endif
      {" --backend vulkan", "plan     none: vulkan takes the whole model",
       "runs     y (sine) on vulkan"},
      {" --backend interpreter", "plan     none: interpreter takes the whole model",
       "runs     y (sine) on interpreter"},
      {" --backend c --target cortex-m4f", "plan     cortex-m4f", "none"},
  };
  for (const Row& row : rows) {
    INFO(row.flags);
    const Told told = told_by("inspect " + models.whole + row.flags);
    CHECK(told.code == kExitDone);
    CHECK(told.line("plan").starts_with(row.plan));
    CHECK(told.line("runs") == row.runs);
    const Told json = told_by("inspect " + models.whole + row.flags + " --json");
    CHECK((json.out.find("\"plan\": null") != std::string::npos) ==
          std::string_view(row.plan).starts_with("plan     none"));
    CHECK(json.out.find("\"device\": {") == std::string::npos);
  }
  CHECK(told_by("inspect " + models.whole + " --backend nope").code == 2);
  CHECK(told_by("inspect " + models.whole + " --backend interpreter --target cortex-m4f").code ==
        2);
  const Told drawn = told_by("inspect " + models.whole + " --graph svg -o -");
  CHECK(drawn.out.starts_with("<svg "));
  const Told none = told_by("inspect " + models.whole + " --backend interpreter --graph svg -o -");
  CHECK(none.errors.find("--graph draws a plan, and interpreter takes the whole model") !=
        std::string::npos);
}

TEST_CASE("inspect lists what can't be compiled, and draws nothing of it") {
  const ToldModels models;
  const Told told = told_by("inspect " + models.lacking);
  CHECK(told.code == kExitDone);
  CHECK(told.line("unsupported") == "unsupported: infeed ((f32[2], token[]))");
  CHECK(told.line("plan") == "none");
  CHECK(told_by("inspect " + models.lacking + " --check").code == kExitInput);
  CHECK(told_by("inspect " + models.whole + " --check").code == kExitDone);
  const Told drawn = told_by("inspect " + models.lacking + " --graph svg -o -");
  CHECK(drawn.code == kExitInput);
  CHECK(drawn.out.empty());
  CHECK(drawn.errors.find("error[unsupported]") != std::string::npos);
  // What else is in the way of a plan is told.
  const Told limited = told_by("inspect " + models.whole + " --limits work=1");
  CHECK(limited.code == kExitInput);
  CHECK(limited.errors.find("error[limit]") != std::string::npos);
}

TEST_CASE("with a plug-in the backend is one of its own") {
  const ToldModels models;
  const std::string none = models.folder.path() + "/none.so";
  for (const char* backend : {"", " --backend npu"})
    CHECK(told_by("inspect " + models.whole + " --plugin " + none + backend)
              .errors.find("--plugin: ") != std::string::npos);
  CHECK(told_by("inspect " + models.whole + " --backend npu").errors.find("npu") !=
        std::string::npos);
}

TEST_CASE("more than eight arguments of a drawn model stand in a cluster, and so do results") {
  const ToldModels models;
  for (const int count : {8, 9}) {
    std::string parameters, shapes, names;
    for (int i = 0; i < count; ++i) {
      parameters +=
          cat(" p", i, " = f32[2] parameter(", i, ")\n s", i, " = f32[2] sine(p", i, ")\n");
      shapes += cat(i == 0 ? "" : ", ", "f32[2]");
      names += cat(i == 0 ? "s" : ", s", i);
    }
    const std::string file =
        models.folder.write("many.hlo", cat("HloModule m\nENTRY e {\n", parameters, " ROOT t = (",
                                            shapes, ") tuple(", names, ")\n}\n"));
    const Told drawn = told_by("inspect " + file + " --graph svg -o -");
    CHECK(drawn.code == kExitDone);
    CHECK((drawn.out.find("<path class=\"mark\"") != std::string::npos) == (count == 9));
    for (const char* cluster : {" arguments: ", " results: "})
      CHECK((drawn.out.find(cat("<title>", count, cluster)) != std::string::npos) == (count == 9));
  }
}

TEST_CASE("a file that is no model is refused by each verb, at its place") {
  const ToldModels models;
  for (const char* verb : {"inspect ", "analyze ", "compile "}) {
    const Told told = told_by(verb + models.bad);
    CHECK(told.code != kExitDone);
    CHECK(told.out.empty());
    CHECK(told.errors.starts_with(models.bad + ":3"));
  }
  CHECK(told_by("inspect " + models.folder.path() + "/none.hlo").errors.find("error[file]") !=
        std::string::npos);
}

// The files of a folder whose earlier package had this manifest, once another is made there.
std::vector<std::string> left_in_package(const std::string& manifest) {
  const ToldModels models;
  const auto make = [&](const char* name) { models.folder.write(name, std::string("x")); };
  for (const char* name : {"p/gone.txt", "p/a/gone.txt", "p/kept.txt", "outside.txt"}) make(name);
  models.folder.write("p/hlocc_package.json", manifest);
  const Told told =
      told_by("package " + models.whole + " --format make --target cortex-m4f --backend c -o " +
              models.folder.path() + "/p");
  INFO(told.errors);
  CHECK(told.code == kExitDone);
  std::vector<std::string> out;
  for (const char* name : {"p/gone.txt", "p/a/gone.txt", "p/kept.txt", "outside.txt"})
    if (std::filesystem::exists(models.folder.path() + "/" + name)) out.emplace_back(name);
  return out;
}

TEST_CASE("a package takes away what the one before left in its folder, and nothing else") {
  using Files = std::vector<std::string>;
  const Files all = {"p/gone.txt", "p/a/gone.txt", "p/kept.txt", "outside.txt"};
  CHECK(left_in_package(R"({"files": [{"path": "gone.txt"}, {"path": "a/gone.txt"}]})") ==
        Files{"p/kept.txt", "outside.txt"});
  for (const char* manifest :
       {"", "[]", "{}", "7", R"({"files": {}})", R"({"files": {"path": "gone.txt"}})",
        R"({"files": ["gone.txt", 7, [], {}, {"path": 7}, {"name": "gone.txt"}]})",
        R"({"files": [{"path": "../outside.txt"}, {"path": "a/../gone.txt"}, {"path": ".."}]})",
        R"({"files": [{"path": "/gone.txt"}]})"}) {
    INFO(manifest);
    CHECK(left_in_package(manifest) == all);
  }
}

TEST_CASE("targets tells one row, or all, as text and as JSON") {
  const Told one = told_by("targets stm32f407vg");
  CHECK(one.line("core") == "core                cortex-m4f");
  CHECK(one.line("ram_bytes") == "ram_bytes           131072");
  CHECK(one.line("build") == "build");
  CHECK(told_by("targets cortex-m4f").line("core") == "none");
  const Told all = told_by("targets");
  CHECK(all.line("Presets") == "Presets");
  CHECK(all.line("  cortex-m4f ").find("none       f32") != std::string::npos);
  CHECK(all.line("  stm32f407vg").find("128K   1024K") != std::string::npos);
  CHECK(told_by("targets --json").out.find("\"devices\": [") != std::string::npos);
  CHECK(told_by("targets cortex-m4f --json").out.find("\"devices\"") == std::string::npos);
  CHECK(told_by("targets no-such").code == 2);
  const Told gpu = told_by("targets vulkan-v3d");
  CHECK(gpu.code == kExitDone);
  CHECK(gpu.line("name ").ends_with(" vulkan-v3d"));
  CHECK(gpu.line("push_words ") != "none");
  CHECK(told_by("targets vulkan-v3d --json").out.find("\"push_words\"") != std::string::npos);
}

}  // namespace
}  // namespace hlocc::driver
