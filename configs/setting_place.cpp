#include "configs/setting_place.h"

#include <algorithm>

#include "configs/config.h"
#include "configs/message.h"

namespace lockstep {

Place place_of_setting(const ConfigNode& tree, const std::string& path) {
  const ConfigNode* node = &tree;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const ConfigNode* const below = node->find(path.substr(begin, end - begin));
    if (below == nullptr) break;
    node = below;
    begin = end + 1;
  }
  return node->place;
}

void at_places_of(const ConfigNode& tree, const std::function<void()>& work) {
  try {
    work();
  } catch (const SettingError& error) {
    throw ConfigError(to_string(place_of_setting(tree, error.setting)) + ": " +
                      in_backticks(error.setting) + ": " + error.what() + "\n");
  }
}

}  // namespace lockstep
