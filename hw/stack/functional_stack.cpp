#include "hw/stack/functional_stack.h"

#include "hw/stack/host_columns.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

ColumnBytes bytes_of(const HostRequest& request) {
  return {request.at, request.row, request.column, request.first_byte, request.bytes};
}

}  // namespace

FunctionalStack::FunctionalStack(const StackConfig& config, const MacUnitFactory& factory)
    : config_(config) {
  for (int domain = 0; domain < config_.domains(); ++domain) {
    channels_.push_back(std::make_unique<FunctionalChannel>(
        domain, config_.controller.topology, config_.geometry.columns,
        config_.geometry.column_bytes, config_.bank_unit, factory, die_));
  }
}

CommandObserver* FunctionalStack::observer(int domain) {
  return config_.storage == Storage::kNone ? nullptr : &channel(domain);
}

void FunctionalStack::observe_units(UnitObserver* observer) {
  for (const auto& channel : channels_) channel->set_unit_observer(observer);
}

bool FunctionalStack::holds(std::uint64_t address, std::int64_t bytes) const {
  const std::uint64_t capacity = config_.map.capacity();
  return address <= capacity && static_cast<std::uint64_t>(bytes) <= capacity - address;
}

bool FunctionalStack::write(std::uint64_t address, Span<std::uint8_t> bytes) {
  const auto count = static_cast<std::int64_t>(bytes.size());
  if (!holds(address, count)) return false;
  const std::uint8_t* data = bytes.begin();
  for_each_column(config_, HostOp::kWrite, address, count, nullptr,
                  [&](int domain, const HostRequest& request) {
                    channel(domain).storage().write(bytes_of(request), data);
                    data += request.bytes;
                  });
  return true;
}

bool FunctionalStack::read(std::uint64_t address, std::uint8_t* data, std::int64_t bytes) {
  if (!holds(address, bytes)) return false;
  for_each_column(config_, HostOp::kRead, address, bytes, data,
                  [&](int domain, const HostRequest& request) {
                    channel(domain).storage().read(bytes_of(request), request.data);
                  });
  return true;
}

FunctionalStats FunctionalStack::total_stats() const {
  FunctionalStats total;
  for (const auto& channel : channels_) total += channel->stats();
  return total;
}

void FunctionalStack::check_settled() const {
  for (const auto& channel : channels_) channel->check_settled();
  ensure(die_.passes_under_way() == 0, "a run ended with passes that had begun");
}

}  // namespace lockstep
