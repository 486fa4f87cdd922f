// Flags that several verbs have, for command_tree.cpp.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "driver/cli/command_tree.h"

namespace hlocc::driver {

inline constexpr const char* kTimeReport =
    "a table on stderr: the time of every stage, and the memory";

CLI::Option* repeated(CLI::App* app, const std::string& flag, std::vector<std::string>& into,
                      const std::string& text);
void add_plugin(CLI::App* app, CommandLine& out);
void add_threads(CLI::App* app, CommandLine& out);
void add_limits(CLI::App* verb, CommandTexts& raw);
void add_common(CLI::App* verb, CommandLine& out);
void add_target_flags(CLI::App* app, CommandLine& out, CommandTexts& raw);
void add_choices(CLI::App* verb, CommandLine& out, CommandTexts& raw);
void add_budgets(CLI::App* verb, CommandTexts& raw);
void add_graph(CLI::App* verb, CommandLine& out);
void add_jobs(CLI::App* verb, CommandLine& out, const char* what);
void add_memories(CLI::App* verb, CommandLine& out, CommandTexts& raw);
// --stream and --every, --memory and --weights-in.
void add_plan_flags(CLI::App* verb, CommandLine& out, CommandTexts& raw);
void add_curve(CLI::App* verb);  // read from CommandLine::given
void add_cache(CLI::App* verb, CommandLine& out);
void add_values(CLI::App* verb, CommandLine& out);

}  // namespace hlocc::driver
