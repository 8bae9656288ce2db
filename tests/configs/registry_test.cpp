// A table of named factories: its names serve `choice`, its rows make the object.
#include "configs/registry.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

struct Shape {
  virtual ~Shape() = default;
  virtual int corners() const = 0;
};
struct Triangle : Shape {
  explicit Triangle(const int&) {}
  int corners() const override { return 3; }
};
struct Polygon : Shape {
  explicit Polygon(const int& corners) : corners_(corners) {}
  int corners() const override { return corners_; }
  int corners_;
};

constexpr Choice<Shape, int> kShapes[] = {choice<Triangle, Shape, int>("triangle"),
                                          choice<Polygon, Shape, int>("polygon")};

TEST(Registry, MakesWhatTheTableNames) {
  const Span<Choice<Shape, int>> shapes = kShapes;
  EXPECT_EQ(make_by_name(shapes, "triangle", 5)->corners(), 3);
  EXPECT_EQ(make_by_name(shapes, "polygon", 5)->corners(), 5);
}

TEST(Registry, ListsTheNamesInTheOrderOfTheTable) {
  EXPECT_EQ(names_of(kShapes), (std::vector<std::string_view>{"triangle", "polygon"}));
}

TEST(Registry, RefusesANameOutsideTheTable) {
  const Span<Choice<Shape, int>> shapes = kShapes;
  try {
    make_by_name(shapes, "circle", 5);
    FAIL() << "no error";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "unknown name `circle`; known: triangle, polygon");
  }
}

}  // namespace
}  // namespace lockstep
