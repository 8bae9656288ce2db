#include "sim/cli/command.h"
#include "sim/commands/declare.h"

namespace lockstep {
namespace {

constexpr Command kCommandTable[] = {
    // clang-format off
    {"run",    "simulate a configuration and report",                     declare_run},
    {"replay", "time a request stream on a stack, command by command",    declare_replay},
    {"check",  "hold a command trace against the rules of its stack",     declare_check},
    {"trace",  "write a run's commands in a format of hardware teams",    declare_trace},
    {"map",    "between addresses and places of the stack",               declare_map},
    {"study",  "repeat a study and compare with its published results", declare_study},
    {"verify", "hold attention of the banks against double precision",    declare_verify},
    {"cosim",  "attention on banks whose unit is RTL beside the model",   declare_cosim},
    {"dsa",    "predict and report block selections of sparse attention", declare_dsa},
    {"vectors", "golden vectors of the bank unit for an own RTL",         declare_vectors},
    {"score",  "score block tables: M1, M2, M3 by formula",               declare_score},
    {"alloc",  "replay allocator operation logs",                         declare_alloc},
    {"config", "check a configuration and print it resolved",             declare_config},
    // clang-format on
};

}  // namespace

Span<Command> commands() {
  return kCommandTable;
}

}  // namespace lockstep
