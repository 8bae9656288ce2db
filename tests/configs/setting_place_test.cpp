// Mistakes that show only when a configuration is used get the place of their setting.
#include "configs/setting_place.h"

#include <string>

#include <gtest/gtest.h>

#include "configs/config.h"

namespace lockstep {
namespace {

std::string told(const ConfigDocument& doc, const std::string& setting) {
  try {
    at_places_of(doc.tree(), [&] { throw SettingError(setting, "is too much"); });
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(SettingPlace, IsThatOfTheValueWhereverItWasWritten) {
  auto doc = ConfigDocument::from_text("kv:\n  headroom: 1.3\n  tokens: 16\nseed: 1\n", "c.yaml");
  EXPECT_EQ(told(doc, "kv.headroom"), "c.yaml:2:13: `kv.headroom`: is too much\n");
  EXPECT_EQ(told(doc, "seed"), "c.yaml:4:7: `seed`: is too much\n");
  doc.set("kv.tokens=32");
  EXPECT_EQ(told(doc, "kv.tokens"), "--set kv.tokens=32:1:11: `kv.tokens`: is too much\n");
}

TEST(SettingPlace, OfAKeyThatIsNotWrittenIsThatOfItsMap) {
  const auto doc = ConfigDocument::from_text("kv:\n  tokens: 16\n", "c.yaml");
  EXPECT_EQ(told(doc, "kv.headroom"), "c.yaml:2:3: `kv.headroom`: is too much\n");
  EXPECT_EQ(told(doc, "no.such"), "c.yaml:1:1: `no.such`: is too much\n");
}

TEST(SettingPlace, LeavesOtherErrorsAsTheyAre) {
  const auto doc = ConfigDocument::from_text("seed: 1\n", "c.yaml");
  EXPECT_THROW(at_places_of(doc.tree(), [] { throw Unsupported("no"); }), Unsupported);
  EXPECT_NO_THROW(at_places_of(doc.tree(), [] {}));
}

}  // namespace
}  // namespace lockstep
