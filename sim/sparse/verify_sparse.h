// Sparse attention on banks that compute: every repair mode from passes over real vectors, held
// against the serial pass on the same banks and against double precision.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/sparse/verify_case_sparse.h"

namespace lockstep {

struct SparseVerifyOptions {
  std::int64_t cases = 200;
  std::uint64_t seed = 0;
};

// What is compared, by the largest difference over the largest output of its head and query.
struct SparseComparisonRow {
  std::string_view name;
  std::string_view meaning;
};
constexpr std::array<SparseComparisonRow, 5> kSparseChecks = {{
    {"serial", "one pass over A on the banks, against double precision"},
    {"union", "passes over P and M merged, against one pass over P u A on the banks"},
    {"union, double", "the same, against double precision"},
    {"exact-partials", "a pass for each block of P, those of A merged with M, against serial"},
    {"exact-latemask", "K of P, then K of M and V of A with P \\ A masked out, against serial"},
}};

struct SparseVerifySummary {
  std::int64_t cases = 0;
  std::int64_t failed = 0;
  std::array<double, kSparseChecks.size()> worst{};
  std::int64_t open_blocks = 0;  // cases whose last block is not full
  std::vector<std::string> failures;
};

// A difference above kAttentionErrorBound fails a case.
SparseVerifySummary verify_sparse(const StackConfig& base, const SparseVerifyOptions& options);

}  // namespace lockstep
