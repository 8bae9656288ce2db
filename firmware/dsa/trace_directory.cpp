#include <algorithm>
#include <filesystem>

#include <fmt/core.h>

#include "firmware/dsa/json_place.h"
#include "firmware/dsa/sha256.h"
#include "firmware/dsa/trace_files.h"
#include "tlm/contract/errors.h"
#include "tlm/contract/input_file.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "dsa-trace/1";
constexpr std::string_view kTieBreak = "score_desc_id_asc";
constexpr std::int64_t kMost = std::int64_t{1} << 40;

enum class Presence { kRequired, kOptional };

struct MetaText {
  const char* key;
  std::string TraceMeta::*member;
};

struct MetaInteger {
  const char* key;
  std::int64_t TraceMeta::*member;
  std::int64_t lowest;
  Presence presence;
};

constexpr MetaText kMetaTexts[] = {
    {"source", &TraceMeta::source},
    {"dsa", &TraceMeta::dsa},
    {"score_kind", &TraceMeta::score_kind},
    {"granularity", &TraceMeta::granularity},
};

constexpr MetaInteger kMetaIntegers[] = {
    {"kv_heads", &TraceMeta::kv_heads, 1, Presence::kRequired},
    {"q_heads", &TraceMeta::q_heads, 0, Presence::kOptional},
    {"head_dim", &TraceMeta::head_dim, 0, Presence::kOptional},
    {"block_tokens", &TraceMeta::block_tokens, 1, Presence::kRequired},
    {"token_budget", &TraceMeta::token_budget, 1, Presence::kRequired},
    {"k_dyn", &TraceMeta::k_dyn, 1, Presence::kRequired},
    {"init_blocks", &TraceMeta::init_blocks, 0, Presence::kRequired},
    {"local_blocks", &TraceMeta::local_blocks, 0, Presence::kRequired},
    {"dense_layers", &TraceMeta::dense_layers, 0, Presence::kOptional},
    {"prefill_rows", &TraceMeta::prefill_rows, 1, Presence::kRequired},
    {"seed", &TraceMeta::seed, 0, Presence::kOptional},
};

std::string path_of(const std::string& directory, std::string_view name) {
  return (std::filesystem::path(directory) / name).string();
}

void require_text(const JsonPlace& place, std::string_view expected) {
  if (place.text() != expected) place.refuse(fmt::format("`{}`", expected));
}

TraceMeta read_meta(const JsonPlace& root) {
  root.require_only_keys(
      {"format",       "source",       "dsa",          "score_kind",   "layer_ids", "kv_heads",
       "q_heads",      "head_dim",     "block_tokens", "token_budget", "k_dyn",     "init_blocks",
       "local_blocks", "dense_layers", "granularity",  "prefill_rows", "tie_break", "dtype",
       "seed",         "gen",          "sha256"});
  require_text(root.key("format"), kFormat);
  require_text(root.key("tie_break"), kTieBreak);
  TraceMeta meta;
  for (const auto& row : kMetaTexts) meta.*row.member = root.key(row.key).text();
  for (const auto& row : kMetaIntegers) {
    if (row.presence == Presence::kOptional && !root.find(row.key)) continue;
    meta.*row.member = root.key(row.key).integer(row.lowest, kMost);
  }
  const auto layers = root.key("layer_ids");
  for (std::size_t i = 0; i < layers.array_size(); ++i) {
    meta.layer_ids.push_back(layers.at(i).integer(0, kMost));
  }
  return meta;
}

// Reads arrays of one directory and holds them against the sums of meta.json.
class ArrayReader {
 public:
  ArrayReader(std::string directory, JsonPlace root)
      : directory_(std::move(directory)), root_(std::move(root)) {}

  bool has(std::string_view name) const {
    return std::filesystem::exists(path_of(directory_, name));
  }

  NpyArray read(std::string_view name) const {
    const std::string path = path_of(directory_, name);
    const std::string bytes = read_input_file(path);
    const auto sums = root_.find("sha256");
    const auto sum = sums ? sums->find(name) : std::nullopt;
    if (sum && sum->text() != sha256(bytes)) {
      throw InputError(path + ": its SHA-256 is not the one in meta.json");
    }
    return parse_npy(bytes, path);
  }

  std::vector<std::int64_t> integers(std::string_view name, NpyType type) const {
    const NpyArray array = read(name);
    if (array.type != type || array.shape.size() != 1) {
      throw InputError(fmt::format("{}: expected one dimension of {}", path_of(directory_, name),
                                   npy_type_info(type).descr));
    }
    return {array.values.begin(), array.values.end()};
  }

 private:
  std::string directory_;
  JsonPlace root_;
};

// Rows of phase 0 calibrate and stand before the decode rows of phase 1.
void check_phase(const std::vector<std::int64_t>& phase, const TraceMeta& meta, std::int64_t steps,
                 const std::string& path) {
  if (static_cast<std::int64_t>(phase.size()) != steps) {
    throw InputError(fmt::format("{}: {} entries for {} steps", path, phase.size(), steps));
  }
  for (std::int64_t t = 0; t < steps; ++t) {
    const std::int64_t expected = t < meta.prefill_rows ? 0 : 1;
    if (phase[static_cast<std::size_t>(t)] != expected) {
      throw InputError(fmt::format("{}: [{}] is {}, but prefill_rows = {} makes it {}", path, t,
                                   phase[static_cast<std::size_t>(t)], meta.prefill_rows,
                                   expected));
    }
  }
}

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  file.close();
  if (!file) throw InputError(path + ": cannot be written");
}

NpyArray integers_array(NpyType type, const std::vector<std::int64_t>& values) {
  return {type, {static_cast<std::int64_t>(values.size())}, {values.begin(), values.end()}};
}

Json meta_json(const ScoreTrace& trace, const Json& sums) {
  Json meta = {{"format", kFormat}};
  for (const auto& row : kMetaTexts) meta[row.key] = trace.meta.*row.member;
  meta["layer_ids"] = trace.meta.layer_ids;
  for (const auto& row : kMetaIntegers) meta[row.key] = trace.meta.*row.member;
  meta["tie_break"] = kTieBreak;
  meta["dtype"] = npy_type_info(trace.scores.type).descr;
  meta["gen"] = trace.meta.gen;
  meta["sha256"] = sums;
  return meta;
}

}  // namespace

ScoreTrace read_score_trace(const std::string& directory) {
  const std::string meta_path = path_of(directory, "meta.json");
  const Json json = parse_json(read_input_file(meta_path), meta_path);
  const JsonPlace root(json, meta_path);
  const ArrayReader arrays(directory, root);
  ScoreTrace trace;
  trace.meta = read_meta(root);
  if (json.contains("gen")) trace.meta.gen = json["gen"];
  trace.scores = arrays.read("scores.npy");
  if (const auto dtype = root.find("dtype")) {
    require_text(*dtype, npy_type_info(trace.scores.type).descr);
  }
  trace.n_valid = arrays.integers("n_valid.npy", NpyType::kInt32);
  trace.pos = arrays.integers("pos.npy", NpyType::kInt32);
  if (arrays.has("sel.npy")) trace.sel = arrays.read("sel.npy");
  if (arrays.has("mass.npy")) trace.mass = arrays.read("mass.npy");
  check_score_trace(trace, directory);
  check_phase(arrays.integers("phase.npy", NpyType::kUint8), trace.meta, trace.steps(),
              path_of(directory, "phase.npy"));
  return trace;
}

void write_score_trace(const ScoreTrace& trace, const std::string& directory) {
  check_score_trace(trace, directory);
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw InputError(directory + ": cannot be made a directory");
  std::vector<std::int64_t> phase(static_cast<std::size_t>(trace.steps()), 1);
  std::fill_n(phase.begin(), trace.meta.prefill_rows, 0);
  Json sums = Json::object();
  const auto write = [&](const char* name, const NpyArray& array) {
    const std::string bytes = npy_bytes(array);
    sums[name] = sha256(bytes);
    write_file(path_of(directory, name), bytes);
  };
  write("scores.npy", trace.scores);
  write("n_valid.npy", integers_array(NpyType::kInt32, trace.n_valid));
  write("pos.npy", integers_array(NpyType::kInt32, trace.pos));
  write("phase.npy", integers_array(NpyType::kUint8, phase));
  const auto write_optional = [&](const char* name, const std::optional<NpyArray>& array) {
    if (array) return write(name, *array);
    std::filesystem::remove(path_of(directory, name));  // of a trace that was here before
  };
  write_optional("sel.npy", trace.sel);
  write_optional("mass.npy", trace.mass);
  write_file(path_of(directory, "meta.json"), meta_json(trace, sums).dump(2) + "\n");
}

}  // namespace lockstep
