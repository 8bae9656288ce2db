// Named factories, listed in one table by the code that owns the interface. No macro, no
// registration at static-initialisation time: what the table does not name does not exist.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/contract/span.h"

namespace lockstep {

template <typename Interface, typename... Args>
struct Choice {
  std::string_view name;
  std::unique_ptr<Interface> (*make)(const Args&...);
};

template <typename Concrete, typename Interface, typename... Args>
constexpr Choice<Interface, Args...> choice(std::string_view name) {
  return {name, [](const Args&... args) -> std::unique_ptr<Interface> {
            return std::make_unique<Concrete>(args...);
          }};
}

template <typename Interface, typename... Args>
std::unique_ptr<Interface> make_by_name(Span<Choice<Interface, Args...>> choices,
                                        std::string_view name, const Args&... args) {
  std::string known;
  for (const auto& choice : choices) {
    if (choice.name == name) return choice.make(args...);
    known += (known.empty() ? "" : ", ") + std::string(choice.name);
  }
  throw std::invalid_argument("unknown name `" + std::string(name) + "`; known: " + known);
}

// The names of a table, a Choice or any other row with a `name`, in its order: what
// ConfigSection::choice takes and gives an index of.
template <typename Table>
std::vector<std::string_view> names_of(const Table& table) {
  std::vector<std::string_view> names;
  for (const auto& row : table) names.push_back(row.name);
  return names;
}

}  // namespace lockstep
