// The verbs of the command. Each adds itself to the command line; what it returns when chosen is the exit code.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>

namespace lockstep {

using Chosen = std::function<int()>;

void add_run(CLI::App& app, Chosen& chosen);
void add_check(CLI::App& app, Chosen& chosen);
void add_faults(CLI::App& app, Chosen& chosen);
void add_hazards(CLI::App& app, Chosen& chosen);
void add_plan(CLI::App& app, Chosen& chosen);
void add_report(CLI::App& app, Chosen& chosen);
void add_order(CLI::App& app, Chosen& chosen);
void add_explain(CLI::App& app, Chosen& chosen);
void add_reduce(CLI::App& app, Chosen& chosen);
void add_bisect(CLI::App& app, Chosen& chosen);
void add_diff(CLI::App& app, Chosen& chosen);
void add_repeat(CLI::App& app, Chosen& chosen);
void add_db(CLI::App& app, Chosen& chosen);

}  // namespace lockstep
