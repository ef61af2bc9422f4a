// document -> text -> document, for documents nobody wrote.
#include "tenon/tests/unit/scene/scene_test_help.h"

#include "tenon/engine/base/rng.h"

namespace tenon::scene {
namespace {

class Maker {
 public:
  explicit Maker(uint64_t seed) : rng_(seed) {}

  Document document() {
    Document d;
    d.title = text();
    d.description = "\u20ac \"quoted\" \\ \n";
    if (flip()) d.tags = {text(), text()};
    d.world.gravity = vec();
    d.world.gravity_noise = share();
    if (flip()) d.world.wind = vec();
    d.world.method = static_cast<Method>(rng_.below(3));
    d.world.step = rng_.uniform(1e-4, 0.1);
    d.world.seed = rng_.next() >> 11;
    d.parameters.push_back({"a", Json(number()), {}});
    d.parameters.push_back({"b", Json("2*a + 1"), {}});
    d.materials = {material("mine"), material("wood"), material("iron")};
    MaterialPair pair;
    pair.materials = {"mine", "ice"};
    if (flip()) pair.restitution = share();
    if (flip()) pair.rolling_friction = share();
    d.pairs.push_back(pair);
    d.groups = {{"g", {}, {}, {}}, {"h", std::vector<std::string>{}, {"g"}, {}}};
    for (int i = 0; i < 12; ++i) d.bodies.push_back(body(i));
    d.bodies.push_back(body(12));
    d.bodies.back().motion = Motion::kDynamic;
    d.bodies.back().keyframes.clear();
    d.bodies.back().turn.reset();
    d.bodies.back().interpolation = Interpolation::kSmooth;
    d.bodies.back().repeat = Repeat::kHold;
    for (int i = 0; i < 12; ++i) d.joints.push_back(joint(i, d.bodies));
    for (int i = 0; i < 6; ++i) d.forces.push_back(force(i, d.bodies));
    d.world.joint_solver = static_cast<JointSolver>(rng_.below(2));
    d.world.integration = static_cast<Integration>(rng_.below(3));
    d.world.sweeps = 1 + static_cast<int>(rng_.below(20));
    if (d.world.joint_solver == JointSolver::kSweep && flip()) d.world.sweep = sweep();
    Camera camera;
    camera.name = text();
    camera.position = vec();
    camera.look_at = vec();
    camera.automatic = flip();
    camera.type = CameraType::kPath;
    camera.keyframes = {{1.5, vec(), std::nullopt, 0.5, {}}};
    d.cameras.push_back(camera);
    Light light;
    light.type = static_cast<LightType>(rng_.below(3));
    light.color = color();
    light.intensity = share();
    d.lights.push_back(light);
    d.prefabs.push_back(
        {"p", Json::object().set("parameters", Json::object().set("r", number())), {}});
    d.instances.push_back(Json::object().set("prefab", "p").set("name", "x"));
    d.arrays.push_back(Json::object().set("for", Json::object().set("i", "3")));
    return d;
  }

 private:
  Rng rng_;

  bool flip() { return rng_.below(2) == 1; }
  double number() { return rng_.uniform(-100, 100); }
  double positive() { return rng_.uniform(0.01, 100); }
  double share() { return rng_.uniform(); }
  SweepSettings sweep() {
    SweepSettings s;
    s.free_rotation = flip();
    s.collisions.energy_guard = flip();
    s.contacts.pair_rounds = static_cast<int>(rng_.below(9));
    s.contacts.roughness = 0.5 * share();
    s.shock.on = flip();
    s.push_out.freezes = flip();
    s.joints.correction = static_cast<SweepJointCorrection>(rng_.below(2));
    s.joints.final_sweep = static_cast<SweepFinalJoints>(rng_.below(3));
    return s;
  }
  Vec3 vec() { return {number(), number(), number()}; }
  Quat quat() { return normalized(Quat{number(), number(), number(), number()}); }
  Color color() {
    if (flip()) return {share(), share(), share()};
    return {rng_.below(256) / 255.0, rng_.below(256) / 255.0, rng_.below(256) / 255.0};
  }
  std::string text() {
    std::string t = "t";
    for (uint32_t n = rng_.below(8); n > 0; --n) t += static_cast<char>(' ' + rng_.below(95));
    return t;
  }
  Material material(const char* name) {
    const Material* builtin = find_builtin_material(name);
    Material m = builtin ? *builtin : Material{};
    m.name = name;
    if (flip()) m.density = positive();
    if (flip()) m.restitution = share();
    if (flip()) m.look.roughness = share();
    if (flip()) m.look.color = color();
    if (flip()) m.stiffness = 1e5 * positive();
    return m;
  }
  MeshShape mesh() {
    MeshShape m;
    if (flip()) {
      m.file = text() + ".obj";
    } else {
      for (int i = 0; i < 5; ++i) m.vertices.push_back(vec());
      for (int i = 0; i < 3; ++i) m.triangles.push_back({i, i + 1, i + 2});
    }
    if (flip()) m.units = LengthUnit::kMillimetre;
    if (flip()) m.up = UpAxis::kZ;
    if (flip()) m.scale = flip() ? Vec3{2, 2, 2} : Vec3{positive(), -positive(), positive()};
    if (flip()) m.origin = MeshOrigin::kCenter;
    if (flip()) m.repair = {MeshRepair::kFlip, MeshRepair::kWeld};
    if (flip()) m.weld_distance = positive();
    if (flip()) m.cell = positive();
    return m;
  }
  PartShape part_shape() {
    switch (rng_.below(5)) {
      case 0:
        return SphereShape{positive()};
      case 1:
        return BoxShape{{positive(), positive(), positive()}};
      case 2:
        return CylinderShape{positive(), positive()};
      case 3:
        return mesh();
      default:
        return CapsuleShape{positive(), positive()};
    }
  }
  Shape shape() {
    switch (rng_.below(4)) {
      case 0: {
        CompoundShape compound;
        for (uint32_t n = 1 + rng_.below(3); n > 0; --n) {
          Part part;
          part.shape = part_shape();
          part.position = vec();
          part.orientation = quat();
          if (flip()) part.material = "ice";
          if (flip()) part.mass = positive();
          if (flip()) part.color = color();
          if (flip()) part.sensor = flip();
          if (flip() && part.sensor != true) part.surface_velocity = vec();
          compound.parts.push_back(part);
        }
        return compound;
      }
      case 1: {
        HullShape hull;
        for (int i = 0; i < 8; ++i) hull.points.push_back(vec());
        return hull;
      }
      default:
        return std::visit([](const auto& s) { return Shape(s); }, part_shape());
    }
  }
  JointLaw law() {
    JointLaw l;
    if (flip()) l.limits = JointLimits{flip() ? std::optional(-share()) : std::nullopt, share()};
    if (flip()) l.restitution = share();
    if (flip()) l.friction = share();
    if (flip()) l.spring = JointSpring{positive(), positive(), share()};
    if (flip()) {
      l.motor = JointMotor{};
      (flip() ? l.motor->velocity : l.motor->position) = number();
      if (flip()) l.motor->max = positive();
      if (l.motor->position) l.motor->frequency = positive();
    }
    return l;
  }
  // from any body but the last to the last, which is dynamic
  Force force(int index, const std::vector<Body>& bodies) {
    Force f;
    f.name = text() + std::to_string(index);
    f.body.name = bodies.back().name;
    if (flip()) f.point = vec();
    if (flip()) {
      f.toward = ForceTarget{};
      if (flip()) f.toward->body.name = bodies[rng_.below(12)].name;
      if (flip()) f.toward->point = vec();
      f.magnitude = number();
    } else {
      f.frame = static_cast<ForceFrame>(rng_.below(2));
      f.force = vec();
      if (flip()) f.torque = vec();
    }
    if (flip()) f.from = number();
    if (flip()) f.until = 200 + positive();
    if (f.until && flip()) {
      f.ramp = ForceRamp{number(), number()};
    } else if (flip()) {
      for (int i = 0; i < 3; ++i) f.curve.push_back({200.0 + i, number()});
      if (f.until) *f.until += 200;
    }
    return f;
  }
  Joint joint(int index, const std::vector<Body>& bodies) {
    Joint j;
    j.name = text() + std::to_string(index);
    j.type = static_cast<JointType>(rng_.below(14));
    j.parent.name = flip() ? "world" : bodies[rng_.below(12)].name;
    j.child.name = bodies.back().name;
    if (flip()) {
      JointFrame frame{vec(), {}, {}, {}};
      if (flip())
        frame.orientation = quat();
      else
        frame.axis = vec();
      (flip() ? j.parent_frame : j.child_frame) = frame;
    } else {
      j.axis = vec();
      if (flip()) j.axis2 = cross(*j.axis, vec());
      if (flip()) j.at = vec();
      if (flip()) j.to = vec();
    }
    const auto free = free_axes(j);
    for (size_t i = 0; i < free.size(); ++i) {
      const bool second = j.type == JointType::kScrew && i == 0;
      if (free[i] && !second && flip()) j.laws[i] = law();
    }
    if (j.type == JointType::kPoint && flip()) j.swing = 0.1 + share();
    if (j.type == JointType::kScrew) j.pitch = number();
    if (flip()) j.break_force = positive();
    if (flip()) j.break_time = positive();
    j.enabled = flip();
    j.bodies_collide = flip();
    return j;
  }
  Body body(int index) {
    Body b;
    b.name = text() + std::to_string(index);
    b.shape = shape();
    b.material = flip() ? "mine" : "glass";
    b.position = vec();
    b.orientation = quat();
    b.motion = static_cast<Motion>(rng_.below(3));
    if (b.motion == Motion::kDynamic) {
      if (flip()) b.mass = positive();
      if (b.mass && flip()) b.inertia = Mat3{{3, 0.1, share()}, {0.1, 3, 0}, {0, 0, 3}};
      if (b.inertia) b.inertia->r2.x = b.inertia->r0.z;
      b.velocity = vec();
      if (flip())
        b.angular_velocity = vec();
      else
        b.angular_velocity_body = vec();
      if (flip())
        b.air = Air{positive(), flip() ? std::optional<double>(positive()) : std::nullopt};
    }
    if (b.motion == Motion::kKinematic && flip()) {
      for (int i = 0; i < 3; ++i) {
        Keyframe k;
        k.t = i + share();
        if (flip()) k.position = vec();
        if (flip()) k.orientation = quat();
        b.keyframes.push_back(k);
      }
      b.repeat = static_cast<Repeat>(rng_.below(3));
      b.interpolation = static_cast<Interpolation>(rng_.below(2));
    } else if (b.motion == Motion::kKinematic) {
      b.turn = Turn{vec(), vec(), number()};
    }
    if (flip()) b.groups = {"g"};
    if (flip()) b.groups = {"g", "h"};
    if (flip()) b.collides_with = std::vector<std::string>{"h"};
    b.gravity = flip();
    b.sensor = flip();
    if (!b.sensor && flip()) b.surface_velocity = vec();
    if (!b.sensor && flip()) b.one_way = vec();
    if (flip()) b.color = color();
    if (flip()) b.transparency = share();
    return b;
  }
};

TEST(RoundTrip, RandomDocumentsLoadBackEqual) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const Document made = Maker(seed).document();
    const std::string text = save_scene(made);
    const LoadResult once = load(text);
    ASSERT_TRUE(once.ok()) << seed << "\n" << all_errors(once.errors) << text;
    ASSERT_EQ(once.document, made) << seed << "\n" << text << save_scene(once.document);
    ASSERT_EQ(save_scene(once.document), text) << seed;
    const LoadResult checked = check_scene(made);
    ASSERT_TRUE(checked.ok());
    EXPECT_EQ(checked.flat, once.flat) << seed;
  }
}

TEST(RoundTrip, AnyChangeMakesDocumentsUnequal) {
  const Document made = Maker(7).document();
  Document other = made;
  other.bodies[3].position.y += 1;
  EXPECT_NE(made, other);
  EXPECT_NE(save_scene(made), save_scene(other));
  other = made;
  other.arrays[0].set("where", "i > 0");
  EXPECT_NE(made, other);
}

TEST(RoundTrip, FlatDocumentsToo) {
  const LoadResult a = load_good(R"json({"tenon": 1, "arrays": [{"for": {"i": 7}, "bodies": [
    {"name": "b{i}", "shape": {"type": "sphere", "radius": "1/(i + 1)"}, "orientation":
     {"axis": [1, "i", 2], "angle": "i*37 deg"}, "angular_velocity_body": [1, "i", 0.1],
     "color": {"hsv": ["i/7", 0.3, 0.9]}}]}]})json");
  const LoadResult b = load_good(save_scene(a.flat));
  EXPECT_EQ(b.document, a.flat);
  EXPECT_EQ(b.flat, a.flat);
}

}  // namespace
}  // namespace tenon::scene
