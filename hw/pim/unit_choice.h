// What computes for a bank: the golden model, the RTL, or both side by side.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

namespace lockstep {

enum class BankUnitKind : std::uint8_t { kModel, kRtl, kLockstep };
constexpr std::array<std::string_view, 3> kBankUnitKinds = {"model", "rtl", "lockstep"};

struct BankUnitChoice {
  BankUnitKind everywhere = BankUnitKind::kModel;
  std::map<std::pair<int, int>, BankUnitKind> exceptions;  // by domain and bank of the domain

  BankUnitKind of(int domain, int bank) const {
    const auto found = exceptions.find({domain, bank});
    return found != exceptions.end() ? found->second : everywhere;
  }
  bool only_models() const {
    if (everywhere != BankUnitKind::kModel) return false;
    for (const auto& [bank, kind] : exceptions) {
      if (kind != BankUnitKind::kModel) return false;
    }
    return true;
  }
};

}  // namespace lockstep
