#include "hw/storage/bank_storage.h"

#include <algorithm>

#include "tlm/contract/errors.h"

namespace lockstep {

BankStorage::BankStorage(const Topology& topology, int columns, int column_bytes)
    : topology_(topology),
      columns_(columns),
      column_bytes_(column_bytes),
      rows_(static_cast<std::size_t>(topology.count(Level::kBank))) {}

std::size_t BankStorage::offset_of(const ColumnBytes& where) const {
  ensure(where.column >= 0 && where.column < columns_ && where.first_byte >= 0 &&
             where.bytes >= 0 && where.first_byte + where.bytes <= column_bytes_,
         "bytes of a bank were asked for across the end of a column or row");
  return static_cast<std::size_t>(where.column) * static_cast<std::size_t>(column_bytes_) +
         static_cast<std::size_t>(where.first_byte);
}

void BankStorage::read(const ColumnBytes& where, std::uint8_t* data) const {
  const std::size_t offset = offset_of(where);
  const auto& rows = rows_[static_cast<std::size_t>(topology_.index(Level::kBank, where.at))];
  const auto found = rows.find(where.row);
  if (found == rows.end()) {
    std::fill_n(data, where.bytes, std::uint8_t{0});
  } else {
    std::copy_n(found->second.get() + offset, where.bytes, data);
  }
}

void BankStorage::write(const ColumnBytes& where, const std::uint8_t* data) {
  const std::size_t offset = offset_of(where);
  auto& row = rows_[static_cast<std::size_t>(topology_.index(Level::kBank, where.at))][where.row];
  if (row == nullptr) {
    row = std::make_unique<std::uint8_t[]>(static_cast<std::size_t>(columns_) *
                                           static_cast<std::size_t>(column_bytes_));
    ++rows_held_;
  }
  std::copy_n(data, where.bytes, row.get() + offset);
}

}  // namespace lockstep
