#include "rtl/verilated_mac.h"

#include <cstring>
#include <fstream>
#include <optional>
#include <string>

#include <verilated.h>
#if VM_TRACE_FST
#include <verilated_fst_c.h>
#elif VM_TRACE
#include <verilated_vcd_c.h>
#endif

#include <Vbank_mac_d1.h>
#include <Vbank_mac_d1___024root.h>
#include <Vbank_mac_d3.h>
#include <Vbank_mac_d3___024root.h>
#include <Vbank_mac_d6.h>
#include <Vbank_mac_d6___024root.h>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

#if VM_TRACE_FST
using Trace = VerilatedFstC;
constexpr const char* kWaves = "FST";
constexpr const char* kWavesEnd = ".fst";
#elif VM_TRACE
using Trace = VerilatedVcdC;
constexpr const char* kWaves = "VCD";
constexpr const char* kWavesEnd = ".vcd";
#endif

// Word 0 of a port is its least significant: lane 0 is the lowest address.
template <typename Port, typename Words>
void drive(Port& port, const Words& words) {
  static_assert(sizeof(port.m_storage) == sizeof(Words), "port and value differ in width");
  std::memcpy(port.m_storage, words.data(), sizeof(Words));
}

template <typename Port, typename Words>
void sample(const Port& port, Words& words) {
  static_assert(sizeof(port.m_storage) == sizeof(Words), "port and value differ in width");
  std::memcpy(words.data(), port.m_storage, sizeof(Words));
}

// {op, tag, index} of a pipeline boundary, as mac_tree.sv packs them for eight queries.
constexpr int kBoundaries = 5;
constexpr int kIndexBits = 7;
constexpr int kTagBits = 16;
constexpr int kControlBits = 3 + kTagBits + kIndexBits;

std::uint32_t bits(const WData* words, int first, int count) {
  std::uint64_t pair = words[first / 32];
  if (first % 32 + count > 32) pair |= std::uint64_t{words[first / 32 + 1]} << 32;
  return static_cast<std::uint32_t>((pair >> (first % 32)) & ((std::uint64_t{1} << count) - 1));
}

}  // namespace

class VerilatedMac::Dut {
 public:
  virtual ~Dut() = default;
  virtual void reset() = 0;
  virtual void clock(const MacIssue* issue, const MacDrain* drain, MacOutputs& outputs) = 0;
  virtual std::string stage(int boundary) const = 0;  // what a boundary's register holds
  virtual bool traced() const = 0;
};

template <typename Model, typename Root>
class VerilatedMac::DutOf final : public Dut {
 public:
  explicit DutOf(const MacWaves* waves) : waves_(waves == nullptr ? MacWaves{} : *waves) {
    context_.traceEverOn(waves != nullptr);
    context_.fatalOnError(false);  // reported by an exception, not by abort()
    model_.emplace(&context_, "bank_mac");
    model_->clk_i = 0;
    model_->rst_ni = 1;
    model_->issue_valid_i = 0;
    model_->drain_valid_i = 0;
    if (waves != nullptr) open();
    model_->eval();
    reset();
  }

  // A model takes its scopes out of the thread's present context, which may be that of another unit
  // that is gone already.
  ~DutOf() override {
    Verilated::threadContextp(&context_);
    model_->final();
#if VM_TRACE
    trace_.close();
#endif
  }

  // Asynchronous, so it needs no edge.
  void reset() override {
    model_->rst_ni = 0;
    model_->eval();
    model_->rst_ni = 1;
    model_->eval();
  }

  // Inputs change at the falling edge, so that an assertion samples settled values at the rising
  // one.
  void clock(const MacIssue* issue, const MacDrain* drain, MacOutputs& outputs) override {
    drive_inputs(issue, drain);
    model_->clk_i = 0;
    model_->eval();
    dump(2 * clocks_);
    model_->clk_i = 1;
    model_->eval();
    dump(2 * clocks_ + 1);
    sample_outputs(outputs);
    ++clocks_;
    if (context_.gotError())
      throw MacUnitFault("an assertion of the RTL failed; its message is on the output");
  }

  std::string stage(int boundary) const override {
    const Root& root = *model_->rootp;
    if ((root.bank_mac__DOT__u_tree__DOT__valid >> (boundary + 1) & 1) == 0) return "-";
    const WData* control = root.bank_mac__DOT__u_tree__DOT__control.m_storage;
    const int first = (boundary + 1) * kControlBits;
    const auto op = static_cast<MacOp>(bits(control, first + kIndexBits + kTagBits, 3));
    return std::string(name(op)) + " tag " +
           std::to_string(bits(control, first + kIndexBits, kTagBits));
  }

  bool traced() const override {
    return !waves_.file.empty();
  }

 private:
  void open() {
#if VM_TRACE
    const std::string end = kWavesEnd;
    const auto& file = waves_.file;
    if (file.size() < end.size() || file.compare(file.size() - end.size(), end.size(), end) != 0) {
      throw Unsupported(file + ": this build writes waveforms as " + kWavesEnd +
                        " files, having LOCKSTEP_RTL_TRACE=" + kWaves + " (docs/rtl.md)");
    }
    if (!std::ofstream(waves_.file)) throw InputError(waves_.file + ": cannot be written");
    model_->trace(&trace_, 99);
    trace_.open(waves_.file.c_str());
#else
    throw Unsupported("waveforms of the RTL: this build has LOCKSTEP_RTL_TRACE=OFF (docs/rtl.md)");
#endif
  }

  void dump([[maybe_unused]] std::int64_t time) {
#if VM_TRACE
    if (!traced() || clocks_ < waves_.first_clock || clocks_ > waves_.last_clock) return;
    trace_.dump(static_cast<std::uint64_t>(time));
#endif
  }

  void drive_inputs(const MacIssue* issue, const MacDrain* drain) {
    model_->issue_valid_i = issue != nullptr;
    if (issue != nullptr) {
      model_->issue_op_i = static_cast<std::uint8_t>(issue->op);
      model_->issue_tag_i = issue->tag;
      model_->issue_index_i = static_cast<std::uint8_t>(issue->index);
      model_->issue_scalar_i = static_cast<std::uint8_t>(issue->scalar);
      drive(model_->issue_column_i, issue->column);
      drive(model_->issue_operand_i, issue->operand);
    }
    model_->drain_valid_i = drain != nullptr;
    if (drain != nullptr) {
      model_->drain_lanes_i = drain->bank == MacBank::kLanes;
      model_->drain_burst_i = static_cast<std::uint8_t>(drain->burst);
    }
  }

  void sample_outputs(MacOutputs& outputs) const {
    outputs.result_valid = model_->result_valid_o != 0;
    outputs.drained_valid = model_->drained_valid_o != 0;
    outputs.busy = model_->busy_o != 0;
    if (outputs.result_valid) {
      outputs.tag = model_->result_tag_o;
      sample(model_->result_data_o, outputs.data);
    }
    if (outputs.drained_valid) sample(model_->drained_data_o, outputs.drained);
  }

  VerilatedContext context_;
#if VM_TRACE
  Trace trace_;
#endif
  std::optional<Model> model_;
  MacWaves waves_;
  std::int64_t clocks_ = 0;
};

VerilatedMac::VerilatedMac(const MacParameters& parameters)
    : VerilatedMac(parameters, MacWaves{}) {}

VerilatedMac::VerilatedMac(const MacParameters& parameters, const MacWaves& waves)
    : parameters_(parameters) {
  check(parameters);
  const MacWaves* wanted = waves.file.empty() ? nullptr : &waves;
  switch (parameters.depth) {
    case 1:
      dut_ = std::make_unique<DutOf<Vbank_mac_d1, Vbank_mac_d1___024root>>(wanted);
      break;
    case 3:
      dut_ = std::make_unique<DutOf<Vbank_mac_d3, Vbank_mac_d3___024root>>(wanted);
      break;
    default:
      dut_ = std::make_unique<DutOf<Vbank_mac_d6, Vbank_mac_d6___024root>>(wanted);
      break;
  }
}

VerilatedMac::~VerilatedMac() = default;

void VerilatedMac::reset() {
  dut_->reset();
  quiet_clocks_ = 0;
}

// With nothing to do, and nothing seen for a clock longer than the pipeline is deep, no register
// but the outputs' could change: the clock is skipped, unless somebody looks at the waveform.
const MacOutputs& VerilatedMac::clock(const MacIssue* issue, const MacDrain* drain) {
  if (issue != nullptr) check(*issue, parameters_);
  if (drain != nullptr) check(*drain, parameters_);
  if (issue != nullptr || drain != nullptr) {
    quiet_clocks_ = 0;
  } else if (++quiet_clocks_ > parameters_.depth + 1 && !dut_->traced()) {
    return outputs_;
  }
  dut_->clock(issue, drain, outputs_);
  return outputs_;
}

std::string VerilatedMac::pipeline() const {
  const int registers = parameters_.depth == 6 ? 0x1F : parameters_.depth == 3 ? 0x0A : 0;
  std::string text = "[";
  for (int boundary = 0; boundary < kBoundaries; ++boundary) {
    if ((registers >> boundary & 1) != 0) text += dut_->stage(boundary) + " | ";
  }
  return text + (outputs_.result_valid ? "tag " + std::to_string(outputs_.tag) : "-") + "]";
}

}  // namespace lockstep
