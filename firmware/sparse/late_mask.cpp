#include "firmware/sparse/late_mask.h"

#include <map>
#include <tuple>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

// Lists number the tokens of a sequence each in its own way, but a key has one place for all.
using KeyPlace = std::tuple<std::int32_t, std::int32_t, std::size_t>;  // row, column, bank

template <typename Visit>
void each_token(const Stripes& stripes, const Visit& visit) {
  for (const auto& stripe : stripes.all()) {
    for (std::size_t bank = 0; bank < stripe.token_of.size(); ++bank) {
      if (stripe.token_of[bank] != kNoToken)
        visit(KeyPlace{stripe.row, stripe.column, bank}, stripe.token_of[bank]);
    }
  }
}

// From a list's numbers to those of the pass, `first` on, in the order of the list.
std::map<std::int32_t, std::int32_t> numbers_of(const Stripes& keys, std::int32_t first) {
  std::map<std::int32_t, std::int32_t> numbers;
  each_token(keys, [&](const KeyPlace&, std::int32_t token) { numbers[token] = 0; });
  for (auto& [token, number] : numbers) number = first++;
  return numbers;
}

void renumber(std::vector<PassChunk>& chunks, const std::map<std::int32_t, std::int32_t>& numbers) {
  for (auto& chunk : chunks) {
    for (auto& token : chunk.token_of) {
      if (token != kNoToken) token = numbers.at(token);
    }
  }
}

std::vector<PassChunk> chunks_of_kind(const Stripes& stripes, ChunkOf of,
                                      const std::map<std::int32_t, std::int32_t>& numbers) {
  auto result = chunks(stripes);
  renumber(result, numbers);
  for (auto& chunk : result) chunk.of = of;
  return result;
}

const Stripes& keys_of(const SequencePasses& passes, int channel_class) {
  return passes.stripes(channel_class, KvTensor::kKey);
}

}  // namespace

PassTokens scored_tokens(const SequencePasses& guess, int channel_class) {
  const auto& keys = keys_of(guess, channel_class);
  PassTokens tokens;
  tokens.chunks = chunks_of_kind(keys, ChunkOf::kKeys, numbers_of(keys, 0));
  tokens.tokens = static_cast<std::int32_t>(keys.tokens());
  tokens.keeps_scores = true;
  return tokens;
}

PassTokens remaining_tokens(const SequencePasses& guess, const SequencePasses& missed,
                            const SequencePasses& selected, int channel_class) {
  const auto& guessed_keys = keys_of(guess, channel_class);
  const auto& missed_keys = keys_of(missed, channel_class);
  PassTokens tokens;
  tokens.scored_before = static_cast<std::int32_t>(guessed_keys.tokens());
  tokens.tokens = tokens.scored_before + static_cast<std::int32_t>(missed_keys.tokens());

  const auto of_guess = numbers_of(guessed_keys, 0);
  const auto of_missed = numbers_of(missed_keys, tokens.scored_before);
  std::map<KeyPlace, std::int32_t> scored;
  each_token(guessed_keys, [&](const KeyPlace& place, std::int32_t token) {
    scored[place] = of_guess.at(token);
  });
  each_token(missed_keys, [&](const KeyPlace& place, std::int32_t token) {
    scored[place] = of_missed.at(token);
  });
  std::map<std::int32_t, std::int32_t> of_selected;
  each_token(keys_of(selected, channel_class), [&](const KeyPlace& place, std::int32_t token) {
    const auto found = scored.find(place);
    ensure(found != scored.end(), "a selected token was neither guessed nor missed");
    of_selected[token] = found->second;
  });

  tokens.chunks = chunks_of_kind(missed_keys, ChunkOf::kKeys, of_missed);
  const auto values = chunks_of_kind(selected.stripes(channel_class, KvTensor::kValue),
                                     ChunkOf::kValues, of_selected);
  tokens.chunks.insert(tokens.chunks.end(), values.begin(), values.end());
  return tokens;
}

}  // namespace lockstep
