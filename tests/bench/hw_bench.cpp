// Speed of the hardware model: commands through the SystemC kernel, rows in closed form, ordinary
// reads at the controller and over TLM. Items per second are those of the host's clock.
#include <random>

#include <benchmark/benchmark.h>
#include <systemc>

#include "firmware/host/host.h"
#include "hw/stack/hbm_stack.h"
#include "tests/support/drive.h"
#include "tests/support/presets.h"

namespace lockstep {
namespace {

StackConfig full_stack() {
  StackGeometry geometry;
  StackConfig config{geometry,
                     std::get<AddressMap>(AddressMap::parse("host-cacheline", geometry)),
                     Hertz{1'300'000'000},
                     AllBankScope::kPseudoChannel,
                     StackIdScope::kAll,
                     {}};
  config.controller = controller_5200();
  config.controller.age_limit = {1'000'000'000};
  return config;
}

// A stack and its host; the kernel elaborates once, so that all are built before the first run.
struct System {
  System(const char* name, const StackConfig& config, Detail detail)
      : stack(name, config, detail),
        host((std::string(name) + "_host").c_str(), stack.clock(), stack.domains(), 64,
             [this](StackPort& port) {
               while (true) {
                 port.execute(kernels, accesses);
                 sc_core::sc_pause();
                 port.wait({1});
               }
             }) {
    host.host_initiator_socket.bind(stack.bus().host_target_socket);
    host.pim_initiator_socket.bind(stack.bus().pim_target_socket);
  }

  // Sends everything once, from now on.
  void run_once() {
    if (!started) host.start();
    started = true;
    sc_core::sc_start();
  }

  HbmStack stack;
  Host host;
  std::vector<DomainKernel> kernels;
  std::vector<HostAccess> accesses;
  bool started = false;
};

std::unique_ptr<System> mac_system;
std::unique_ptr<System> read_system;

PimKernel rows_of(std::int32_t rows, std::int32_t columns) {
  PimKernel kernel;
  for (std::int32_t row = 0; row < rows; ++row) kernel.push_back(mac_run(row, columns));
  return kernel;
}

void command_level_macs(benchmark::State& state) {
  constexpr std::int32_t kRows = 100;
  const auto kernel = std::make_shared<const PimKernel>(rows_of(kRows, 32));
  mac_system->kernels.clear();
  for (int domain = 0; domain < 32; ++domain) mac_system->kernels.push_back({domain, kernel});
  for (auto _ : state) mac_system->run_once();
  state.SetItemsProcessed(state.iterations() * 32 * kRows * (32 + 2));  // MACs, ACTab and PREab
}

void stream_level_rows(benchmark::State& state) {
  constexpr std::int32_t kRows = 10'000;
  const auto columns = static_cast<std::int32_t>(state.range(0));
  const auto kernel = std::make_shared<const PimKernel>(rows_of(kRows, columns));
  for (auto _ : state) {
    ChannelController controller(controller_5200());
    controller.push(KernelRequest{0, kernel, Cycles{0}});
    drain(controller);
    benchmark::DoNotOptimize(controller.last_issue());
  }
  state.SetItemsProcessed(state.iterations() * kRows);
}

enum Rows : std::int64_t { kSequential, kRandom };

std::vector<HostRequest> reads_of(std::int64_t order, std::int64_t count) {
  std::vector<HostRequest> reads;
  std::mt19937_64 random(7);
  for (std::int64_t i = 0; i < count; ++i) {
    HostRequest read;
    read.id = static_cast<std::uint64_t>(i);
    if (order == kSequential) {
      read.at = {0, 0, static_cast<int>(i % 4), static_cast<int>(i / 128 % 4)};
      read.row = static_cast<std::int32_t>(i / 512);
      read.column = static_cast<std::int32_t>(i / 4 % 32);
    } else {
      read.at = Topology{}.address(static_cast<int>(random() % 16));
      read.row = static_cast<std::int32_t>(random() % 16384);
    }
    reads.push_back(read);
  }
  return reads;
}

// A queue that is kept full: 64 requests wait, and the controller looks at 32 of them.
void controller_reads(benchmark::State& state) {
  const auto reads = reads_of(state.range(0), 100'000);
  for (auto _ : state) {
    auto config = controller_5200();
    config.age_limit = {1'000'000'000};
    ChannelController controller(config);
    for (auto read : reads) {
      while (controller.host_waiting() >= 64) {
        controller.advance_to_completion();
        controller.take_completions();
      }
      read.arrival = controller.last_issue();
      controller.push(read);
    }
    drain(controller);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(reads.size()));
}

// One read in 200 clocks: idle time must cost nothing. Items are clocks.
void controller_idle_reads(benchmark::State& state) {
  const auto reads = reads_of(kRandom, 10'000);
  Cycles clocks;
  for (auto _ : state) {
    ChannelController controller(controller_5200());
    Cycles arrival;
    for (auto read : reads) {
      read.arrival = arrival;
      controller.advance(arrival);
      controller.push(read);
      arrival += Cycles{200};
    }
    drain(controller);
    clocks += controller.last_issue();
  }
  state.SetItemsProcessed(clocks.count);
}

// Every read of one channel as a transaction of its own, 64 B apart in the host-cacheline map.
void tlm_reads(benchmark::State& state) {
  constexpr int kReads = 5'000;
  const auto& map = read_system->stack.config().map;
  read_system->accesses.clear();
  for (const auto& read : reads_of(state.range(0), kReads)) {
    Location at;
    at.bank_group = read.at.bank_group;
    at.bank = read.at.bank;
    at.row = read.row;
    at.column = read.column;
    read_system->accesses.push_back({AccessKind::kRead, map.encode(at), 32});
  }
  for (auto _ : state) read_system->run_once();
  state.SetItemsProcessed(state.iterations() * kReads);
}

BENCHMARK(command_level_macs)->Unit(benchmark::kMillisecond);
BENCHMARK(stream_level_rows)->Arg(4)->Arg(8)->Arg(32)->Arg(64)->Unit(benchmark::kMillisecond);
BENCHMARK(controller_reads)->Arg(kSequential)->Arg(kRandom)->Unit(benchmark::kMillisecond);
BENCHMARK(controller_idle_reads)->Unit(benchmark::kMillisecond);
BENCHMARK(tlm_reads)->Arg(kSequential)->Arg(kRandom)->Unit(benchmark::kMillisecond);

}  // namespace

void build_systems() {
  mac_system = std::make_unique<System>("macs", full_stack(), Detail::kCommand);
  read_system = std::make_unique<System>("reads", full_stack(), Detail::kStream);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

}  // namespace lockstep

int sc_main(int argc, char* argv[]) {
  benchmark::Initialize(&argc, argv);
  lockstep::build_systems();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
