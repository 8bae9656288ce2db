#include "sim/traces/sqlite.h"

#include <cstdio>
#include <utility>

#include <sqlite3.h>

#include "tlm/contract/errors.h"
#include "tlm/contract/input_file.h"

namespace lockstep {

SqliteDatabase::SqliteDatabase(const std::string& path, Open how) : path_(path) {
  if (how == Open::kNew) {
    std::remove(path.c_str());
  } else {
    require_input_file(path);
  }
  const int flags =
      how == Open::kNew ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  if (sqlite3_open_v2(path.c_str(), &db_, flags, nullptr) == SQLITE_OK) return;
  const std::string why = sqlite3_errmsg(db_);
  sqlite3_close(db_);
  throw InputError(path + ": expected a database, got: " + why + "\n");
}

SqliteDatabase::~SqliteDatabase() {
  sqlite3_close_v2(db_);
}

void SqliteDatabase::refuse() const {
  throw InputError(path_ + ": " + sqlite3_errmsg(db_) + "\n");
}

void SqliteDatabase::run(const char* sql) {
  if (!run_quietly(sql)) refuse();
}

bool SqliteDatabase::run_quietly(const char* sql) {
  return sqlite3_exec(db_, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

void SqliteDatabase::close() {
  if (sqlite3_close(db_) != SQLITE_OK) refuse();
  db_ = nullptr;
}

SqliteStatement::SqliteStatement(SqliteDatabase& database, const char* sql) : database_(database) {
  if (sqlite3_prepare_v2(database.db_, sql, -1, &statement_, nullptr) != SQLITE_OK)
    database.refuse();
}

SqliteStatement::~SqliteStatement() {
  sqlite3_finalize(statement_);
}

SqliteStatement& SqliteStatement::operator<<(std::int64_t value) {
  sqlite3_bind_int64(statement_, ++bound_, value);
  return *this;
}

SqliteStatement& SqliteStatement::operator<<(std::string_view text) {
  sqlite3_bind_text(statement_, ++bound_, text.data(), static_cast<int>(text.size()),
                    SQLITE_STATIC);
  return *this;
}

void SqliteStatement::insert() {
  const int result = sqlite3_step(statement_);
  sqlite3_reset(statement_);
  bound_ = 0;
  if (result != SQLITE_DONE) database_.refuse();
}

bool SqliteStatement::next() {
  const int result = sqlite3_step(statement_);
  if (result != SQLITE_ROW && result != SQLITE_DONE) database_.refuse();
  return result == SQLITE_ROW;
}

std::int64_t SqliteStatement::number(int column) const {
  return sqlite3_column_int64(statement_, column);
}

std::string_view SqliteStatement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  if (text == nullptr) return {};
  return {text, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

}  // namespace lockstep
