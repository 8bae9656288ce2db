#include "sim/run/config_json.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

Json scalar_json(const std::string& text) {
  Json value = Json::parse(text, nullptr, false);
  const bool is_plain = value.is_number() || value.is_boolean();
  return is_plain && value.dump() == text ? value : Json(text);
}

}  // namespace

Json config_json(const ConfigNode& tree) {
  switch (tree.kind) {
    case ConfigNode::Kind::kScalar:
      return scalar_json(tree.text);
    case ConfigNode::Kind::kList: {
      Json list = Json::array();
      for (const auto& item : tree.items) list.push_back(config_json(item));
      return list;
    }
    case ConfigNode::Kind::kMap: {
      Json map = Json::object();
      for (const auto& entry : tree.entries) map[entry.key] = config_json(entry.value);
      return map;
    }
    default:
      return nullptr;
  }
}

}  // namespace lockstep
