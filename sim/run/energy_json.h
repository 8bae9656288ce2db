// The energy of a run in its reports.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "hw/energy/energy.h"

namespace lockstep {

// {"activate": pJ, …, "background": pJ, "total": pJ}, and under "set_to_zero" the terms that the
// configuration gives no energy: a 0 among the others is counted, not assumed.
inline nlohmann::ordered_json energy_json(const EnergyReport& energy, const EnergyTable& table) {
  nlohmann::ordered_json json;
  nlohmann::ordered_json zero = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < kEnergyTermCount; ++i) {
    const std::string key(kEnergyTerms[i].key);
    json[key] = energy.picojoules[i];
    if ((table.*kEnergyTerms[i].each).count == 0) zero.push_back(key);
  }
  json["background"] = energy.background_pj;
  if (table.background.count == 0) zero.push_back("background");
  json["total"] = energy.total_pj();
  json["set_to_zero"] = zero;
  return json;
}

}  // namespace lockstep
