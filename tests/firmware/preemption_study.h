// The placement study's setting with vLLM's admission, where a small pool runs full and sequences
// are preempted: one policy at one headroom on a stack without the kernel, copies in cycles.
#pragma once

#include <vector>

#include "configs/config.h"
#include "firmware/decode/decode_run.h"
#include "hw/stack/direct_stack.h"
#include "tests/firmware/serving/study.h"

namespace lockstep::study {

inline StackConfig stack() {
  auto document = ConfigDocument::from_file(LOCKSTEP_SOURCE_DIR "/configs/hbm3-pim-study.yaml");
  auto root = document.root();
  return read_stack(root);
}

struct Preemption {
  DecodeResult decode;
  double gbps = 0;          // KV bytes read over the time of passes and copies
  double milliseconds = 0;  // of all steps, copies included
};

inline Preemption run_preempted(const StackConfig& config, const KvPolicy& policy, double headroom,
                                const std::vector<Request>& requests, double watermark = 0.01) {
  constexpr double kBytesPerGigabyte = 1e9;
  constexpr double kMillisecondsPerSecond = 1e3;
  DecodeConfig decode;
  decode.serving.admission = Admission::kVllm;
  decode.serving.watermark = watermark;
  decode.shape = {kBlockTokens, 4096};
  decode.headroom = headroom;
  decode.reorder = {ReorderMode::kWindow, 64};
  decode.scoring.formula = kStudyTiming;
  const KvMemory memory(config.map,
                        {config.geometry, decode.shape, 1, config.channels_per_domain()});
  DirectStack port(config);
  DecodeRun run(decode, memory, policy, requests, config.clock);
  Preemption result{run.run(port), 0, 0};
  const double time = seconds(result.decode.pim_time, config.clock);
  result.gbps = static_cast<double>(result.decode.kv_bytes) / time / kBytesPerGigabyte;
  result.milliseconds = time * kMillisecondsPerSecond;
  return result;
}

}  // namespace lockstep::study
