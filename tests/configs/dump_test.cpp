// The canonical text reads back as the same tree; the hash sees values only.
#include "configs/dump.h"

#include <random>

#include <gtest/gtest.h>

#include "configs/parse.h"
#include "tests/configs/mistakes.h"

namespace lockstep {
namespace {

std::string dumped(const std::string& text) {
  const auto doc = ConfigDocument::from_text(text, "c.yaml");
  EXPECT_EQ(doc.mistakes(), "");
  return dump(doc.tree());
}

std::string hashed(const std::string& text) {
  const auto doc = ConfigDocument::from_text(text, "c.yaml");
  EXPECT_EQ(doc.mistakes(), "");
  return config_hash(doc.tree());
}

TEST(Dump, IsBlockStyleInSourceOrder) {
  EXPECT_EQ(dumped("# c\nz: {b: 1, a: '2'}\nl: [1, [x, y], {k: v, w: 3}, []]\nn: ~\ne: {}\n"),
            "z:\n  b: 1\n  a: 2\n"
            "l:\n  - 1\n  - - x\n    - y\n  - k: v\n    w: 3\n  - []\n"
            "n: null\ne: {}\n");
}

TEST(Dump, QuotesOnlyWhatYamlWouldReadOtherwise) {
  EXPECT_EQ(dumped("a: 14 ns\nb: -1.5\nc: x[3]\nd: /p/q-1.yaml\n"),
            "a: 14 ns\nb: -1.5\nc: x[3]\nd: /p/q-1.yaml\n");
  EXPECT_EQ(
      dumped("a: '- 1'\nb: ''\nc: 'null'\nd: 'x: y'\ne: 'x #y'\nf: \"\\t\\\"\\\\é\"\ng: ' x '\n"),
      "a: \"- 1\"\nb: \"\"\nc: \"null\"\nd: \"x: y\"\ne: \"x #y\"\nf: \"\\x09\\\"\\\\é\"\n"
      "g: \" x \"\n");
}

// Random trees over the texts most likely to be misread.
ConfigNode random_node(std::mt19937_64& random, int depth) {
  static constexpr std::string_view kTexts[] = {
      "",     "a",   "- x",   "-",   "-1",  "--- x", "null", "~",   "x: y", "x:",   "#",
      "x #y", "[1]", "{a}",   "]",   "a,b", "'",     "\"",   "\\",  "\n",   "a\nb", "\t x",
      " x",   "x ",  "é\x01", "&a",  "*a",  "!t",    "?",    "? a", "|",    ">",    "%x",
      "@x",   "`x`", "010",   "1e3", "yes", "=",     "<<x",  "...", "/"};
  ConfigNode node;
  node.kind = static_cast<ConfigNode::Kind>(1 + random() % (depth == 0 ? 2 : 4));
  const auto text = [&] { return std::string(kTexts[random() % std::size(kTexts)]); };
  if (node.is(ConfigNode::Kind::kScalar)) node.text = text();
  const auto children = random() % 4;
  for (std::uint64_t i = 0; i < children; ++i) {
    if (node.is(ConfigNode::Kind::kList)) node.items.push_back(random_node(random, depth - 1));
    if (node.is(ConfigNode::Kind::kMap)) {
      ConfigEntry entry;
      entry.key = std::to_string(i) + text();
      entry.value = random_node(random, depth - 1);
      node.entries.push_back(std::move(entry));
    }
  }
  return node;
}

TEST(Dump, ReadsBackAsTheSameText) {
  constexpr int kSeed = 11;
  std::mt19937_64 random(kSeed);
  for (int step = 0; step < 3000; ++step) {
    ConfigNode node = random_node(random, 4);
    const std::string text = dump(node);
    ConfigIssues issues;
    const ConfigNode back = parse_yaml(text, "c.yaml", issues);
    ASSERT_TRUE(issues.empty()) << issues[0].message << " at seed " << kSeed << ", step " << step
                                << "\n"
                                << text;
    ASSERT_EQ(dump(back), text) << "seed " << kSeed << ", step " << step;
    ASSERT_EQ(config_hash(back), config_hash(node)) << "seed " << kSeed << ", step " << step;
  }
}

TEST(ConfigHash, IsFnv1aOf64Bits) {
  // Test vectors of RFC 9923, appendix C.
  EXPECT_EQ(fnv1a_64(""), 0xCBF29CE484222325U);
  EXPECT_EQ(fnv1a_64("a"), 0xAF63DC4C8601EC8CU);
  EXPECT_EQ(fnv1a_64("foobar"), 0x85944171F73967E8U);
}

TEST(ConfigHash, IsThatOfTheDumpIfTheKeysAreSorted) {
  // Of the bytes "a" with a colon, a blank, "1" and a line feed, by an FNV written in Python.
  EXPECT_EQ(hashed("a: 1\n"), "c2dffb5d14281c4d");
}

TEST(ConfigHash, IgnoresCommentsLayoutQuotesAndTheOrderOfKeys) {
  const std::string hash = hashed("a: 1\nm:\n  x: [1, 2]\n  y: 14 ns\n");
  EXPECT_EQ(hashed("# c\nm: {y: '14 ns', x: [1, 2]} # d\n\na: \"1\"\n"), hash);
  EXPECT_NE(hashed("a: 1\nm:\n  x: [2, 1]\n  y: 14 ns\n"), hash);
  EXPECT_NE(hashed("a: 1\nm:\n  x: [1, 2]\n  y: 15 ns\n"), hash);
  EXPECT_NE(hashed("a: 1\nm:\n  x: [1, 2]\n  z: 14 ns\n"), hash);
}

TEST(ConfigHash, IgnoresWhetherAValueWasOverridden) {
  auto doc = ConfigDocument::from_text("a: 1\nm:\n  x: 3\n", "other.yaml");
  doc.set("m.x=4");
  doc.set("m.y=5");
  EXPECT_EQ(config_hash(doc.tree()), hashed("m: {y: 5, x: 4}\na: 1\n"));
}

}  // namespace
}  // namespace lockstep
