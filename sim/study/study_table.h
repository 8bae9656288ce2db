// The tables of the KV placement study: what is run, and what was published of it (docs/model.md,
// placement study). To add a cell: its row in a parts_*.cpp.
#pragma once

#include <array>
#include <string_view>

#include "sim/study/metric.h"
#include "tlm/contract/span.h"

namespace lockstep {

enum class Stream : std::uint8_t {
  kSteady,
  kSteadySeed1,
  kSteadySeed2,
  kSteady400,
  kSteady500,
  kSteadyLoad050,
  kSteadyLoad100,
  kSteady2000,
  kLongctx,
  kLongctx400,
  kPrefix,
  kPrefix400,
  kGenerated,
  kAzureConv,
  kAzureCode,
  kMooncake,
};
constexpr std::size_t kStreamCount = 16;

// Whose requests they are decides how near a published value must be met, and where they lie.
enum class StreamOrigin : std::uint8_t { kStudy, kOwnGenerator, kPublicTrace };

struct StreamTraits {
  Stream stream;
  StreamOrigin origin;
  std::string_view file;  // empty: the workload of the configuration
};

constexpr std::array<StreamTraits, kStreamCount> kStreams = {{
    // clang-format off
    {Stream::kSteady,        StreamOrigin::kStudy,        "requests_steady_seed0.csv"},
    {Stream::kSteadySeed1,   StreamOrigin::kStudy,        "requests_steady_seed1.csv"},
    {Stream::kSteadySeed2,   StreamOrigin::kStudy,        "requests_steady_seed2.csv"},
    {Stream::kSteady400,     StreamOrigin::kStudy,        "requests_steady400_seed0.csv"},
    {Stream::kSteady500,     StreamOrigin::kStudy,        "requests_steady500_seed0.csv"},
    {Stream::kSteadyLoad050, StreamOrigin::kStudy,        "requests_steady_load050_seed0.csv"},
    {Stream::kSteadyLoad100, StreamOrigin::kStudy,        "requests_steady_load100_seed0.csv"},
    {Stream::kSteady2000,    StreamOrigin::kStudy,        "requests_steady2000_seed0.csv"},
    {Stream::kLongctx,       StreamOrigin::kStudy,        "requests_longctx_seed0.csv"},
    {Stream::kLongctx400,    StreamOrigin::kStudy,        "requests_longctx400_seed0.csv"},
    {Stream::kPrefix,        StreamOrigin::kStudy,        "requests_prefix_seed0.csv"},
    {Stream::kPrefix400,     StreamOrigin::kStudy,        "requests_prefix400_seed0.csv"},
    {Stream::kGenerated,     StreamOrigin::kOwnGenerator, ""},
    {Stream::kAzureConv,     StreamOrigin::kPublicTrace,  "AzureLLMInferenceTrace_conv.csv"},
    {Stream::kAzureCode,     StreamOrigin::kPublicTrace,  "AzureLLMInferenceTrace_code.csv"},
    {Stream::kMooncake,      StreamOrigin::kPublicTrace,  "mooncake_conversation_head2000.jsonl"},
    // clang-format on
}};

constexpr const StreamTraits& traits(Stream stream) {
  return kStreams[static_cast<std::size_t>(stream)];
}

constexpr bool stream_rows_match_enumerators() {
  for (std::size_t i = 0; i < kStreamCount; ++i) {
    if (kStreams[i].stream != static_cast<Stream>(i)) return false;
  }
  return true;
}
static_assert(stream_rows_match_enumerators(), "kStreams lists every Stream, in order");

struct StudyCell {
  std::string_view label;  // what sets it apart in its part: a block size, a headroom
  std::string_view policy;
  Stream stream;
  std::string_view overrides;  // path=value, separated by ` ; `
  MetricValues published;
};

// Whether a part runs the policies of its rows, or for each label and stream all that exist.
enum class Policies : std::uint8_t { kListed, kAll };

struct StudyPart {
  std::string_view name;
  std::string_view what;
  std::string_view overrides;  // of every cell, before its own
  Policies policies;
  Span<StudyCell> cells;
};

Span<StudyPart> study_parts();

constexpr std::string_view kPaged = "paged-lifo";  // what gains are over
constexpr std::string_view kByRegion = "region";
constexpr std::string_view kContiguous = "contiguous";

// Tables of the files parts_*.cpp.
Span<StudyPart> placement_parts();
Span<StudyPart> serving_parts();

}  // namespace lockstep
