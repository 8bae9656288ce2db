// The commands of the program, each in the file of its name.
#pragma once

#include <CLI/CLI.hpp>

namespace lockstep {

void declare_alloc(CLI::App& app, int& exit_code);
void declare_check(CLI::App& app, int& exit_code);
void declare_config(CLI::App& app, int& exit_code);
void declare_cosim(CLI::App& app, int& exit_code);
void declare_dsa(CLI::App& app, int& exit_code);
void declare_map(CLI::App& app, int& exit_code);
void declare_replay(CLI::App& app, int& exit_code);
void declare_run(CLI::App& app, int& exit_code);
void declare_study(CLI::App& app, int& exit_code);
void declare_score(CLI::App& app, int& exit_code);
void declare_trace(CLI::App& app, int& exit_code);
void declare_verify(CLI::App& app, int& exit_code);
void declare_vectors(CLI::App& app, int& exit_code);

}  // namespace lockstep
