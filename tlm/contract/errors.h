// How a run ends early. Libraries throw one of these; only main() turns them into an exit code.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace lockstep {

// The user's input is wrong: exit code 2. The text is complete, one `file:line:column: …` a line.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A value of the configuration turned out wrong only when it was used, and `setting` is its path,
// `kv.headroom`, say. Who holds the configuration adds the place: configs/setting_place.h.
struct SettingError : InputError {
  SettingError(std::string path, const std::string& message)
      : InputError(message), setting(std::move(path)) {}
  std::string setting;
};

// The model cannot do what the input asks for, or has stalled: exit code 3.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A rule of the model itself was broken: a bug of ours, exit code 3.
struct InternalError : std::logic_error {
  using std::logic_error::logic_error;
};

// States what must hold in every build, Release included. `sentence` says what was broken.
inline void ensure(bool holds, const char* sentence) {
  if (!holds) throw InternalError(sentence);
}

}  // namespace lockstep
