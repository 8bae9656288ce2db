// What a sparse run found. Times in nanoseconds of all layers of the model; averages come with
// their population.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "firmware/decode/summary_stats.h"
#include "firmware/sparse/stage_spans.h"

namespace lockstep {

// What the stack is busy with. Copies of packed blocks before the first step are `preparation`.
enum class SparseStream : std::uint8_t {
  kKvWrite,
  kSelection,
  kDense,  // attention to all tokens
  kAttention,
  kSpeculation,
  kRepair,
  kCopies,
  kPreparation,
};
constexpr std::array<std::string_view, 8> kSparseStreams = {"kv_write",  "selection",   "dense",
                                                            "attention", "speculation", "repair",
                                                            "copies",    "preparation"};

// Of simulated layers: bytes of K, V and summaries that a stream is for, and how long it kept the
// stack busy. Streams that run beside each other are both busy.
struct StreamWork {
  std::int64_t kv_bytes = 0;
  Cycles busy;
};
using StreamWorks = std::array<StreamWork, kSparseStreams.size()>;

// Sums over KV heads, requests, sparse layers (those simulated) and steps.
struct ListCounts {
  std::int64_t lists = 0;  // (step, layer, request, head)
  std::int64_t selected = 0;
  std::int64_t guessed = 0;  // of schedules that guess
  std::int64_t missed = 0;
  std::int64_t wasted = 0;
  std::int64_t layers = 0;              // (step, layer)
  std::int64_t layers_with_a_miss = 0;  // of some head of some request
  std::int64_t most_missed = 0;         // of the head that missed most, summed over layers

  ListCounts& operator+=(const ListCounts& other);
};

// The window that speculation hides in, of simulated layers that speculate for all requests at
// once: from the end of speculation to the list, negative where speculation outlasts it.
struct SpeculationWindows {
  std::int64_t layers = 0;
  std::int64_t overruns = 0;  // speculation ended after the list was known
  Cycles slack;               // summed
};

struct SparseStep {
  std::int64_t step = 0;
  std::int64_t tokens = 0;  // in the cache of a request, the new one included
  double total_ns = 0;
  PerStage<double> busy_ns{};
  PerStage<double> exposed_ns{};
  ListCounts lists;
};

struct SparseResult {
  std::vector<SparseStep> steps;
  Population token_ns;  // a step: one token of each request
  PerStage<double> busy_ns{};
  PerStage<double> exposed_ns{};
  double total_ns = 0;
  ListCounts lists;
  StreamWorks streams{};
  SpeculationWindows windows;
  Cycles preparation;  // of simulated layers
  Cycles end;
};

// Told after everything that the stack has executed, in order: what its kernels and its accesses
// were for.
class StreamObserver {
 public:
  virtual ~StreamObserver() = default;
  virtual void executed(SparseStream kernels, SparseStream accesses) = 0;
};

}  // namespace lockstep
