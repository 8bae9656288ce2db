// `extends`: which value wins, where each is said to be, and the ways in which a chain of files
// fails.
#include <filesystem>

#include <gtest/gtest.h>

#include "configs/dump.h"
#include "tests/configs/mistakes.h"
#include "tests/configs/temporary_folder.h"

namespace lockstep {
namespace {

class Extends : public testing::Test {
 protected:
  // The report on `file` after `read`, with the folder taken out of every name.
  template <typename Read>
  std::string mistakes(const std::string& file, Read read) {
    ConfigDocument doc = ConfigDocument::from_file(folder.path(file));
    read(doc.root());
    std::string report = doc.mistakes();
    const std::string prefix = folder.path("");
    for (auto at = report.find(prefix); at != std::string::npos; at = report.find(prefix)) {
      report.erase(at, prefix.size());
    }
    return report;
  }
  std::string mistakes(const std::string& file) {
    return mistakes(file, [](ConfigSection root) {
      for (const char* key : {"a", "b", "t"}) root.accept(key);
    });
  }
  std::string dumped(const std::string& file) {
    return dump(ConfigDocument::from_file(folder.path(file)).tree());
  }

  TemporaryFolder folder;
};

TEST_F(Extends, MergesMapsAndReplacesTheRest) {
  folder.write("base.yaml", "a: 1\nt:\n  x: 1 ns\n  y: 2 ns\n  l: [1, 2]\nz: last\n");
  folder.write("c.yaml", "extends: base.yaml\nt:\n  y: 3 ns\n  new: 4\n  l: [3]\na: 5\nb: 6\n");
  EXPECT_EQ(mistakes("c.yaml",
                     [](ConfigSection root) {
                       for (const char* key : {"a", "b", "t", "z"}) root.accept(key);
                     }),
            "");
  EXPECT_EQ(dumped("c.yaml"),
            "a: 5\nt:\n  x: 1 ns\n  y: 3 ns\n  l:\n    - 3\n  new: 4\nz: last\nb: 6\n");
}

TEST_F(Extends, NamesAreRelativeToTheExtendingFile) {
  folder.write("root.yaml", "a: 1\n");
  folder.write("sub/mid.yaml", "extends: ../root.yaml\nb: 2\n");
  folder.write("c.yaml", "extends: sub/mid.yaml\nt: 3\n");
  EXPECT_EQ(mistakes("c.yaml"), "");
  EXPECT_EQ(dumped("c.yaml"), "a: 1\nb: 2\nt: 3\n");
}

TEST_F(Extends, EachMistakeIsPlacedInItsOwnFileTheExtendingFileFirst) {
  folder.write("base.yaml", "a: x\nt:\n  p: y\n  q: 1\nunknown: 1\na: 2\n");
  folder.write("c.yaml", "extends: base.yaml\nt:\n  q: z\n  r: w\n");
  EXPECT_EQ(mistakes("c.yaml",
                     [](ConfigSection root) {
                       root.required<int>("a");
                       ConfigSection section = root.section("t");
                       for (const char* key : {"p", "q", "r", "s"}) section.required<int>(key);
                     }),
            "c.yaml:3:3: missing key `t.s` (a whole number)\n"
            "c.yaml:3:6: `t.q`: expected a whole number, got `z`\n"
            "c.yaml:4:6: `t.r`: expected a whole number, got `w`\n"
            "base.yaml:1:4: `a`: expected a whole number, got `x`\n"
            "base.yaml:3:6: `t.p`: expected a whole number, got `y`\n"
            "base.yaml:5:1: unknown key `unknown`\n"
            "base.yaml:6:1: `a` appears twice, first at base.yaml:1:1\n");
}

TEST_F(Extends, AMapMustStayAMapAndAScalarAScalar) {
  folder.write("base.yaml", "a: 1\nt:\n  p: 1\n");
  folder.write("c.yaml", "extends: base.yaml\na:\n  p: 1\nt: 2\n");
  EXPECT_EQ(mistakes("c.yaml",
                     [](ConfigSection root) {
                       root.required<int>("a");
                       root.section("t").required<int>("p");
                     }),
            "c.yaml:3:3: `a`: expected no map, as at base.yaml:1:4, got a map\n"
            "c.yaml:4:4: `t`: expected a map, as at base.yaml:3:3, got `2`\n");
  folder.write("c.yaml", "extends: base.yaml\nt:\n");
  EXPECT_EQ(mistakes("c.yaml"),
            "c.yaml:2:1: `t`: expected a map, as at base.yaml:3:3, got nothing\n");
}

TEST_F(Extends, ReportsAFileThatIsNotThereAndNoMissingKeys) {
  folder.write("c.yaml", "a: 1\nextends: none.yaml\n");
  EXPECT_EQ(
      mistakes("c.yaml",
               [](ConfigSection root) {
                 root.required<int>("a");
                 root.required<int>("b");
                 root.section("t").required<int>("p");
               }),
      "c.yaml:2:10: expected a YAML file, cannot read `none.yaml`: No such file or directory\n");
  folder.write("c.yaml", "extends: .\n");
  EXPECT_EQ(mistakes("c.yaml"), "c.yaml:1:10: expected a YAML file, got the directory ``\n");
}

TEST_F(Extends, ReportsACycle) {
  folder.write("c.yaml", "extends: b.yaml\n");
  folder.write("b.yaml", "a: 1\nextends: ./sub/../c.yaml\n");
  EXPECT_EQ(mistakes("c.yaml"),
            "b.yaml:2:10: `extends`: expected a file that does not lead back here, got `c.yaml`, "
            "which extends `b.yaml`\n");
  folder.write("c.yaml", "extends: c.yaml\n");
  EXPECT_EQ(mistakes("c.yaml"),
            "c.yaml:1:10: `extends`: expected a file that does not lead back here, got `c.yaml`, "
            "which extends `c.yaml`\n");
}

TEST_F(Extends, SeesACycleThroughALink) {
  folder.write("c.yaml", "extends: link.yaml\n");
  std::filesystem::create_symlink("c.yaml", folder.path("link.yaml"));
  EXPECT_EQ(
      mistakes("c.yaml"),
      "c.yaml:1:10: `extends`: expected a file that does not lead back here, got `link.yaml`, "
      "which extends `c.yaml`\n");
}

TEST_F(Extends, GoesSixteenFilesDeepAndNoFurther) {
  for (int i = 0; i < 18; ++i) {
    folder.write(std::to_string(i) + ".yaml", "extends: " + std::to_string(i + 1) + ".yaml\n");
  }
  folder.write("17.yaml", "a: 1\n");
  EXPECT_EQ(mistakes("1.yaml"), "");
  EXPECT_EQ(
      mistakes("0.yaml"),
      "16.yaml:1:10: `extends`: expected at most 16 files that extend each other, got more\n");
}

TEST_F(Extends, TakesOneNameOnly) {
  folder.write("c.yaml", "extends: [a.yaml, b.yaml]\n");
  EXPECT_EQ(mistakes("c.yaml"),
            "c.yaml:1:10: `extends`: expected the name of a file, got a list\n");
  folder.write("c.yaml", "extends:\n");
  EXPECT_EQ(mistakes("c.yaml"),
            "c.yaml:1:1: `extends`: expected the name of a file, got nothing\n");
}

TEST_F(Extends, ABrokenBaseIsReportedAndTheRestOfTheFileStillChecked) {
  folder.write("base.yaml", "- 1\n");
  folder.write("c.yaml", "extends: base.yaml\na: x\n");
  EXPECT_EQ(mistakes("c.yaml",
                     [](ConfigSection root) {
                       root.required<int>("a");
                       root.required<int>("b");
                     }),
            "c.yaml:2:4: `a`: expected a whole number, got `x`\n"
            "base.yaml:1:1: expected a map of keys, got a list\n");
}

TEST_F(Extends, IsAKeyLikeAnyOtherBelowTheTop) {
  const auto read = [](ConfigSection root) {
    EXPECT_EQ(root.section("t").required<std::string>("extends"), "left");
  };
  EXPECT_EQ(mistakes_in("t: {extends: left}\n", read), "");
}

}  // namespace
}  // namespace lockstep
