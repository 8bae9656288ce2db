// Replays an operation log on our policy. The recorded ids are not looked at: what a sequence gives
// back is what our policy gave it.
#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "firmware/kv/oplog_names.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::string_view kSharedScratch = "_shared_scratch";

struct NamedKind {
  std::string_view name;
  OplogKind kind;
};
constexpr NamedKind kKinds[] = {
    {"admit", OplogKind::kAdmit},     {"append", OplogKind::kAppend},
    {"scratch", OplogKind::kScratch}, {"unref", OplogKind::kUnref},
    {"release", OplogKind::kRelease},
};

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

class Replay {
 public:
  explicit Replay(const Oplog& log)
      : allocator_(make_kv_allocator(policy_of(log.policy), log.pool)) {}

  // The blocks that the operation took or gave, nullopt if it could not.
  std::optional<std::vector<BlockId>> run(const OplogOperation& operation) {
    auto blocks = operation.kind == OplogKind::kAdmit ? admit(operation) : follow(operation);
    allocator_->check_conservation();
    return blocks;
  }

 private:
  std::optional<std::vector<BlockId>> admit(const OplogOperation& operation) {
    auto blocks = allocator_->admit(operation.sequence, operation.blocks, operation.final_blocks);
    if (blocks) live_[operation.sequence].table = *blocks;
    return blocks;
  }

  std::optional<std::vector<BlockId>> follow(const OplogOperation& operation) {
    const auto found = live_.find(operation.sequence);
    if (found == live_.end()) return std::nullopt;
    auto& [table, scratch] = found->second;
    switch (operation.kind) {
      case OplogKind::kAdmit:
        break;
      case OplogKind::kAppend: {
        const auto block = allocator_->append(operation.sequence);
        if (!block) return std::nullopt;
        table.push_back(*block);
        return std::vector<BlockId>{*block};
      }
      case OplogKind::kScratch:
        scratch = allocator_->scratch(operation.sequence, operation.blocks);
        return scratch;
      case OplogKind::kUnref: {
        auto given = std::move(scratch);
        scratch.reset();
        if (given) allocator_->unref(*given);
        return given;
      }
      case OplogKind::kRelease: {
        auto given = std::move(table);
        live_.erase(found);
        allocator_->release(operation.sequence, given);
        return given;
      }
    }
    return std::nullopt;
  }

  struct Live {
    std::vector<BlockId> table;
    std::optional<std::vector<BlockId>> scratch;
  };
  std::unique_ptr<KvAllocator> allocator_;
  std::map<SequenceId, Live> live_;
};

}  // namespace

std::optional<OplogKind> kind_of(std::string_view name) {
  for (const auto& kind : kKinds) {
    if (kind.name == name) return kind.kind;
  }
  return std::nullopt;
}

std::string_view name_of(OplogKind kind) {
  const auto found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                  [kind](const NamedKind& row) { return row.kind == kind; });
  ensure(found != std::end(kKinds), "an operation has no name");
  return found->name;
}

std::string known_kinds() {
  std::string names;
  for (const auto& kind : kKinds) names += (names.empty() ? "" : ", ") + std::string(kind.name);
  return names;
}

std::string policy_of(const std::string& oplog_policy) {
  auto name = oplog_policy;
  if (ends_with(name, kSharedScratch)) name.resize(name.size() - kSharedScratch.size());
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

ScratchPlacement scratch_of(std::string_view oplog_policy) {
  return ends_with(oplog_policy, kSharedScratch) ? ScratchPlacement::kShared
                                                 : ScratchPlacement::kSeparate;
}

std::string replay(const Oplog& log) {
  Replay replayed(log);
  auto operations = Json::array();
  for (const auto& operation : log.operations) {
    const auto blocks = replayed.run(operation);
    operations.push_back({name_of(operation.kind), operation.sequence, operation.blocks,
                          blocks ? Json(*blocks) : Json(nullptr)});
  }
  const Json line = {{"policy", log.policy},
                     {"pool_blocks", log.pool.pool_blocks},
                     {"blocks_per_region", log.pool.blocks_per_region},
                     {"ops", operations}};
  return line.dump();
}

}  // namespace lockstep
