// Runs the Verilated testbench and writes what it covered: coverage must be written explicitly.
#include <Vbank_mac_tb.h>
#include <memory>

#include <verilated.h>
#include <verilated_cov.h>

int main(int argc, char** argv) {
  VerilatedContext context;
  context.commandArgs(argc, argv);
  const auto testbench = std::make_unique<Vbank_mac_tb>(&context);
  while (!context.gotFinish()) {
    testbench->eval();
    if (!testbench->eventsPending()) break;
    context.time(testbench->nextTimeSlot());
  }
  testbench->final();
  context.coveragep()->write(argv[1]);
  return context.gotError() ? 1 : 0;
}
