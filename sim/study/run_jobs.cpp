#include "sim/study/run_jobs.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "sim/run/interrupt.h"
#include "sim/run/progress.h"

namespace lockstep {

void run_jobs(std::size_t count, int jobs, const std::function<void(std::size_t)>& run,
              const std::function<std::string(std::size_t)>& name) {
  note_interrupts();
  std::vector<std::exception_ptr> failures(count);
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::size_t done = 0;
  Progress progress("study", static_cast<std::int64_t>(count));
  const auto work = [&] {
    for (std::size_t i = next++; i < count && !interrupt_noted(); i = next++) {
      try {
        run(i);
      } catch (...) {
        failures[i] = std::current_exception();
      }
      const std::lock_guard<std::mutex> lock(mutex);
      ++done;
      if (progress.due()) progress.update(static_cast<std::int64_t>(done), name(i));
    }
  };
  std::vector<std::thread> threads;
  for (int job = 1; job < jobs; ++job) threads.emplace_back(work);
  work();
  for (auto& thread : threads) thread.join();
  for (const auto& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  if (interrupt_noted()) throw Interrupted("interrupted: nothing was written");
}

}  // namespace lockstep
