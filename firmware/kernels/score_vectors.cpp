#include "firmware/kernels/score_vectors.h"

#include <iterator>
#include <variant>

#include <fmt/format.h>

#include "firmware/kernels/sequence_stream.h"
#include "tlm/contract/errors.h"

namespace lockstep {

Score score_of(const ScoreVector& vector, const StackGeometry& geometry) {
  auto map = AddressMap::parse(vector.address_map, geometry);
  ensure(std::holds_alternative<AddressMap>(map), "a score vector has an address map");
  const KvLayout layout(std::get<AddressMap>(std::move(map)), geometry, vector.shape);
  SequenceStream stream(layout, vector.reorder);
  stream.append_tokens(vector.blocks, vector.tokens);
  return stream.score();
}

std::string score_csv(Span<ScoreVector> vectors, const StackGeometry& geometry,
                      const FormulaTiming& timing) {
  std::string csv = "index,bursts,commands,hits,m1,m2,m3_gbps\n";
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const auto score = score_of(vectors[i], geometry);
    fmt::format_to(std::back_inserter(csv), "{},{},{},{},{:.12f},{:.12f},{:.6f}\n", i, score.bursts,
                   score.commands, score.hits, row_hit_ratio(score),
                   bank_participation(score, geometry), bandwidth_gbps(score, geometry, timing));
  }
  return csv;
}

}  // namespace lockstep
