// Files and texts that are no configuration: one message each, at the right place, at once.
#include <ctime>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/configs/mistakes.h"
#include "tests/configs/temporary_folder.h"

namespace lockstep {
namespace {

struct BadSource {
  const char* name;
  std::string text;
  const char* message;  // after `c.yaml:`
};

class BadSources : public testing::TestWithParam<BadSource> {};

TEST_P(BadSources, GiveOneMessageAndNoneForTheKeysTheyHide) {
  const std::clock_t start = std::clock();  // of this process only: other load does not count
  const auto read = [](ConfigSection root) {
    root.required<int>("n");
    root.section("timing").required<Picoseconds>("tRP");
    root.require(false, "n", "never shown");
  };
  EXPECT_EQ(mistakes_in(GetParam().text, read), std::string("c.yaml:") + GetParam().message + "\n");
  EXPECT_LT(std::clock() - start, 5 * CLOCKS_PER_SEC);
}

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

const char* const kTooDeep = "1:35: expected at most 32 lists and maps within each other, got more";
const char* const kTooLarge = "1:1: expected a YAML file of at most 1 MiB, got a larger one";

INSTANTIATE_TEST_SUITE_P(
    Source, BadSources,
    testing::Values(
        BadSource{"Empty", "", "1:1: expected a map of keys, got an empty file"},
        BadSource{"Blank", " \n\n", "1:1: expected a map of keys, got an empty file"},
        BadSource{"Comments", "# a\n# b\n", "1:1: expected a map of keys, got an empty file"},
        BadSource{"Dashes", "# a\n---\n", "1:1: expected a map of keys, got an empty file"},
        BadSource{"List", "# a\n- 1\n- 2\n", "2:1: expected a map of keys, got a list"},
        BadSource{"Word", "hello\n", "1:1: expected a map of keys, got `hello`"},
        BadSource{"Nul", std::string("n: 1\nx: \0\n", 10),
                  "2:4: expected text, got a NUL byte: is the file binary?"},
        BadSource{"NotUtf8", "n: \xC3(\n",
                  "1:4: expected UTF-8 text, got another byte: is the "
                  "file binary?"},
        BadSource{"OverlongUtf8", "n: \xC0\x80\n",
                  "1:4: expected UTF-8 text, got another byte: is the file binary?"},
        BadSource{"SurrogateUtf8", "n: \xED\xA0\x80\n",
                  "1:4: expected UTF-8 text, got another byte: is the file binary?"},
        BadSource{"CutUtf8", "n: \xE2\x82",
                  "1:4: expected UTF-8 text, got another byte: is the file binary?"},
        BadSource{"Utf16", std::string("\xFF\xFEn\0:\0", 6),
                  "1:1: expected UTF-8 text, got another byte: is the file binary?"},
        BadSource{"Escape", "n: \x1B[0m\n", "1:4: expected text, got a control character"},
        BadSource{"Gzip", "\x1F\x8B\x08", "1:1: expected a YAML file, got a gzip file"},
        BadSource{"Zip", "PK\x03\x04", "1:1: expected a YAML file, got a zip file"},
        BadSource{"Lfs", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
                  "1:1: expected a YAML file, got a Git LFS pointer, whose file was not fetched"},
        BadSource{"Tab", "n: 1\ntiming:\n\ttRP: 1 ns\n",
                  "3:1: expected blanks in the indentation, got a tab"},
        BadSource{"TabAfterBlanks", "timing:\n  \ttRP: 1 ns\n",
                  "2:3: expected blanks in the indentation, got a tab"},
        BadSource{"Syntax", "n: 1\nm: [1, 2\n",
                  "3:1: expected YAML, got a syntax error: end of sequence flow not found"},
        BadSource{"MapInLine", "n: a: b\n",
                  "1:5: expected YAML, got a syntax error: illegal map value"},
        BadSource{"Quote", "n: \"a\n", "1:4: expected a value that ends on its line"},
        BadSource{"SingleQuote", "n: 'a''\nm: 1\n", "1:4: expected a value that ends on its line"},
        BadSource{"EscapedQuote", "n: \"a\\\"\n\"\n",
                  "1:4: expected a value that ends on its line"},
        BadSource{"ForgottenComma", "n: [1\n2]\n", "1:5: expected a value that ends on its line"},
        BadSource{"ForgottenColon", "n: 1\n  m 2\n", "1:4: expected a value that ends on its line"},
        BadSource{"BlockText", "n: |\n  1\n", "1:4: expected a value that ends on its line"},
        BadSource{"LoneTag", "n: ! 1\n", "1:4: expected a value that ends on its line"},
        BadSource{"LoneCarriageReturn", "n: 1\rm: 2\r",
                  "1:5: expected text, got a control character"},
        BadSource{"CharacterColumn", "é: é: x\n",
                  "1:5: expected YAML, got a syntax error: illegal map value"},
        BadSource{"FewerBlanks", " n: 1\nm: 2\n",
                  "2:1: expected one YAML document, got a second one: is the indentation right?"},
        BadSource{"Document", "n: 1\n---\nn: 2\n",
                  "2:1: expected one YAML document, got a second one: is the indentation right?"},
        BadSource{"MergeKey", "<<: {n: 1}\n", "1:1: expected a key, got the merge key `<<`"},
        BadSource{"ListAsKey", "? [n]\n: 1\n",
                  "1:3: expected a word as a key, got a list or map: is a bracket left open?"},
        BadSource{"OpenBrace", "{n: 1\n",
                  "1:1: expected a word as a key, got a list or map: is a bracket left open?"},
        BadSource{"NoKey", ": 1\n", "1:1: expected a key, got nothing"},
        BadSource{"FlowDepth", "n: " + repeated("[", 40) + repeated("]", 40), kTooDeep},
        BadSource{"BlockDepth", "n:\n" + repeated("- ", 2'000),
                  "2:63: expected at most 32 lists and maps within each other, got more"},
        BadSource{"Brackets", "n: " + repeated("[", 4'000),
                  "1:5: expected a word as a key, got a list or map: is a bracket left open?"},
        BadSource{"ManyLongLists",
                  "m:\n" + repeated("- [" + repeated("b, ", 1'350) + "]\n", 64) + "n: [\n",
                  "67:1: expected YAML, got a syntax error: end of sequence flow not found"},
        BadSource{"LongerLine", "n: 1\nm: " + std::string(4'094, 'x') + "\n",
                  "2:4097: expected a line of at most 4 KiB, got a longer one"},
        BadSource{"LongLine", "n: " + std::string(10'000'000, 'x') + "\n", kTooLarge},
        BadSource{"LongBlank", std::string(10'000'000, ' '), kTooLarge}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Source, RefusesAnchorsAliasesAndTagsOneByOne) {
  const auto read = [](ConfigSection root) {
    for (const char* key : {"a", "b", "c", "d"}) root.required<int>(key);
  };
  EXPECT_EQ(mistakes_in("a: &x 1\nb: *x\nc: !!int 3\nd: !mine 4\n", read),
            "c.yaml:1:4: expected a value without an anchor, got `&x`\n"
            "c.yaml:2:4: expected the value written out, got an alias (`*name`)\n"
            "c.yaml:3:4: expected a value without a tag, got `tag:yaml.org,2002:int`\n"
            "c.yaml:4:4: expected a value without a tag, got `!mine`\n");
}

TEST(Source, AFileOfAliasesUponAliasesCostsNoMoreThanItsBytes) {
  std::string text = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 60; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    text +=
        "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last + ", " + last + "]\n";
  }
  const std::string report = mistakes_in(text, [](ConfigSection) {});
  EXPECT_NE(report.find("c.yaml:60:18: expected the value written out"), std::string::npos);
}

TEST(Source, ATabElsewhereIsABlank) {
  const auto read = [](ConfigSection root) { EXPECT_EQ(root.required<int>("n"), 1); };
  EXPECT_EQ(mistakes_in("n: 1\t# one\n", read), "");
}

TEST(Source, ReadsCrLfLinesAByteOrderMarkAndNoFinalNewline) {
  const auto read = [](ConfigSection root) {
    EXPECT_EQ(root.required<int>("n"), 1);
    EXPECT_EQ(root.required<std::string>("w"), "é");
  };
  EXPECT_EQ(mistakes_in("\xEF\xBB\xBFn: 1\r\nw: é", read), "");
  EXPECT_EQ(mistakes_in("\xEF\xBB\xBFx: 1\r\n\r\nv: é", [](ConfigSection) {}),
            "c.yaml:1:1: unknown key `x`\nc.yaml:3:1: unknown key `v`\n");
}

TEST(Source, QuotesDoNotMatter) {
  const auto read = [](ConfigSection root) {
    EXPECT_EQ(root.required<int>("n"), 1);
    EXPECT_EQ(root.required<Picoseconds>("t"), Picoseconds{14'000});
    EXPECT_EQ(root.required<std::string>("null"), "null");
  };
  EXPECT_EQ(mistakes_in("n: '1'\n\"t\": \"14 ns\"\n\"null\": \"null\"\n", read), "");
}

TEST(Source, CutsALongValueAndEscapesControlCharacters) {
  const auto read = [](ConfigSection root) { root.required<int>("n"); };
  EXPECT_EQ(mistakes_in("n: " + repeated("é", 100) + "\n", read),
            "c.yaml:1:4: `n`: expected a whole number, got `" + repeated("é", 30) + "…`\n");
  EXPECT_EQ(mistakes_in("n: \"a\\e\\tb\"\n", read),
            "c.yaml:1:4: `n`: expected a whole number, got `a\\x1b\\tb`\n");
}

TEST(Source, ReportsFilesThatCannotBeRead) {
  const TemporaryFolder folder;
  const auto report = [](const std::string& file) {
    auto doc = ConfigDocument::from_file(file);
    doc.root().required<int>("n");
    return doc.mistakes();
  };
  EXPECT_EQ(report(folder.path("no.yaml")),
            folder.path("no.yaml") + ":1:1: expected a YAML file, cannot read `" +
                folder.path("no.yaml") + "`: No such file or directory\n");
  EXPECT_EQ(report(folder.path("")), folder.path("") + ":1:1: expected a YAML file, got the " +
                                         "directory `" + folder.path("") + "`\n");
}

TEST(Source, ReportsAFileThatMayNotBeRead) {
  const TemporaryFolder folder;
  const std::string secret = folder.write("secret.yaml", "n: 1\n");
  std::filesystem::permissions(secret, std::filesystem::perms::none);
  if (std::ifstream(secret)) GTEST_SKIP() << "this user may read everything";
  EXPECT_EQ(
      ConfigDocument::from_file(secret).mistakes(),
      secret + ":1:1: expected a YAML file, cannot read `" + secret + "`: Permission denied\n");
}

}  // namespace
}  // namespace lockstep
