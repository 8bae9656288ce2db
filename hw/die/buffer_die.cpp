#include "hw/die/buffer_die.h"

#include <algorithm>
#include <utility>

#include "tlm/contract/errors.h"

namespace lockstep {

HeadPass& BufferDie::pass(const PassData& data) {
  HeadPass& pass = passes_.try_emplace(data.head_pass, data).first->second;
  if (pass.is_continued_by(data)) pass.continue_with(data);
  ensure(pass.fits(data), "two channels describe one pass differently");
  return pass;
}

void BufferDie::start_softmax(HeadPass& pass, int head_channel) {
  if (!pass.start_softmax(head_channel)) return;
  for (Listener* const listener : listeners_) listener->on_softmax();
}

void BufferDie::add_lanes(HeadPass& pass, int head_channel, Span<float> lanes) {
  pass.add_lanes(head_channel, lanes);
  if (!pass.finished()) return;
  results_.push_back(pass.result());
  passes_.erase(results_.back().head_pass);
}

std::vector<PassResult> BufferDie::take_results() {
  std::sort(results_.begin(), results_.end(),
            [](const PassResult& a, const PassResult& b) { return a.head_pass < b.head_pass; });
  return std::exchange(results_, {});
}

}  // namespace lockstep
