// The attention passes of one sequence, kept up to date as tokens come: a token that finds its
// stripe costs a table entry, a new stripe the runs of its channel class.
#pragma once

#include <cstdint>
#include <vector>

#include "firmware/attention/pass_runs.h"
#include "tlm/contract/span.h"

namespace lockstep {

// What the numbers in the banks have to be multiplied by: those of quantized K and V.
struct KvScales {
  double key = 1;
  double value = 1;
};

// All that passes depend on, save the tokens.
struct PassPlan {
  const KvTensorMap& map;           // outlives its users
  std::vector<QueryGroup> queries;  // passes of a head
  KvScales scales = {};
  int passes() const {  // of a domain
    return map.local_heads() * static_cast<int>(queries.size());
  }
};

class SequencePasses {
 public:
  explicit SequencePasses(const PassPlan& plan);

  // Makes the passes those of the first `tokens` tokens of `blocks`. Reads only what is new if
  // `table_version` is that of the last call and the sequence did not shrink.
  void resync(Span<BlockId> blocks, std::int64_t tokens, std::uint64_t table_version);
  // Those of any list of blocks in the order given, all full but the last.
  void assign(Span<BlockId> blocks, std::int64_t tokens_in_last);

  std::int64_t tokens() const { return tokens_; }
  // Whether a class holds a token; its passes may be asked for only then.
  bool has_tokens(int channel_class) const { return of_class(channel_class).keys.tokens() > 0; }
  const Stripes& stripes(int channel_class, KvTensor tensor) const;
  // Pass i of every domain of the class: local head i / queries.size(), group i % queries.size().
  const PassRuns& runs(int channel_class, int pass) const;
  // The chunk of PassData at which the chunks of V begin: 0 where V lies in the banks of K.
  int first_value_chunk(int channel_class) const;

 private:
  struct ClassPasses {
    explicit ClassPasses(int banks) : keys(banks), values(banks) {}
    Stripes keys;
    Stripes values;  // of the interleaved layout; else V mirrors K
    mutable std::vector<PassRuns> runs;
    mutable bool stale = true;
    mutable std::int64_t elements_of = 0;  // tokens that the softmax runs were made for
  };

  const ClassPasses& of_class(int channel_class) const {
    return classes_[static_cast<std::size_t>(channel_class)];
  }
  void append(Span<BlockId> blocks, std::int64_t tokens);
  void clear();
  void refresh(const ClassPasses& passes, int channel_class) const;
  bool mirrored() const { return plan_->map.shape().layout == KvTensorLayout::kSplit; }

  const PassPlan* plan_;
  std::vector<ClassPasses> classes_;
  std::int64_t tokens_ = 0;
  std::uint64_t table_version_ = 0;
};

}  // namespace lockstep
