// The bytes of the banks of one lockstep domain. A row takes memory once it is written to; what was
// never written reads as zeros.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "hw/dram/topology.h"

namespace lockstep {

// Bytes of one column of one bank.
struct ColumnBytes {
  BankAddress at;
  std::int32_t row = 0;
  std::int32_t column = 0;
  int first_byte = 0;
  int bytes = 0;
};

class BankStorage {
 public:
  BankStorage(const Topology& topology, int columns, int column_bytes);

  // Both require that `where` lies in one column; `data` has `where.bytes` bytes.
  void read(const ColumnBytes& where, std::uint8_t* data) const;
  void write(const ColumnBytes& where, const std::uint8_t* data);

  std::int64_t rows_held() const { return rows_held_; }

 private:
  std::size_t offset_of(const ColumnBytes& where) const;

  Topology topology_;
  int columns_;
  int column_bytes_;
  std::int64_t rows_held_ = 0;
  std::vector<std::unordered_map<std::int32_t, std::unique_ptr<std::uint8_t[]>>> rows_;  // by bank
};

}  // namespace lockstep
