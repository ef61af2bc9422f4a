// Materials, pairs and the collision filter.
#include "tenon/tests/unit/scene/scene_test_help.h"

namespace tenon::scene {
namespace {

TEST(Materials, TheLibraryHasTheTableOfTheReference) {
  const struct {
    const char* name;
    double density, restitution, stick, slide;
  } table[] = {{"iron", 7870, 0.8, 0.7, 0.5},   {"aluminium", 2700, 0.7, 0.6, 0.45},
               {"wood", 700, 0.5, 0.45, 0.3},   {"rubber", 1100, 0.85, 1, 0.8},
               {"glass", 2500, 0.75, 0.6, 0.4}, {"ice", 917, 0.3, 0.05, 0.02},
               {"stone", 2600, 0.5, 0.7, 0.6},  {"plastic", 1050, 0.6, 0.4, 0.3}};
  ASSERT_EQ(builtin_materials().size(), std::size(table));
  for (const auto& row : table) {
    const Material* m = find_builtin_material(row.name);
    ASSERT_TRUE(m) << row.name;
    EXPECT_EQ(m->density, row.density);
    EXPECT_EQ(m->restitution, row.restitution);
    EXPECT_EQ(m->static_friction, row.stick);
    EXPECT_EQ(m->sliding_friction, row.slide);
  }
}

TEST(Materials, AnOverrideKeepsWhatItDoesNotMention) {
  const Document d = load_good(
                         "{\"tenon\": 1, \"materials\": {\"wood\": {\"density\": 650, "
                         "\"look\": {\"roughness\": 0.1}}}}")
                         .document;
  const Material* wood = find_material(d, "wood");
  ASSERT_TRUE(wood);
  EXPECT_EQ(wood->density, 650);
  EXPECT_EQ(wood->static_friction, 0.45);
  EXPECT_EQ(wood->look.roughness, 0.1);
  EXPECT_EQ(wood->look.texture, "wood");
  EXPECT_EQ(find_material(d, "iron")->density, 7870);
  EXPECT_EQ(find_material(d, "cheese"), nullptr);
}

TEST(CollisionFilter, FollowsBodiesAndGroups) {
  const Document d = load_good(R"({"tenon": 1,
    "groups": {"chain": {"ignores": "chain"}, "ghost": {"collides_with": []}, "wall": {}, "ball": {"collides_with": "wall"}},
    "bodies": [
      {"name": "c1", "group": "chain", "shape": {"type": "sphere", "radius": 1}},
      {"name": "c2", "group": "chain", "shape": {"type": "sphere", "radius": 1}},
      {"name": "g", "group": "ghost", "shape": {"type": "sphere", "radius": 1}},
      {"name": "w", "group": "wall", "shape": {"type": "sphere", "radius": 1}},
      {"name": "b", "group": "ball", "shape": {"type": "sphere", "radius": 1}},
      {"name": "x", "shape": {"type": "sphere", "radius": 1}},
      {"name": "off", "collision": false, "shape": {"type": "sphere", "radius": 1}},
      {"name": "picky", "collides_with": ["chain"], "shape": {"type": "sphere", "radius": 1}}]})")
                         .flat;
  auto touch = [&](const char* a, const char* b) {
    const bool forth = may_collide(d, *find_body(d, a), *find_body(d, b));
    EXPECT_EQ(forth, may_collide(d, *find_body(d, b), *find_body(d, a))) << a << b;
    return forth;
  };
  EXPECT_FALSE(touch("c1", "c2"));
  EXPECT_TRUE(touch("c1", "w"));
  EXPECT_FALSE(touch("g", "w"));
  EXPECT_TRUE(touch("b", "w"));
  EXPECT_FALSE(touch("b", "x"));
  EXPECT_TRUE(touch("x", "w"));
  EXPECT_FALSE(touch("x", "off"));
  EXPECT_TRUE(touch("picky", "c1"));
  EXPECT_FALSE(touch("picky", "x"));
}

}  // namespace
}  // namespace tenon::scene
