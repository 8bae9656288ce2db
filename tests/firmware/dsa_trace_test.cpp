// Score traces: files written by numpy come back value for value and byte for byte, and each way in
// which a trace can be wrong has its message.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "firmware/dsa/sha256.h"
#include "firmware/dsa/trace_files.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

const std::string kTiny = LOCKSTEP_SOURCE_DIR "/tests/data/dsa/trace_tiny";

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void put(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string refusal_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

std::string without_sums(const std::string& meta) {
  return meta.substr(0, meta.find(",\n  \"sha256\"")) + "\n}\n";
}

class Trace : public testing::Test {
 protected:
  void SetUp() override {
    const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
    directory = fs::path(testing::TempDir()) / ("lockstep_" + test);
    fs::remove_all(directory);
    fs::copy(kTiny, directory, fs::copy_options::recursive);
    for (const auto& entry : fs::directory_iterator(directory)) {
      fs::permissions(entry.path(), fs::perms::owner_write, fs::perm_options::add);
    }
    // Without the sums, so that a spoilt array is found by its contents.
    const std::string meta = bytes_of(directory / "meta.json");
    put(directory / "meta.json", without_sums(meta));
  }
  void TearDown() override { fs::remove_all(directory); }

  std::string refusal() const {
    std::string text = refusal_of([this] { read_score_trace(directory.string()); });
    for (auto at = text.find(directory.string()); at != std::string::npos;
         at = text.find(directory.string())) {
      text.replace(at, directory.string().size(), "trace");
    }
    return text;
  }

  void spoil_meta(const std::string& from, const std::string& to) const {
    put(directory / "meta.json", without_sums(with(bytes_of(kTiny + "/meta.json"), from, to)));
  }

  void spoil(const char* name, const std::function<void(NpyArray&)>& change) const {
    NpyArray array = parse_npy(bytes_of(kTiny + "/" + name), name);
    change(array);
    put(directory / name, npy_bytes(array));
  }

  fs::path directory;
};

TEST_F(Trace, WrittenByNumpyIsReadValueForValue) {
  const ScoreTrace trace = read_score_trace(kTiny);
  EXPECT_EQ(trace.scores.shape, (std::vector<std::int64_t>{5, 1, 2, 6}));
  EXPECT_EQ(trace.n_valid, (std::vector<std::int64_t>{4, 4, 4, 4, 5}));
  EXPECT_EQ(trace.meta.layer_ids, std::vector<std::int64_t>{2});
  EXPECT_EQ(trace.meta.k_dyn, 2);
  for (int head = 0; head < 2; ++head) {
    const ScoreSeries series = trace.series(0, head);
    for (int step = 0; step < 5; ++step) {
      for (int block = 0; block < 6; ++block) {
        const double score = series.row(step)[static_cast<std::size_t>(block)];
        const bool scored = block > 0 && block < trace.n_valid[static_cast<std::size_t>(step)];
        ASSERT_EQ(!std::isnan(score), scored);
        if (!scored) continue;
        const double formula = (7 * step + 3 * head + 5 * block) % 8 / 4.0 + 0.1 * head;
        EXPECT_NEAR(score, formula, 0.001) << "fp16 keeps ten bits below 2";
      }
    }
  }
}

TEST_F(Trace, IsWrittenByteForByteAsNumpyWrites) {
  write_score_trace(read_score_trace(kTiny), (directory / "copy").string());
  for (const char* name : {"scores.npy", "n_valid.npy", "pos.npy", "phase.npy", "sel.npy"}) {
    EXPECT_EQ(bytes_of(directory / "copy" / name), bytes_of(kTiny + "/" + name)) << name;
  }
  const auto ours = nlohmann::json::parse(bytes_of(directory / "copy" / "meta.json"));
  EXPECT_EQ(ours, nlohmann::json::parse(bytes_of(kTiny + "/meta.json")));
}

TEST_F(Trace, GeneratedOneComesBackFromItsDirectory) {
  ProcessConfig config;
  config.process = "drift";
  config.selector = kSelectorDefaults[0];
  config.context_tokens = 4096;
  config.decode_steps = 24;
  config.calibration_rows = 8;
  config.target_reuse_ratio = 0.68;
  const ScoreTrace made = generate_score_trace(config, 2, 3);
  EXPECT_EQ(made.scores.shape, (std::vector<std::int64_t>{32, 2, 3, 257}));
  EXPECT_TRUE(made.meta.gen["target_reached"].get<bool>());
  write_score_trace(made, directory.string());
  const ScoreTrace read = read_score_trace(directory.string());
  ASSERT_EQ(read.scores.values.size(), made.scores.values.size());
  for (std::size_t i = 0; i < made.scores.values.size(); ++i) {
    const bool both_nan = std::isnan(made.scores.values[i]) && std::isnan(read.scores.values[i]);
    ASSERT_TRUE(both_nan || made.scores.values[i] == read.scores.values[i]) << i;
  }
  EXPECT_EQ(read.pos, made.pos);
  EXPECT_EQ(read.meta.gen, made.meta.gen);
}

TEST_F(Trace, NamesWhatIsWrongInMetaJson) {
  const auto refusal_with = [this](const char* from, const char* to) {
    spoil_meta(from, to);
    return refusal();
  };
  EXPECT_EQ(refusal_with("dsa-trace/1", "dsa-trace/2"),
            "trace/meta.json: format: expected `dsa-trace/1`, got \"dsa-trace/2\"");
  EXPECT_EQ(refusal_with("\"k_dyn\": 2", "\"k_dyn\": 0"),
            "trace/meta.json: k_dyn: expected an integer from 1 to 1099511627776, got 0");
  EXPECT_EQ(refusal_with("  \"k_dyn\": 2,\n", ""), "trace/meta.json: missing key `k_dyn`");
  EXPECT_EQ(refusal_with("\"k_dyn\"", "\"k_dny\""), "trace/meta.json: unknown key `k_dny`");
  EXPECT_EQ(refusal_with("score_desc_id_asc", "whatever"),
            "trace/meta.json: tie_break: expected `score_desc_id_asc`, got \"whatever\"");
  EXPECT_EQ(refusal_with("\"<f2\"", "\"<f4\""),
            "trace/meta.json: dtype: expected `<f2`, got \"<f4\"");
  EXPECT_EQ(refusal_with("\"kv_heads\": 2", "\"kv_heads\": 3"),
            "trace: kv_heads is 3, scores hold 2");
  EXPECT_EQ(refusal_with("\"prefill_rows\": 2", "\"prefill_rows\": 5"),
            "trace: prefill_rows is 5, which leaves none of 5 steps for decoding");
  EXPECT_EQ(refusal_with("\"prefill_rows\": 2", "\"prefill_rows\": 3"),
            "trace/phase.npy: [2] is 1, but prefill_rows = 3 makes it 0");
  EXPECT_EQ(refusal_with("\"block_tokens\": 4", "\"block_tokens\": 5"),
            "trace: n_valid[0] is 4, but pos[0] = 16 fills 3 blocks of 5 tokens");
  fs::remove(directory / "meta.json");
  EXPECT_EQ(refusal(), "trace/meta.json: expected a readable file, got: No such file or directory");
}

TEST_F(Trace, NamesWhatIsWrongInAnArray) {
  spoil("scores.npy", [](NpyArray& a) { a.values[1] = INFINITY; });
  EXPECT_EQ(refusal(), "trace: scores[0,0,0,1] is infinite; a forced block is NaN");
  spoil("scores.npy", [](NpyArray& a) { a.values[5] = 1; });
  EXPECT_EQ(refusal(), "trace: scores[0,0,0,5] is a score, but only 4 blocks are complete");
  spoil("scores.npy", [](NpyArray& a) { a.shape = {5, 2, 6}; });
  EXPECT_EQ(refusal(), "trace: scores: expected shape [steps, layers, heads, blocks]");
  spoil("scores.npy", [](NpyArray&) {});
  spoil("sel.npy", [](NpyArray& a) { a.values[0] = 2; });
  EXPECT_EQ(refusal(), "trace: sel[0,0,0] is not the top 2 of the scores");
  spoil("sel.npy", [](NpyArray& a) { std::swap(a.values[0], a.values[1]); });
  EXPECT_EQ(refusal(), "trace: sel[0,0,0] is not ascending, padded with -1 at its end");
  fs::remove(directory / "sel.npy");
  EXPECT_EQ(refusal(), "accepted") << "the selection is optional";
  spoil("pos.npy", [](NpyArray& a) { a.type = NpyType::kFloat32; });
  EXPECT_EQ(refusal(), "trace/pos.npy: expected one dimension of <i4");
  fs::remove(directory / "pos.npy");
  EXPECT_EQ(refusal(), "trace/pos.npy: expected a readable file, got: No such file or directory");
}

TEST_F(Trace, ArrayThatIsNotTheOneMetaJsonKnowsIsRefused) {
  fs::copy_file(kTiny + "/meta.json", directory / "meta.json",
                fs::copy_options::overwrite_existing);
  EXPECT_EQ(refusal(), "accepted");
  spoil("scores.npy", [](NpyArray& a) { a.values[1] += 0.25; });
  EXPECT_EQ(refusal(), "trace/scores.npy: its SHA-256 is not the one in meta.json");
}

TEST(Npy, NamesWhatIsWrongInAFile) {
  const std::string good = npy_bytes({NpyType::kFloat32, {2, 3}, {1, 2, 3, 4, 5, 6}});
  const auto refusal = [](const std::string& bytes) {
    return refusal_of([&bytes] { parse_npy(bytes, "x.npy"); });
  };
  EXPECT_EQ(refusal(good), "accepted");
  const char* no_npy = "x.npy: not a .npy file: it does not begin with \\x93NUMPY and a version";
  EXPECT_EQ(refusal(""), no_npy);
  EXPECT_EQ(refusal("version https://git-lfs.github.com/spec/v1"), no_npy);
  EXPECT_EQ(refusal(good.substr(0, 8)), no_npy);
  EXPECT_EQ(refusal(good.substr(0, 6) + "\x02" + good.substr(7)),
            "x.npy: .npy version 2.0; only 1.0 is read");
  EXPECT_EQ(refusal(good.substr(0, 40)), "x.npy: the file ends within the .npy header");
  EXPECT_EQ(refusal(good.substr(0, good.size() - 1)),
            "x.npy: 23 bytes of data, but shape (2, 3) of <f4 needs 24");
  EXPECT_EQ(refusal(good + "x"), "x.npy: 25 bytes of data, but shape (2, 3) of <f4 needs 24");
  EXPECT_EQ(refusal(with(good, "<f4", ">f4")),
            "x.npy: element type `>f4`; known: <f2, <f4, <f8, <i4, |u1");
  EXPECT_EQ(refusal(with(good, "False", "True ")), "x.npy: Fortran order; C order is needed");
  EXPECT_EQ(refusal(with(good, "'shape'", "'shade'")), "x.npy: unknown .npy header key `shade`");
  EXPECT_EQ(refusal(with(good, "(2, 3)", "(2,-3)")),
            "x.npy: unreadable .npy header at `-3), }              `");
  EXPECT_EQ(refusal(with(good, "(2, 3), }       ", "(99999, 99999), }")).substr(0, 35),
            "x.npy: more than 2^32 elements");
}

TEST(Npy, KeepsEveryValueOfEveryType) {
  const double odd = std::numeric_limits<double>::denorm_min();
  const NpyArray arrays[] = {
      {NpyType::kFloat16, {3}, {-0.5, 65504, 0x1p-24}},
      {NpyType::kFloat32, {1, 2}, {0x1.fffffep127, -0x1p-149}},
      {NpyType::kFloat64, {2}, {odd, -1e300}},
      {NpyType::kInt32, {2}, {-2147483648.0, 2147483647}},
      {NpyType::kUint8, {2}, {0, 255}},
      {NpyType::kFloat64, {0}, {}},
      {NpyType::kFloat64, {}, {7}},
  };
  for (const auto& array : arrays) {
    const NpyArray back = parse_npy(npy_bytes(array), "x");
    EXPECT_EQ(back.shape, array.shape);
    EXPECT_EQ(back.values, array.values);
    EXPECT_EQ(npy_bytes(array).find('\n') % 64, 63U) << "data begins at a multiple of 64";
  }
}

// Just above the middle of 1 and its neighbour 1 + 2^-10: rounded to fp32 first, it would be a tie.
TEST(Npy, AValueIsRoundedToHalfOnce) {
  const NpyArray array{NpyType::kFloat16, {1}, {1 + 0x1p-11 + 0x1p-40}};
  EXPECT_EQ(parse_npy(npy_bytes(array), "x").values[0], 1 + 0x1p-10);
}

TEST(Sha256, IsThatOfTheStandard) {
  // FIPS 180-4 example vectors.
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

const std::string kCsv =
    "step,phase,layer,head,block,score\r\n"
    "0,0,0,0,0,1.5\r\n"
    "0,0,0,0,1,2\r\n"
    "1,1,0,0,0,-3e-1\r\n"
    "1,1,0,0,2,4";  // no newline at the end

ScoreTrace csv(const std::string& text) {
  TraceMeta meta;
  meta.block_tokens = 16;
  meta.k_dyn = 1;
  return parse_trace_csv(text, "t.csv", meta);
}

TEST(TraceCsv, ListsWhatCanBeChosen) {
  const ScoreTrace trace = csv(kCsv);
  EXPECT_EQ(trace.scores.shape, (std::vector<std::int64_t>{2, 1, 1, 3}));
  EXPECT_EQ(trace.meta.prefill_rows, 1);
  EXPECT_EQ(trace.n_valid, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(trace.pos, (std::vector<std::int64_t>{32, 48}));
  EXPECT_EQ(trace.series(0, 0).row(1)[0], -0.3);
  EXPECT_TRUE(std::isnan(trace.series(0, 0).row(1)[1]));
}

TEST(TraceCsv, NamesTheLineOfAMistake) {
  const auto refusal = [](const std::string& text) { return refusal_of([&] { csv(text); }); };
  EXPECT_EQ(refusal(""), "t.csv:1: expected the header `step,phase,layer,head,block,score`");
  EXPECT_EQ(refusal("step,phase,layer,head,block,score\n"), "t.csv:1: no scores after the header");
  EXPECT_EQ(refusal(kCsv + "\n\n1,1,0,0,1,1"), "t.csv:6: expected 6 columns, got 1: ``");
  EXPECT_EQ(refusal(with(kCsv, "0,1,2\r", "0,1,two\r")), "t.csv:3: `two` is no score");
  EXPECT_EQ(refusal(with(kCsv, "0,1,2\r", "0,1,nan\r")), "t.csv:3: a score must be finite");
  EXPECT_EQ(refusal(with(kCsv, "0,1,2\r", "0, 1,2\r")), "t.csv:3: ` 1` is no block");
  EXPECT_EQ(refusal(with(kCsv, "0,1,2\r", "0,-1,2\r")),
            "t.csv:3: block -1 is not from 0 to 1048576");
  EXPECT_EQ(refusal(with(kCsv, "0,1,2\r", "0,0,2\r")), "t.csv:3: this score was given before");
  EXPECT_EQ(refusal(with(kCsv, "1,1,0,0,2", "1,0,0,0,2")),
            "t.csv:4: phase must be 0 in the leading steps and 1 in the others");
  EXPECT_EQ(refusal("step,phase,layer,head,block,score\n0,1,0,0,0,1"),
            "t.csv:1: needs steps of phase 0 and of phase 1");
}

}  // namespace
}  // namespace lockstep
