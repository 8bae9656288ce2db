// The program: finds the command, and turns what it throws into a message and an exit code.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <iostream>
#include <new>
#include <system_error>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <systemc>

#include "sim/cli/command.h"
#include "sim/run/interrupt.h"
#include "sim/version.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

constexpr const char* kFooter =
    "Examples:\n"
    "  lockstep run configs/main-job.yaml\n"
    "  lockstep run configs/main-job.yaml --set kv.block_tokens=32 --out out/block32\n"
    "  lockstep config configs/main-job.yaml\n"
    "`lockstep COMMAND --help` tells more.\n\n"
    "Exit codes: 0 done; 1 a comparison or check failed; 2 the input is wrong;\n"
    "3 the model cannot do this or stalled; 130 interrupted by Ctrl-C, 143 by SIGTERM.";

int report(const std::string& message, int code) {
  std::fputs(message.c_str(), stderr);
  if (message.empty() || message.back() != '\n') std::fputc('\n', stderr);
  return code;
}

// A closed standard stream would hand its number to the next file opened, and messages would go
// into that file. What stands in for it cannot be used in the stream's direction, so using it still
// fails.
void occupy_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    const int stand_in = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (stand_in != stream) return;
  }
}

int run_program(int argc, char** argv) {
  CLI::App app{"Lockstep: an architecture model of an HBM3 stack with processing-in-memory"};
  app.name("lockstep");
  app.set_version_flag("--version", std::string("lockstep ") + kVersion);
  app.require_subcommand(1);
  app.footer(kFooter);
  int exit_code = kExitDone;
  for (const auto& command : commands()) {
    command.declare(*app.add_subcommand(std::string(command.name), std::string(command.summary)),
                    exit_code);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (app.exit(error) != 0) return kExitBadInput;
  } catch (const InputError& error) {
    return report(error.what(), kExitBadInput);
  } catch (const Interrupted& error) {
    return report(error.what(), kExitSignal + noted_signal());
  } catch (const Unsupported& error) {
    return report(error.what(), kExitCannot);
  } catch (const std::bad_alloc&) {
    return report("there is not enough memory for this", kExitCannot);
  } catch (const std::system_error& error) {  // of the system below us: a full disk, say
    return report(error.what(), kExitCannot);
  } catch (const std::exception& error) {
    return report(std::string("a bug of lockstep, please report it: ") + error.what(), kExitCannot);
  }
  if (!std::cout.flush() || std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    return report("the output could not be written", kExitCannot);
  }
  return exit_code;
}

}  // namespace
}  // namespace lockstep

int sc_main(int argc, char* argv[]) {
  return lockstep::run_program(argc, argv);
}

int main(int argc, char* argv[]) {
  lockstep::occupy_standard_streams();
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  return sc_core::sc_elab_and_sim(argc, argv);
}
