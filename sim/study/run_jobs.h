// Runs independent pieces of a study on as many threads as wanted.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace lockstep {

// Calls `run(i)` for every i below `count`, each once; `name(i)` is for the progress line. Throws
// what the first i that failed threw, Interrupted after Ctrl-C.
void run_jobs(std::size_t count, int jobs, const std::function<void(std::size_t)>& run,
              const std::function<std::string(std::size_t)>& name);

}  // namespace lockstep
