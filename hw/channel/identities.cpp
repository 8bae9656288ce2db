// The conservation identities of a controller (docs/model.md): what must hold at any time, in every
// build. Also equality of controllers, which lets equal channels be computed once.
#include <numeric>

#include "hw/channel/channel_controller.h"
#include "tlm/contract/errors.h"

namespace lockstep {

void ChannelController::check_identities() const {
  const auto count = [&](Cmd cmd) { return stats_.commands[static_cast<std::size_t>(cmd)]; };
  const auto& s = stats_;
  const auto waiting = static_cast<std::int64_t>(host_.size());
  ensure(s.host_requests == s.host_completed + waiting,
         "host requests in differ from completed + waiting");
  ensure(s.host_row_hits + s.host_row_misses + s.host_row_conflicts == s.host_completed,
         "row hits, misses and conflicts differ from the requests served");
  ensure(s.host_completed == count(Cmd::RD) + count(Cmd::RDA) + count(Cmd::WR) + count(Cmd::WRA),
         "requests served differ from the column commands issued");
  ensure(s.pim_column_hits + s.pim_column_misses == count(Cmd::MACab) + count(Cmd::MACsb),
         "MAC hits and misses differ from the MAC commands issued");
  ensure(banks_.activations() == banks_.precharges() + banks_.open_banks(),
         "activations differ from precharges + open banks");
  ensure(refresh_.issued_total() == count(Cmd::REFab) + count(Cmd::REFpb),
         "refreshes counted differ from refreshes issued");
  const auto waited = std::accumulate(s.waited.begin(), s.waited.end(), std::int64_t{0});
  ensure(waited == now_.count, "the waits do not add up to the clock of the last command");
}

void ChannelController::take_over(const ChannelController& equal) {
  ensure(lone_kernel() && equal.completions_.size() == 1, "a channel took over an unlike outcome");
  const std::uint64_t id = pim_.kernel().id;
  become(equal);
  completions_.front().id = id;
}

void ChannelController::become(const ChannelController& equal) {
  CommandObserver* const observer = observer_;
  *this = equal;
  observer_ = observer;
}

bool operator==(const ChannelController& a, const ChannelController& b) {
  return a.now_ == b.now_ && a.arrival_floor_ == b.arrival_floor_ && a.pim_floor_ == b.pim_floor_ &&
         a.pim_completion_ == b.pim_completion_ && a.moved_ == b.moved_ &&
         a.softmax_ == b.softmax_ && a.last_work_ == b.last_work_ &&
         a.last_column_ == b.last_column_ && a.pim_progress_ == b.pim_progress_ &&
         a.slice_end_ == b.slice_end_ && a.mode_ == b.mode_ &&
         a.served_in_turn_ == b.served_in_turn_ && a.opened_ == b.opened_ &&
         a.sensed_ == b.sensed_ && a.refresh_ == b.refresh_ && a.host_ == b.host_ &&
         a.pim_ == b.pim_ && a.banks_ == b.banks_ && a.engine_ == b.engine_ && a.stats_ == b.stats_;
}

}  // namespace lockstep
