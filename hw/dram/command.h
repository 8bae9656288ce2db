// The commands a controller issues. To add one: an enumerator, and its row in kCommands.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace lockstep {

// JESD238 mnemonics: `pb` is per bank, `ab` all banks, `sb` the same bank of every group. The PIM
// commands are this model's: ACTab and MACab work on all banks of the lockstep scope at once.
enum class Cmd : std::uint8_t {
  // clang-format off
  ACT, PREpb, PREab, RD, RDA, WR, WRA, REFab, REFpb,
  ACTab, MACab, ACTsb, MACsb, PREsb, WRGB, MVSB, MVGB, SFM,
  // clang-format on
};
constexpr std::size_t kCmdCount = 18;

// Which banks a command concerns. kLockstep is the all-bank scope of the configuration.
enum class Scope : std::uint8_t { kBank, kSameBank, kLockstep, kPseudoChannel };
enum class Bus : std::uint8_t { kRow, kColumn };
enum class RowEffect : std::uint8_t { kNone, kOpens, kCloses };
// What the row buffers must hold before the command.
enum class Needs : std::uint8_t { kNothing, kRowOpen, kClosed };

struct CommandTraits {
  Cmd cmd;
  std::string_view name;
  Scope scope;
  Bus bus;
  Needs needs;
  RowEffect effect;
  std::string_view meaning;  // quoted by docs/model.md
};

constexpr std::array<CommandTraits, kCmdCount> kCommands = {{
    // clang-format off
    {Cmd::ACT,   "ACT",   Scope::kBank,          Bus::kRow,    Needs::kClosed,  RowEffect::kOpens,  "open a row of one bank"},
    {Cmd::PREpb, "PREpb", Scope::kBank,          Bus::kRow,    Needs::kNothing, RowEffect::kCloses, "close the row of one bank"},
    {Cmd::PREab, "PREab", Scope::kLockstep,      Bus::kRow,    Needs::kNothing, RowEffect::kCloses, "close the rows of all banks of the scope"},
    {Cmd::RD,    "RD",    Scope::kBank,          Bus::kColumn, Needs::kRowOpen, RowEffect::kNone,   "read 32 B of one bank to the host"},
    {Cmd::RDA,   "RDA",   Scope::kBank,          Bus::kColumn, Needs::kRowOpen, RowEffect::kCloses, "read 32 B, then close the row"},
    {Cmd::WR,    "WR",    Scope::kBank,          Bus::kColumn, Needs::kRowOpen, RowEffect::kNone,   "write 32 B of one bank from the host"},
    {Cmd::WRA,   "WRA",   Scope::kBank,          Bus::kColumn, Needs::kRowOpen, RowEffect::kCloses, "write 32 B, then close the row"},
    {Cmd::REFab, "REFab", Scope::kPseudoChannel, Bus::kRow,    Needs::kClosed,  RowEffect::kNone,   "refresh all banks of a pseudo channel"},
    {Cmd::REFpb, "REFpb", Scope::kBank,          Bus::kRow,    Needs::kClosed,  RowEffect::kNone,   "refresh one bank"},
    {Cmd::ACTab, "ACTab", Scope::kLockstep,      Bus::kRow,    Needs::kClosed,  RowEffect::kOpens,  "open the same row in all banks of the scope"},
    {Cmd::MACab, "MACab", Scope::kLockstep,      Bus::kColumn, Needs::kRowOpen, RowEffect::kNone,   "multiply and accumulate one column in every bank of the scope"},
    {Cmd::ACTsb, "ACTsb", Scope::kSameBank,      Bus::kRow,    Needs::kClosed,  RowEffect::kOpens,  "open the same row in one bank of every group"},
    {Cmd::MACsb, "MACsb", Scope::kSameBank,      Bus::kColumn, Needs::kRowOpen, RowEffect::kNone,   "multiply and accumulate one column in one bank of every group"},
    {Cmd::PREsb, "PREsb", Scope::kSameBank,      Bus::kRow,    Needs::kNothing, RowEffect::kCloses, "close the rows of one bank of every group"},
    {Cmd::WRGB,  "WRGB",  Scope::kBank,          Bus::kColumn, Needs::kNothing, RowEffect::kNone,   "write 32 B from the host to the global buffer"},
    {Cmd::MVSB,  "MVSB",  Scope::kBank,          Bus::kColumn, Needs::kNothing, RowEffect::kNone,   "move 32 B of bank results to the buffer die"},
    {Cmd::MVGB,  "MVGB",  Scope::kBank,          Bus::kColumn, Needs::kNothing, RowEffect::kNone,   "move 32 B from the buffer die to a bank's scalar buffer"},
    {Cmd::SFM,   "SFM",   Scope::kPseudoChannel, Bus::kColumn, Needs::kNothing, RowEffect::kNone,   "start a softmax on the buffer die"},
    // clang-format on
}};

constexpr const CommandTraits& traits(Cmd cmd) {
  return kCommands[static_cast<std::size_t>(cmd)];
}

constexpr bool command_rows_match_enumerators() {
  for (std::size_t i = 0; i < kCmdCount; ++i) {
    if (kCommands[i].cmd != static_cast<Cmd>(i)) return false;
  }
  return true;
}
static_assert(command_rows_match_enumerators(), "kCommands lists every Cmd, in enumerator order");

// A set of commands, usable in constant expressions: CmdSet{Cmd::RD, Cmd::RDA}.
class CmdSet {
 public:
  constexpr CmdSet(std::initializer_list<Cmd> cmds) {
    for (const Cmd cmd : cmds) bits_ |= bit(cmd);
  }
  static constexpr CmdSet on(Bus bus) {
    CmdSet set{};
    for (const auto& row : kCommands) {
      if (row.bus == bus) set.bits_ |= bit(row.cmd);
    }
    return set;
  }
  constexpr bool contains(Cmd cmd) const { return (bits_ & bit(cmd)) != 0; }

 private:
  static_assert(kCmdCount <= 32);
  static constexpr std::uint32_t bit(Cmd cmd) { return 1U << static_cast<unsigned>(cmd); }
  std::uint32_t bits_ = 0;
};

}  // namespace lockstep
