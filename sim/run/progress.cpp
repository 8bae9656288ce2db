#include "sim/run/progress.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

#include <fmt/format.h>

namespace lockstep {
namespace {

constexpr auto kTerminalInterval = std::chrono::milliseconds(200);
constexpr auto kLogInterval = std::chrono::seconds(3);
constexpr int kBarWidth = 30;

}  // namespace

Progress::Progress(std::string what, std::int64_t total)
    : what_(std::move(what)),
      total_(std::max<std::int64_t>(total, 1)),
      terminal_(isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      last_(start_) {}

Progress::~Progress() {
  if (terminal_ && shown_) std::fputs("\r\x1b[K", stderr);
}

bool Progress::due() const {
  const auto interval =
      terminal_ ? Clock::duration(kTerminalInterval) : Clock::duration(kLogInterval);
  return Clock::now() - last_ >= interval;
}

void Progress::update(std::int64_t done, const std::string& detail) {
  last_ = Clock::now();
  shown_ = true;
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
  const double seconds = std::chrono::duration<double>(last_ - start_).count();
  std::string line;
  if (terminal_) {
    const int filled = static_cast<int>(share * kBarWidth);
    const std::string bar = std::string(static_cast<std::size_t>(filled), '#') +
                            std::string(static_cast<std::size_t>(kBarWidth - filled), '.');
    line = fmt::format("\r\x1b[K{} [{}] {:3.0f} %  {:.0f} s  {}", what_, bar, 100 * share, seconds,
                       detail);
  } else {
    line = fmt::format("{}: {:.0f} % after {:.0f} s, {}\n", what_, 100 * share, seconds, detail);
  }
  std::fputs(line.c_str(), stderr);  // a closed error stream is no reason to end a run
  std::fflush(stderr);
}

}  // namespace lockstep
