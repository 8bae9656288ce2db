// Progress of a long run on the error stream: a bar on a terminal, else a line every few seconds.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace lockstep {

class Progress {
 public:
  // `total` is in the unit that update() counts.
  Progress(std::string what, std::int64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `detail` is shown behind the bar.
  void update(std::int64_t done, const std::string& detail);
  // Whether it is time to show something: update() is worth the trouble of a detail text.
  bool due() const;

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  std::int64_t total_;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point start_;
  Clock::time_point last_;
};

}  // namespace lockstep
