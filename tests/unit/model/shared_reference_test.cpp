// Masses, forward kinematics, gravity load and mass matrix of robots, against numbers that a direct
// reading of the files gave without any physics engine (kuka and cartpole agree with MuJoCo 2.2.2):
// G2_urdf_reference.json beside the models.
#include <algorithm>

#include "tenon/scene/formats/json_text.h"
#include "tenon/tests/unit/model/model_test_help.h"

namespace tenon::scene {
namespace {

const std::string kReference = std::string(TENON_MODELS) + "/../reference/G2_urdf_reference.json";

struct Robot {
  std::string file;
  Json data;
  std::vector<std::string> joints;
  std::vector<double> q;
};

std::vector<Robot> read_reference() {
  std::vector<Robot> robots;
  const ParsedJson parsed = parse_json(test::read_file(kReference), kReference);
  for (const JsonMember& member : parsed.root.members) {
    Robot r{member.key, member.value, {}, {}};
    for (const Json& name : member.value.find("moving_joints")->items) {
      r.joints.push_back(name.string);
      r.q.push_back(member.value.find("q")->find(name.string)->number);
    }
    robots.push_back(std::move(r));
  }
  return robots;
}

// The base is held in the reference; limits would stop joints that q puts beyond them.
Document import_at_q(const Robot& robot, bool hold) {
  const std::string path = std::string(TENON_MODELS) + "/urdf/" + robot.file;
  model::ImportOptions options;
  for (size_t i = 0; i < robot.joints.size(); ++i)
    options.start.emplace_back(robot.joints[i], robot.q[i]);
  auto made = urdf::import_urdf(test::read_file(path), path, test::disk(), options);
  EXPECT_TRUE(made.ok()) << tenon::format(made.error());
  for (Joint& joint : made->document.joints) {
    for (JointLaw& law : joint.laws) law = {};
    if (!hold || !only_axis(joint)) continue;
    JointMotor motor;
    motor.velocity = 0;
    joint.laws[static_cast<size_t>(*only_axis(joint))].motor = motor;
  }
  for (Body& body : made->document.bodies) body.collision = false;
  return made->document;
}

JointReading read(const BuiltScene& scene, const std::string& name) {
  return scene.world.read_joint(test::joint(scene, name));
}
size_t axis_of(const BuiltScene& scene, const std::string& name) {
  return (read(scene, name).free_axes & 1) != 0 ? 0 : 3;
}

TEST(UrdfReference, MassesAndPlacesOfLinks) {
  for (const Robot& robot : read_reference()) {
    const BuiltScene scene = test::build_scene(import_at_q(robot, false));
    double mass = 0;
    Vec3 moment;
    for (const BodyHandle b : scene.handles) {
      mass += scene.world.mass(b).mass;
      moment += scene.world.mass(b).mass * scene.world.center_of_mass(b);
    }
    EXPECT_NEAR(mass, robot.data.find("total_mass")->number, 1e-9 * mass) << robot.file;
    const Json& com = *robot.data.find("com_at_q");
    const Vec3 c = test::z_up(moment / mass);
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(c[k], com.items[static_cast<size_t>(k)].number, 1e-9) << robot.file;
    for (const JsonMember& link : robot.data.find("link_positions_at_q")->members) {
      if (std::find(scene.names.begin(), scene.names.end(), link.key) == scene.names.end())
        continue;
      const Vec3 p = test::z_up(scene.world.pose(test::body(scene, link.key)).p);
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(p[k], link.value.items[static_cast<size_t>(k)].number, 1e-9)
            << robot.file << " " << link.key;
      }
    }
    for (size_t i = 0; i < robot.joints.size(); ++i) {
      EXPECT_NEAR(read(scene, robot.joints[i]).coordinate[axis_of(scene, robot.joints[i])],
                  robot.q[i], 1e-9)
          << robot.file << " " << robot.joints[i];
    }
  }
}

// Motors that hold every joint feel the weight; one step at rest is enough to ask them.
TEST(UrdfReference, GravityLoadIsWhatMotorsHold) {
  for (const Robot& robot : read_reference()) {
    BuiltScene scene = test::build_scene(import_at_q(robot, true));
    scene.world.step();
    const Json& load = *robot.data.find("gravity_joint_force_needed_at_q_g9.81_minus_z");
    double largest = 1;
    for (const Json& value : load.items) largest = std::fmax(largest, std::fabs(value.number));
    for (size_t i = 0; i < robot.joints.size(); ++i) {
      const JointReading r = read(scene, robot.joints[i]);
      EXPECT_NEAR(r.axis_force[axis_of(scene, robot.joints[i])], load.items[i].number,
                  1e-9 * largest)
          << robot.file << " " << robot.joints[i];
    }
  }
}

// The kinetic energy of unit rates is a half of the mass matrix: T(e_i + e_j) - T(e_i) - T(e_j) =
// M_ij.
TEST(UrdfReference, MassMatrixIsTheEnergyOfRates) {
  for (const Robot& robot : read_reference()) {
    BuiltScene scene = test::build_scene(import_at_q(robot, false));
    const size_t n = robot.joints.size();
    const auto energy = [&](size_t a, size_t b) {
      std::vector<RateTarget> rates;
      for (size_t i = 0; i < n; ++i) {
        const JointHandle handle = test::joint(scene, robot.joints[i]);
        const auto axis = static_cast<tenon::JointAxis>(axis_of(scene, robot.joints[i]));
        rates.push_back({handle, axis, i == a || i == b ? 1.0 : 0.0});
      }
      for (const BodyHandle h : scene.handles) {
        if (scene.world.motion(h) != MotionKind::kDynamic) continue;
        (void)scene.world.set_velocity(h, {});
        (void)scene.world.set_angular_velocity(h, {});
      }
      const auto report = scene.world.match_velocities(rates);
      EXPECT_TRUE(report.ok());
      return scene.world.calc_mechanics().kinetic_J;
    };
    const Json& M = *robot.data.find("mass_matrix_at_q");
    double largest = 0;
    for (size_t i = 0; i < n; ++i) largest = std::fmax(largest, M.items[i].items[i].number);
    // no body has the inertia that this file gives its links; it was mended
    const bool mended = robot.file.find("TwoJoint") != std::string::npos;
    const double tolerance = mended ? 0.01 : 1e-9;
    std::vector<double> own(n);
    for (size_t i = 0; i < n; ++i) own[i] = energy(i, i);
    for (size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(2 * own[i], M.items[i].items[i].number, tolerance * largest) << robot.file;
      for (size_t j = 0; j < i; ++j) {
        EXPECT_NEAR(energy(i, j) - own[i] - own[j], M.items[i].items[j].number, tolerance * largest)
            << robot.file << " " << i << " " << j;
      }
    }
  }
}

TEST(UrdfReference, TheArmHeldByItsGravityTorquesStaysForASecond) {
  for (const Robot& robot : read_reference()) {
    if (robot.file.find("kuka") == std::string::npos) continue;
    Document d = import_at_q(robot, false);
    const Json& load = *robot.data.find("gravity_joint_force_needed_at_q_g9.81_minus_z");
    for (size_t i = 0; i < robot.joints.size(); ++i) {
      for (Joint& joint : d.joints) {
        if (joint.name != robot.joints[i]) continue;
        JointMotor motor;
        motor.force = load.items[i].number;
        joint.laws[3].motor = motor;
      }
    }
    d.world.sleeping = false;
    BuiltScene scene = test::build_scene(d);
    double drift = 0;
    while (scene.world.time() < 1) {
      scene.world.step();
      for (size_t i = 0; i < robot.joints.size(); ++i) {
        drift =
            std::fmax(drift, std::fabs(read(scene, robot.joints[i]).coordinate[3] - robot.q[i]));
      }
    }
    EXPECT_LT(drift, 1e-4);
    RecordProperty("drift_rad", std::to_string(drift));
    std::printf("drift of the kuka arm in 1 s: %.3g rad\n", drift);
  }
}

}  // namespace
}  // namespace tenon::scene
