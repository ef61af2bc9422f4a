// Sums over contacts, impulses that go on to the next contacts, and lists of touches.
#include "tenon/engine/contact/contact.h"

#include <gtest/gtest.h>

namespace tenon {
namespace {

Contact make_contact(uint32_t collider_a, uint32_t collider_b, uint32_t body_a, uint32_t body_b,
                     double distance) {
  Contact c{collider_a, collider_b, body_a, body_b, {}};
  c.manifold.normal_W = {0, 1, 0};
  c.manifold.distance = distance;
  c.manifold.count = 2;
  c.manifold.points[0] = {{0, 0, 0}, distance, 10};
  c.manifold.points[1] = {{1, 0, 0}, distance, 11};
  return c;
}

TEST(Pushes, AddUpPerPairOfBodiesWithTheSignOfTheHigherOne) {
  std::vector<Contact> contacts{make_contact(0, 5, 1, 2, 0), make_contact(1, 6, 2, 1, 0),
                                make_contact(2, 7, 0, 1, 0), make_contact(3, 8, 0, 2, 0)};
  contacts[0].impulse_W = {Vec3{1, 10, 0}, Vec3{0, 20, 0}};
  contacts[1].impulse_W = {Vec3{0, 5, 0.5}};  // on body 1
  contacts[2].impulse_W = {Vec3{0, 0, 3}};    // friction only
  const std::vector<Push> pushes = calc_pushes(contacts);
  ASSERT_EQ(pushes.size(), 2u);
  EXPECT_EQ(pushes[0], (Push{0, 1, {0, 0, 3}, 0}));
  EXPECT_EQ(pushes[1], (Push{1, 2, {1, 25, -0.5}, 35}));
}

TEST(EndedContacts, AreThoseThatPushedAndAreGone) {
  std::vector<Contact> before{make_contact(0, 1, 0, 1, 0), make_contact(0, 2, 0, 2, 0),
                              make_contact(1, 2, 1, 2, 0), make_contact(4, 5, 1, 2, 0)};
  before[0].impulse_W[1] = {0, 1, 0};
  before[1].impulse_W[1] = {0, 2, 0};
  before[3].impulse_W[0] = {0, 3, 0};
  before[2].impulse_W[2] = {0, 9, 0};  // beyond its points
  const std::vector<Contact> after{make_contact(0, 1, 0, 1, 0), make_contact(0, 3, 0, 2, 0)};
  const std::vector<Contact> ended = find_ended(before, after);
  ASSERT_EQ(ended.size(), 2u);
  EXPECT_EQ(ended[0].collider_b, 2u);
  EXPECT_EQ(ended[1].collider_b, 5u);
}

TEST(Touches, AreOnePerPairAndKindInOrder) {
  std::vector<Contact> contacts{make_contact(0, 1, 7, 3, -0.1), make_contact(0, 2, 3, 7, -0.3),
                                make_contact(1, 2, 7, 3, -0.2), make_contact(3, 4, 1, 2, 0.1),
                                make_contact(4, 5, 1, 9, -0.5)};
  contacts[2].kind = TouchKind::kSensorA;  // of body 7
  contacts[4].kind = TouchKind::kPassing;
  const std::vector<Touch> touches = find_touches(contacts, {});
  const std::vector<Touch> expected{{1, 9, -0.5, TouchKind::kPassing},
                                    {3, 7, -0.3, TouchKind::kContact},
                                    {3, 7, -0.2, TouchKind::kSensorB}};
  EXPECT_EQ(touches, expected);
  EXPECT_EQ(find_touch(touches, 7, 3, TouchKind::kSensorB), &touches[2]);
  EXPECT_EQ(find_touch(touches, 7, 3, TouchKind::kSensorA), nullptr);
  EXPECT_EQ(find_touch(touches, 1, 2, TouchKind::kContact), nullptr);
}

TEST(Touches, CountABounceThatLeavesNoOverlap) {
  const std::vector<Contact> contacts{make_contact(0, 1, 0, 1, 0.01)};
  const std::vector<Push> pushes{{0, 1, {0, 3, 0}, 3}, {1, 2, {1, 0, 0}, 0}};
  const std::vector<Touch> touches = find_touches(contacts, pushes);
  EXPECT_EQ(touches, (std::vector<Touch>{{0, 1, 0, TouchKind::kContact}}));
}

TEST(NewTouches, TellKindsApart) {
  const std::vector<Touch> before{{0, 1, -1, TouchKind::kPassing}, {2, 3, -1}};
  const std::vector<Touch> after{{0, 1, -2, TouchKind::kContact}, {2, 3, -2}};
  EXPECT_EQ(find_new(before, after), (std::vector<Touch>{after[0]}));
  EXPECT_EQ(find_new(after, before), (std::vector<Touch>{before[0]}));
}

TEST(CameFromFront, LooksOneStepBack) {
  EXPECT_TRUE(came_from_front(-0.001, 5, 0.01, 0.002));   // shallow: however it moves
  EXPECT_TRUE(came_from_front(-0.05, -6, 0.01, 0.002));   // 1 cm above a step ago
  EXPECT_FALSE(came_from_front(-0.05, 0, 0.01, 0.002));   // began deep inside
  EXPECT_FALSE(came_from_front(-0.05, 6, 0.01, 0.002));   // comes out, so it was behind
  EXPECT_FALSE(came_from_front(-0.05, -1, 0.01, 0.002));  // 4 cm deep a step ago
}

}  // namespace
}  // namespace tenon
