#include "firmware/workload/line_reader.h"

#include <cstring>
#include <string_view>
#include <utility>

#include "firmware/workload/fields.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

struct Magic {
  std::string_view bytes;
  std::string_view what;
};

// First bytes of what people pass for a text trace. RFC 1952, APPNOTE.TXT, RFC 8878, xz and bzip2
// file formats, Apache Parquet, Unicode 23.8, Git LFS specification v1.
constexpr Magic kMagics[] = {
    {"\x1f\x8b", "gzip data; decompress it first"},
    {"PK\x03\x04", "a ZIP archive; unpack it first"},
    {"\x28\xb5\x2f\xfd", "Zstandard data; decompress it first"},
    {"\xfd\x37zXZ", "xz data; decompress it first"},
    {"BZh", "bzip2 data; decompress it first"},
    {"PAR1", "a Parquet file; export it as CSV or JSON lines"},
    {"\xff\xfe", "UTF-16 text; save it as UTF-8"},
    {"\xfe\xff", "UTF-16 text; save it as UTF-8"},
    {"version https://git-lfs", "a Git LFS pointer, not the data; fetch it with `git lfs pull`"},
};

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

}  // namespace

LineReader::LineReader(std::istream& stream, std::string name)
    : stream_(stream), name_(std::move(name)) {}

bool LineReader::next(std::string& line) {
  line.clear();
  if (begin_ == end_ && !refill()) return false;
  ++line_number_;
  while (true) {
    const char* from = buffer_.data() + begin_;
    const auto* end = static_cast<const char*>(std::memchr(from, '\n', end_ - begin_));
    const std::size_t length =
        (end != nullptr) ? static_cast<std::size_t>(end - from) : end_ - begin_;
    if (line.size() + length > kMaxLineBytes) {
      refuse("a line of more than " + std::to_string(kMaxLineBytes) + " bytes; got `" +
             excerpt({from, length}) + "`");
    }
    line.append(from, length);
    begin_ += length + ((end != nullptr) ? 1 : 0);
    if (end != nullptr || !refill()) break;
  }
  finish(line);
  return true;
}

bool LineReader::refill() {
  stream_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  begin_ = 0;
  end_ = static_cast<std::size_t>(stream_.gcount());
  bytes_read_ += static_cast<std::int64_t>(end_);
  if (stream_.bad()) throw InputError(name_ + ": cannot be read\n");
  return end_ != 0;
}

void LineReader::finish(std::string& line) const {
  if (line_number_ == 1) {
    for (const auto& [bytes, what] : kMagics) {
      if (starts_with(line, bytes))
        throw InputError(name_ + ": this is " + std::string(what) + "\n");
    }
    if (starts_with(line, kByteOrderMark)) line.erase(0, kByteOrderMark.size());
  }
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (line.find('\0') != std::string::npos) {
    refuse("a NUL byte: this is binary data or UTF-16, not UTF-8 text; got `" + excerpt(line) +
           "`");
  }
}

void LineReader::refuse(const std::string& message) const {
  throw InputError(name_ + ":" + std::to_string(line_number_) + ":1: " + message + "\n");
}

}  // namespace lockstep
