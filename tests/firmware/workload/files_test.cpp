// Files that are no trace at all.
#include <streambuf>

#include <gtest/gtest.h>

#include "firmware/workload/line_reader.h"
#include "tests/firmware/workload/trace_text.h"

namespace lockstep {
namespace {

const std::string kHeader = "arrived_at,num_prefill_tokens,num_decode_tokens\n";

std::string refusal_of_file(const std::string& file) {
  try {
    read_requests(file, {});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(TraceFile, MustBeThereAndAFile) {
  EXPECT_EQ(refusal_of_file("no/such/trace.csv"),
            "no/such/trace.csv: expected a readable file, got: No such file or directory");
  const std::string folder = LOCKSTEP_SOURCE_DIR "/tests/data";
  EXPECT_EQ(refusal_of_file(folder), folder + ": expected a file, got a directory");
}

TEST(TraceFile, IsRefusedByWhatItReallyIs) {
  const std::pair<std::string, std::string> kRefused[] = {
      {std::string("\x1f\x8b\x08\x00", 4), "t: this is gzip data; decompress it first\n"},
      {"PK\x03\x04...", "t: this is a ZIP archive; unpack it first\n"},
      {"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n",
       "t: this is a Git LFS pointer, not the data; fetch it with `git lfs pull`\n"},
      {std::string("\xff\xfe"
                   "a\0,\0",
                   6),
       "t: this is UTF-16 text; save it as UTF-8\n"},
      {std::string("ELF\0x", 5),
       "t:1:1: a NUL byte: this is binary data or UTF-16, not UTF-8 text; got `ELF\\x00x`\n"},
      {"[{\"in\": 1}]\n",
       "t:1:1: a JSON array; expected one JSON object a line, or a CSV header\n"},
  };
  for (const auto& [text, message] : kRefused) EXPECT_EQ(refusal_of(text), message);
}

TEST(TraceFile, MustHaveARequest) {
  EXPECT_EQ(refusal_of(""),
            "no request accepted; t: no format, 0 lines, 0 requests accepted, 0 rejected\n");
  EXPECT_EQ(refusal_of("\n\n"),
            "no request accepted; t: no format, 2 lines, 0 requests accepted, 0 rejected\n");
  EXPECT_EQ(refusal_of(kHeader),
            "no request accepted; t: vidur, 1 lines, 0 requests accepted, 0 rejected\n");
  EXPECT_EQ(refusal_of("Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
                       "5,GPT-4,472,0,472,API log\n"),
            "no request accepted; t: burstgpt, 2 lines, 0 requests accepted, 1 rejected, 1 "
            "failed_request\n");
}

TEST(TraceFile, MustBeginLikeAKnownFormat) {
  const std::string known =
      "lockstep-csv, lockstep-jsonl, azure-llm-2023, mooncake, vllm-timed-trace, qwen-bailian, "
      "burstgpt, llmservingsim, vidur, vidur-lengths, onnxim\n";
  EXPECT_EQ(refusal_of("a;b;c\n1;2;3\n"),
            "t:1:1: expected the header or first object of a known format, got `a;b;c`; name the "
            "format: " +
                known);
  EXPECT_EQ(refusal_of(kHeader, with_format("vidor")),
            "unknown trace format `vidor`; known: " + known);
  EXPECT_EQ(refusal_of("arrived_at,num_decode_tokens\n", with_format("vidur")),
            "t:1:1: expected a header with `num_prefill_tokens` once, for format vidur "
            "(`arrived_at,num_prefill_tokens,num_decode_tokens`), got "
            "`arrived_at,num_decode_tokens`\n");
}

// An endless line that counts what is taken from it.
class EndlessLine : public std::streambuf {
 public:
  std::int64_t taken() const { return taken_; }

 protected:
  std::streamsize xsgetn(char* to, std::streamsize count) override {
    std::fill_n(to, count, 'a');
    taken_ += count;
    return count;
  }

 private:
  std::int64_t taken_ = 0;
};

TEST(TraceFile, IsNotReadOnWhenALineNeverEnds) {
  EndlessLine line;
  std::istream stream(&line);
  EXPECT_THROW(read_requests(stream, "t", {}), InputError);
  EXPECT_LE(line.taken(), 2 * static_cast<std::int64_t>(LineReader::kMaxLineBytes));
}

TEST(TraceFile, IsRefusedAtALineOfTenMegabytes) {
  EXPECT_EQ(refusal_of(kHeader + "1,1,1\n" + std::string(10'000'000, '7') + "\n"),
            "t:3:1: a line of more than 1048576 bytes; got `" + std::string(48, '7') + "...`\n");
}

TEST(TraceFile, TakesALineOfTheGreatestLength) {
  const std::string row = "1,1,1";
  const std::string padded = row + std::string(LineReader::kMaxLineBytes - row.size(), ' ');
  EXPECT_EQ(read_text(kHeader + padded + "\n").requests.size(), 1U);
  EXPECT_NE(refusal_of(kHeader + padded + " \n"), "");
}

TEST(TraceFile, TellsItsProgressInBytes) {
  std::istringstream stream(kHeader + "1,1,1\n");
  std::int64_t seen = 0;
  read_requests(stream, "t", {}, [&](std::int64_t bytes) { seen = bytes; });
  EXPECT_EQ(seen, static_cast<std::int64_t>(kHeader.size()) + 6);
}

}  // namespace
}  // namespace lockstep
