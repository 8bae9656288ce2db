// Everything `lockstep run` needs, read from one configuration.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "configs/config.h"
#include "configs/node.h"
#include "firmware/attention/attention_config.h"
#include "firmware/decode/decode_config.h"
#include "firmware/decode/kv_memory.h"
#include "firmware/sparse/sparse_config.h"
#include "firmware/workload/read_requests.h"
#include "firmware/workload/workload.h"
#include "hw/stack/channel_module.h"
#include "hw/stack/stack_config.h"

namespace lockstep {

struct ReplayConfig {
  ReadOptions options;
  std::int64_t running = 0;
};

struct RunConfig {
  std::string name;
  Detail detail = Detail::kStream;
  StackConfig stack;
  DecodeConfig decode;
  std::vector<std::string> policies;
  WorkloadConfig workload;
  ReplayConfig replay;
  ConfigNode tree;   // the resolved configuration: its values, and where each was written
  std::string hash;  // of the tree
  std::optional<AttentionConfig> attention;  // with a section `attention`: what is run instead
  std::optional<SparseConfig> sparse;        // with a section `dsa` as well: what is run instead
};

// What the command line adds to a configuration file.
struct ConfigSource {
  std::string file;
  std::vector<std::string> overrides;  // path=value
  std::optional<std::string> seed;
};

struct ResolvedConfig {
  std::string hash;
  std::string text;  // canonical YAML
};

// The document with the command line's overrides, for readers of a part of it.
ConfigDocument open_config(const ConfigSource& source);
// Makes the sections known that a reader of the stack alone has no use for.
void accept_run_sections(ConfigSection& root);

// The stack of a configuration, be it of a run or a memory preset. Throws ConfigError.
StackConfig load_stack_config(const ConfigSource& source);

// Both throw ConfigError with all mistakes. A configuration without `workload` is a memory preset,
// which can be resolved but not run.
RunConfig load_run_config(const ConfigSource& source);
ResolvedConfig resolve_config(const ConfigSource& source);

// Where the KV of a run lies. Throws as KvMemory's constructor.
KvMemory kv_memory(const RunConfig& config);

}  // namespace lockstep
