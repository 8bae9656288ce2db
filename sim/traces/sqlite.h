// SQLite handles that release themselves.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace lockstep {

class SqliteDatabase {
 public:
  enum class Open : std::uint8_t { kNew, kReadOnly };
  // kNew replaces the file. InputError if it cannot be opened.
  SqliteDatabase(const std::string& path, Open how);
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;
  ~SqliteDatabase();

  void run(const char* sql);  // InputError if it fails
  bool run_quietly(const char* sql);
  void close();
  bool is_open() const { return db_ != nullptr; }
  [[noreturn]] void refuse() const;

 private:
  friend class SqliteStatement;
  std::string path_;
  sqlite3* db_ = nullptr;
};

class SqliteStatement {
 public:
  SqliteStatement(SqliteDatabase& database, const char* sql);
  SqliteStatement(const SqliteStatement&) = delete;
  SqliteStatement& operator=(const SqliteStatement&) = delete;
  ~SqliteStatement();

  // Binds the next parameter. Texts are copied by step().
  SqliteStatement& operator<<(std::int64_t value);
  SqliteStatement& operator<<(std::string_view text);
  // Runs the statement with what was bound, and makes it ready for the next time.
  void insert();
  // The next row of a query.
  bool next();
  std::int64_t number(int column) const;
  std::string_view text(int column) const;  // until next()

 private:
  SqliteDatabase& database_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

}  // namespace lockstep
