#include "sim/attention/attention_section.h"

#include <filesystem>

namespace lockstep {
namespace {

// The processor's file, named from the folder of the file that names it, or that says `attention`
// where an override does.
std::string xpu_file(const ConfigSection& section, const std::string& name) {
  std::filesystem::path from = section.place_of("xpu").file;
  if (!std::filesystem::exists(from)) from = section.place_of("").file;
  return (from.parent_path() / name).lexically_normal().string();
}

// Of a file, or of a map as `with_xpu` puts it in a file's place, so that what a run has resolved
// can be run again.
Xpu read_xpu_of(ConfigSection& section) {
  if (section.has_map("xpu")) return read_xpu(section.section("xpu"));
  const auto name = section.required<std::string>("xpu");
  if (name.empty()) return {};
  const auto file = xpu_file(section, name);
  const bool found = std::filesystem::is_regular_file(file);
  section.require_among(
      {"xpu"}, found,
      "expected a map or the name of a YAML file, but there is no file `" + file + "`");
  if (!found) return {};
  auto document = ConfigDocument::from_file(file);
  Xpu xpu = read_xpu(document.root());
  document.throw_if_invalid();
  return xpu;
}

constexpr auto kElementNames = [] {
  std::array<std::string_view, kKvElements.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kKvElements[i].name;
  return names;
}();

KvTensorShape read_tensor_shape(ConfigSection& root, ConfigSection& section) {
  auto model = root.section("model");
  auto kv = root.section("kv");
  KvTensorShape shape;
  shape.kv_heads = model.required_in("kv_heads", 1, 1024);
  shape.head_dim = model.required_in("head_dim", 1, 65536);
  shape.element = kKvElements[section.choice("element", kElementNames)].element;
  shape.block_tokens = kv.required_in("block_tokens", 1, 1 << 20);
  shape.layout = static_cast<KvTensorLayout>(section.choice("layout", kKvTensorLayouts));
  model.require(model.required_in<Bytes>("element_size", {1}, {8}).count == shape.element_bytes(),
                "element_size",
                "must be the size of attention.element: 2 B for fp16 and bf16, 1 B else");
  return shape;
}

LayerShape read_layer(ConfigSection& section, const AttentionConfig& config) {
  constexpr std::int64_t kMost = 1 << 20;
  LayerShape layer;
  layer.hidden = section.required_in<std::int64_t>("hidden_dim", 1, kMost);
  layer.ffn = section.required_in<std::int64_t>("ffn_dim", 1, kMost);
  layer.ffn_matrices = section.required_in<std::int64_t>("ffn_matrices", 2, 3);
  layer.element_bytes = section.required_in<Bytes>("weight_size", {1}, {4}).count;
  layer.kv_heads = config.shape.kv_heads;
  layer.query_heads = static_cast<std::int64_t>(config.shape.kv_heads) * config.group;
  layer.head_dim = config.shape.head_dim;
  return layer;
}

}  // namespace

AttentionConfig read_attention(ConfigSection& root, const DecodeConfig& decode,
                               const StackConfig& stack) {
  auto section = root.section("attention");
  AttentionConfig config;
  config.serving = decode.serving;
  config.headroom = decode.headroom;
  config.scratch = decode.scratch;
  config.seed = decode.seed;
  config.simulate_every = decode.scoring.simulate_every_steps;
  config.group = section.required_in("group", 1, kMaxGroup);
  config.unit = {section.required_in("queries_per_column", 1, kMaxMacQueries),
                 stack.bank_unit.queries, stack.bank_unit.column_parts};
  config.pipeline = static_cast<Pipeline>(section.choice("pipeline", kPipelines));
  config.writes = static_cast<WriteTiming>(section.choice("writes", kWriteTimings));
  config.layers = section.required_in("layers", 1, 1024);
  config.simulated =
      static_cast<SimulatedLayers>(section.choice("simulate_layers", kSimulatedLayers));
  config.sub_batches = section.required_in("sub_batches", 1, kMaxSubBatches);
  config.shape = read_tensor_shape(root, section);
  config.layer = read_layer(section, config);
  config.xpu = read_xpu_of(section);
  section.require(config.layers == 1 || config.simulated == SimulatedLayers::kAll ||
                      stack.controller.refresh.mode == RefreshMode::kNone,
                  "simulate_layers",
                  "must be `all` where several layers meet refresh.mode other than `none`: a layer "
                  "then takes another time when it begins elsewhere between two refreshes");
  section.require(stack.controller.pim_window == 1, "pipeline",
                  "needs controller.pim_window 1: the passes' commands rely on their order");
  section.require(stack.stack_id_scope == StackIdScope::kAll || stack.geometry.stack_ids == 1,
                  "layout", "needs pim.stack_id_scope `all`");
  section.require(!decode.serving.speculation && decode.channel_groups == 1, "layout",
                  "needs speculation.mode `off` and kv.channel_groups 1");
  return config;
}

ConfigNode with_xpu(ConfigDocument& document) {
  ConfigNode tree = document.tree();
  ConfigNode* const attention = tree.find("attention");
  ConfigNode* const xpu = attention == nullptr ? nullptr : attention->find("xpu");
  if (xpu == nullptr || xpu->is(ConfigNode::Kind::kMap)) return tree;
  const auto section = document.root().section("attention");
  *xpu = ConfigDocument::from_file(xpu_file(section, xpu->text)).tree();
  return tree;
}

}  // namespace lockstep
