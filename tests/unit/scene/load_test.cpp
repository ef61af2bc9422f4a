// What a good scene file means.
#include "tenon/tests/unit/scene/scene_test_help.h"

#include <cmath>

#include "tenon/engine/math/elementary.h"

namespace tenon::scene {
namespace {

const Body& only_body(const LoadResult& result) { return result.flat.bodies.at(0); }

std::string ball(const std::string& more) {
  return with_bodies("{\"name\": \"b\", \"shape\": {\"type\": \"sphere\", \"radius\": \"12 cm\"}" +
                     more + "}");
}

TEST(Load, AnEmptySceneHasTheDefaults) {
  Document wanted;
  EXPECT_EQ(load_good("{\"tenon\": 1}").document, wanted);
}

TEST(Load, WorldSettingsTakeUnitsAndParameters) {
  const Document d = load_good(R"({"tenon": 1, "world": {"gravity": [0, 0, "-3.7 m/s^2"],
      "method": "force", "step": "1/rate", "tolerance": 1e-4, "seed": 9007199254740991,
      "duration": "2 min", "threads": 4}, "parameters": {"rate": "100 Hz"}})")
                         .document;
  EXPECT_EQ(d.world.gravity, (Vec3{0, 0, -3.7}));
  EXPECT_EQ(d.world.method, Method::kForce);
  EXPECT_EQ(d.world.step, 0.01);
  EXPECT_EQ(d.world.seed, 9007199254740991u);
  EXPECT_EQ(d.world.duration, 120);
  EXPECT_EQ(d.world.threads, 4);
}

TEST(Load, EveryShapeHasItsSizes) {
  const Document d = load_good(with_bodies(R"(
    {"name": "1", "shape": {"type": "sphere", "radius": "12 cm"}},
    {"name": "2", "shape": {"type": "box", "size": [1, "20 cm", "3 mm"]}},
    {"name": "3", "shape": {"type": "cylinder", "radius": 1, "height": 2}},
    {"name": "4", "shape": {"type": "capsule", "radius": 1, "length": 0}},
    {"name": "5", "shape": {"type": "plane", "normal": [1, 1, 0], "offset": "5 cm"}},
    {"name": "6", "shape": {"type": "hull", "points": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]}},
    {"name": "7", "shape": {"type": "point_mass"}, "mass": "3 g"},
    {"name": "8", "shape": {"type": "fixed_point"}},
    {"name": "9", "shape": {"type": "compound", "parts": [
      {"shape": {"type": "sphere", "radius": 1}, "material": "iron", "position": [1, 2, 3]},
      {"shape": {"type": "point_mass"}, "mass": 2, "orientation": {"axis": [0, 0, 2], "angle": "180 deg"}}]}}
  )"))
                         .flat;
  ASSERT_EQ(d.bodies.size(), 9u);
  EXPECT_EQ(std::get<SphereShape>(d.bodies[0].shape).radius, 0.12);
  EXPECT_EQ(std::get<BoxShape>(d.bodies[1].shape).size, (Vec3{1, 0.2, 0.003}));
  EXPECT_EQ(std::get<CylinderShape>(d.bodies[2].shape).height, 2);
  EXPECT_EQ(std::get<CapsuleShape>(d.bodies[3].shape).length, 0);
  EXPECT_EQ(std::get<PlaneShape>(d.bodies[4].shape).offset, 0.05);
  EXPECT_EQ(std::get<HullShape>(d.bodies[5].shape).points.size(), 4u);
  EXPECT_EQ(d.bodies[6].mass, 0.003);
  EXPECT_EQ(d.bodies[4].motion, Motion::kStatic);
  EXPECT_EQ(d.bodies[7].motion, Motion::kStatic);
  const auto& parts = std::get<CompoundShape>(d.bodies[8].shape).parts;
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].material, "iron");
  EXPECT_EQ(parts[0].position, (Vec3{1, 2, 3}));
  // half a turn about z is (0, 0, 0, 1) up to the rounding of cos(pi/2)
  EXPECT_NEAR(parts[1].orientation.z, 1, 1e-15);
}

TEST(Load, OrientationsInAllFormsAgree) {
  const double c = std::sqrt(0.5);
  for (const char* form :
       {"{\"axis\": [0, 3, 0], \"angle\": \"90 deg\"}", "{\"euler\": [0, \"90 deg\", 0]}",
        "{\"euler_deg\": [0, 90, 0]}", "[1, 0, 1, 0]"}) {
    const LoadResult result = load_good(ball(std::string(", \"orientation\": ") + form));
    const Quat q = only_body(result).orientation;
    EXPECT_NEAR(q.w, c, 1e-15) << form;
    EXPECT_NEAR(q.y, c, 1e-15) << form;
    EXPECT_NEAR(norm(q), 1, 1e-15) << form;
  }
  // fixed axes, x first: x -> x -> (about z) y
  const LoadResult result = load_good(ball(", \"orientation\": {\"euler_deg\": [90, 0, 90]}"));
  const Vec3 y = rotate(only_body(result).orientation, Vec3{0, 1, 0});
  EXPECT_NEAR(y.z, 1, 1e-15);
}

TEST(Load, InertiaTakesThreeSixOrNineNumbers) {
  const Mat3 wanted{{2, 0.1, 0.2}, {0.1, 2, 0.3}, {0.2, 0.3, 2}};
  for (const char* form :
       {"[2, 2, 2, 0.1, 0.2, 0.3]", "[[2, 0.1, 0.2], [0.1, 2, 0.3], [0.2, 0.3, 2]]"}) {
    EXPECT_EQ(
        only_body(load_good(ball(std::string(", \"mass\": 1, \"inertia\": ") + form))).inertia,
        wanted);
  }
  EXPECT_EQ(only_body(load_good(ball(", \"mass\": 1, \"inertia\": [1, \"1 kg*m^2\", 2]"))).inertia,
            Mat3::diagonal({1, 1, 2}));
}

TEST(Load, ColorsInAllForms) {
  for (const char* form : {"\"#FF0080\"", "[1, 0, \"128/255\"]"}) {
    EXPECT_EQ(*only_body(load_good(ball(std::string(", \"color\": ") + form))).color,
              (Color{1, 0, 128 / 255.0}))
        << form;
  }
  EXPECT_EQ(*only_body(load_good(ball(", \"color\": {\"hsv\": [1.5, 1, 1]}"))).color,
            (Color{0, 1, 1}));
  EXPECT_EQ(*only_body(load_good(ball(", \"color\": {\"hsv\": [0, 1, 1]}"))).color,
            (Color{1, 0, 0}));
  EXPECT_EQ(*only_body(load_good(ball(", \"color\": {\"hsv\": [\"1/3\", 0, 0.5]}"))).color,
            (Color{0.5, 0.5, 0.5}));
}

TEST(Load, BodyAxesAngularVelocityIsTurnedInTheFlatDocument) {
  const LoadResult result = load_good(ball(
      ", \"orientation\": {\"axis\": [0, 0, 1], \"angle\": \"90 deg\"}, \"angular_velocity_body\": "
      "[\"60 rpm\", 0, 0]"));
  EXPECT_TRUE(result.document.bodies[0].angular_velocity_body.has_value());
  EXPECT_FALSE(only_body(result).angular_velocity_body.has_value());
  EXPECT_NEAR(only_body(result).angular_velocity.y, 2 * kPi, 1e-14);
}

TEST(Load, KeyframesAreCompletedInTheFlatDocument) {
  const LoadResult result = load_good(ball(
      ", \"motion\": \"kinematic\", \"position\": [1, 2, 3], \"repeat\": \"mirror\", "
      "\"interpolation\": "
      "\"linear\", \"keyframes\": [{\"t\": 0}, {\"t\": \"500 ms\", \"position\": [4, 5, 6]}]"));
  const Body& b = only_body(result);
  ASSERT_EQ(b.keyframes.size(), 2u);
  EXPECT_EQ(b.keyframes[0].position, (Vec3{1, 2, 3}));
  EXPECT_EQ(b.keyframes[1].position, (Vec3{4, 5, 6}));
  EXPECT_EQ(b.keyframes[1].t, 0.5);
  EXPECT_EQ(b.keyframes[1].orientation, Quat{});
  EXPECT_EQ(b.repeat, Repeat::kMirror);
  EXPECT_EQ(b.interpolation, Interpolation::kLinear);
  EXPECT_FALSE(result.document.bodies[0].keyframes[0].position.has_value());
}

TEST(Load, FurtherAttributesArriveWhereTheyBelong) {
  const LoadResult result = load_good(R"({"tenon": 1, "groups": {"a": {}, "b": {"ignores": "a"}},
    "bodies": [{"name": "x", "shape": {"type": "sphere", "radius": 1}, "gravity": false,
      "collision": false, "air": {"c_w": "0.3 kg/m^3", "area": "20 cm^2"}, "group": ["a", "b"],
      "collides_with": [], "ignores": "b", "transparency": 0.5, "reflection": 0.1, "roughness": 0.2,
      "metallic": 1, "center_of_mass": [0, "1 cm", 0], "density": "2 g/cm^3"}],
    "cameras": [{"name": "c", "automatic": true}],
    "lights": [{"type": "point", "position": [1, 2, 3], "color": "white", "intensity": 2}]})");
  const Body& b = only_body(result);
  EXPECT_FALSE(b.gravity);
  EXPECT_FALSE(b.collision);
  EXPECT_EQ(b.air->c_w, 0.3);
  EXPECT_NEAR(*b.air->area, 0.002, 1e-18);
  EXPECT_EQ(b.groups, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(b.collides_with && b.collides_with->empty());
  EXPECT_EQ(b.ignores, std::vector<std::string>{"b"});
  EXPECT_EQ(b.metallic, 1);
  EXPECT_EQ(b.center_of_mass, (Vec3{0, 0.01, 0}));
  EXPECT_NEAR(*b.density, 2000, 1e-9);
  EXPECT_TRUE(result.flat.cameras[0].automatic);
  EXPECT_EQ(result.flat.lights[0].type, LightType::kPoint);
  EXPECT_EQ(result.flat.lights[0].position, (Vec3{1, 2, 3}));
}

TEST(Load, SurfacesThatRunFeelAndLetThrough) {
  const LoadResult result = load_good(R"({"tenon": 1, "bodies": [
    {"name": "belt", "shape": {"type": "compound", "parts": [
       {"shape": {"type": "sphere", "radius": 1}, "surface_velocity": [0, 0, "36 km/h"]},
       {"shape": {"type": "sphere", "radius": 1}, "sensor": true}]},
     "surface_velocity": ["20 cm/s", 0, 0], "one_way": [0, 2, 0], "motion": "static"},
    {"name": "gate", "shape": {"type": "sphere", "radius": 1}, "sensor": "1 < 2"}]})");
  const Body& belt = result.flat.bodies[0];
  EXPECT_EQ(belt.surface_velocity, (Vec3{0.2, 0, 0}));
  EXPECT_EQ(belt.one_way, (Vec3{0, 2, 0}));
  EXPECT_FALSE(belt.sensor);
  const auto& parts = std::get<CompoundShape>(belt.shape).parts;
  EXPECT_NEAR(parts[0].surface_velocity->z, 10, 1e-12);
  EXPECT_FALSE(parts[0].sensor.has_value());
  EXPECT_EQ(parts[1].sensor, true);
  EXPECT_TRUE(result.flat.bodies[1].sensor);
}

TEST(Load, EmptyReservedSectionsAreFine) {
  load_good("{\"tenon\": 1, \"joints\": [], \"connections\": [], \"forces\": [], \"rules\": []}");
}

TEST(Load, ReleasedBodiesAreKinematicWithAMass) {
  const LoadResult result = load_good(
      ball(R"(, "motion": "kinematic", "velocity": [1, 0, 0], "mass": 2, "release": "500 ms")"));
  EXPECT_TRUE(result.warnings.empty()) << all_errors(result.warnings);  // the mass has a meaning
  EXPECT_EQ(only_body(result).release, 0.5);
  EXPECT_EQ(only_body(result).motion, Motion::kKinematic);
  EXPECT_EQ(load_good(save_scene(result.document)).document, result.document);
  // joints may hold it
  load_good(R"({"tenon": 1, "bodies": [{"name": "a", "shape": {"type": "sphere", "radius": 1},
      "motion": "kinematic", "release": 1}], "joints": [{"name": "j", "type": "point",
      "child": "a"}]})");
  expect_error(R"({"tenon": 1, "bodies": [{"name": "a", "shape": {"type": "plane"},
"motion": "kinematic", "release": 1}]})",
               2, 35, "cannot be released");
}

}  // namespace
}  // namespace tenon::scene
