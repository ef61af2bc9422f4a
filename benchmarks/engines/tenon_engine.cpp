// Tenon as its users get it; the variants differ in one setting each.
#include <array>
#include <cstdio>
#include <cstdlib>

#include "tenon/benchmarks/cpu_clock.h"
#include "tenon/benchmarks/engines/engine.h"
#include "tenon/engine/world/world.h"

namespace tenon {
namespace {

// A scene that does not build would make every figure worthless.
template <class T>
T demand(Result<T> result) {
  if (!result.ok()) {
    std::fprintf(stderr, "tenon: %s\n", format(result.error()).c_str());
    std::exit(1);
  }
  return std::move(result).value();
}

class TenonEngine : public BenchEngine {
 public:
  TenonEngine(const BenchScene& scene, const EngineSettings& settings, WorldSettings world)
      : substeps_(settings.substeps), world_(make_world(settings, world)) {
    SurfaceMaterial surface;
    surface.restitution = kSceneRestitution;
    surface.static_friction = surface.sliding_friction = kSceneFriction;
    material_ = demand(world_.add_material(surface));
    for (const SceneBody& body : scene.bodies) add_body(body);
    for (const SceneJoint& joint : scene.joints) add_joint(joint);
  }

  void advance() override {
    for (int i = 0; i < substeps_; ++i) {
      world_.step();
      const StepDiagnostics& d = world_.diagnostics();
      ++steps_;
      iterations_ += d.joint_iterations;
      bisections_ += d.bisections;
      substeps_done_ += d.substeps;
      fallbacks_ += d.fallbacks;
      unconverged_ += d.unconverged_joints > 0 ? 1 : 0;
      sweeps_ += d.contact_sweeps;
      for (size_t k = 0; k < kPhaseCount; ++k) phase_ms_[k] += d.phase_ms[k];
    }
  }
  void read(std::vector<BodyReading>& bodies) override {
    for (size_t i = 0; i < handles_.size(); ++i) {
      if (world_.motion(handles_[i]) != MotionKind::kDynamic) continue;
      bodies[i].X_WB = world_.pose(handles_[i]);
      bodies[i].v_WB = world_.velocity(handles_[i]);
      bodies[i].w_WB = world_.angular_velocity(handles_[i]);
    }
  }
  int contacts() const override { return static_cast<int>(world_.diagnostics().contacts); }
  std::vector<PhaseTime> phases() const override {
    std::vector<PhaseTime> times;
    for (size_t k = 0; k < kPhaseCount; ++k) {
      times.push_back({name(static_cast<Phase>(k)), phase_ms_[k]});
    }
    return times;
  }
  bool failed() const override { return world_.diagnostics().frozen_bodies > 0; }
  std::string note() const override {
    char text[120];
    std::snprintf(text, sizeof text, "%.1f iterations/step",
                  static_cast<double>(iterations_) / static_cast<double>(steps_ ? steps_ : 1));
    std::string note = text;
    if (substeps_done_) {
      std::snprintf(text, sizeof text, ", %.1f substeps/step",
                    static_cast<double>(substeps_done_) / static_cast<double>(steps_));
      note += text;
    }
    if (sweeps_) {
      std::snprintf(text, sizeof text, ", %.1f sweeps/step",
                    static_cast<double>(sweeps_) / static_cast<double>(steps_));
      note += text;
    }
    if (fallbacks_) note += ", " + std::to_string(fallbacks_) + " fallbacks";
    if (bisections_) note += ", " + std::to_string(bisections_) + " bisections";
    if (unconverged_) note += ", " + std::to_string(unconverged_) + " steps above tolerance";
    return note;
  }

 private:
  static World make_world(const EngineSettings& settings, WorldSettings world) {
    world.sleeping = false;  // every engine is measured awake
    world.gravity = {0, -kSceneGravity, 0};
    world.step = settings.frame / settings.substeps;
    world.threads = 1;
    if (settings.phases) world.clock = cpu_seconds;
    return demand(World::make(world));
  }
  void add_body(const SceneBody& body) {
    BodyDef def;
    def.X_WB = body.X_WB;
    def.velocity = body.v_WB;
    def.angular_velocity = body.w_WB;
    if (body.mass > 0) {
      def.mass = MassProperties{body.mass, {}, Mat3::diagonal(body.moments)};
    } else {
      def.motion = MotionKind::kStatic;
    }
    if (body.collides) def.colliders.push_back(make_collider(body.shape));
    handles_.push_back(demand(world_.create_body(def)));
  }
  ColliderDef make_collider(const SceneShape& shape) const {
    ColliderDef collider;
    collider.material = material_;
    const Vec3& half = shape.half;
    if (shape.kind == SceneShape::Kind::kBox) {
      collider.shape = Box{half};
    } else if (half.z == 0) {
      collider.shape = Sphere{half.x};
    } else {
      collider.shape = Capsule{half.x, half.z};
      collider.X_BS.q = from_axis_angle({1, 0, 0}, 0.5 * kPi);  // ours lie along y
    }
    return collider;
  }
  void add_joint(const SceneJoint& joint) {
    JointDef def;
    def.kind = joint.hinge ? JointKind::kHinge : JointKind::kPoint;
    if (joint.a >= 0) def.parent = handles_[static_cast<size_t>(joint.a)];
    if (joint.b >= 0) def.child = handles_[static_cast<size_t>(joint.b)];
    const auto frame = [](const Vec3& p, const Vec3& axis, const Vec3& side) {
      return Pose{p, to_quat(Mat3::from_columns(axis, side, cross(axis, side)))};
    };
    def.X_BP = frame(joint.p_A, joint.axis_A, joint.side_A);
    def.X_BC = frame(joint.p_B, joint.axis_B, joint.side_B);
    if (joint.limited) {
      JointAxisDef& twist = def.axes[static_cast<size_t>(JointAxis::kRx)];
      twist.min = joint.hinge ? joint.min : -joint.twist;
      twist.max = joint.hinge ? joint.max : joint.twist;
      if (!joint.hinge) def.swing_max = joint.swing;
    }
    demand(world_.create_joint(def));
  }

  int substeps_;
  World world_;
  std::vector<BodyHandle> handles_;
  uint64_t steps_ = 0, iterations_ = 0, bisections_ = 0, unconverged_ = 0;
  uint64_t substeps_done_ = 0, fallbacks_ = 0, sweeps_ = 0;
  std::array<double, kPhaseCount> phase_ms_{};
  MaterialId material_ = 0;
};

template <Integration kIntegration, JointSolver kSolver>
std::unique_ptr<BenchEngine> make(const BenchScene& scene, const EngineSettings& settings) {
  WorldSettings world;
  world.integration = kIntegration;
  world.joint_solver = kSolver;
  return std::make_unique<TenonEngine>(scene, settings, world);
}

}  // namespace

std::vector<EngineKind> tenon_engines() {
  using enum Integration;
  using enum JointSolver;
  return {
      {"tenon", "Tenon", false, true, make<kStable, kDirect>},
      {"tenon-conservative", "Tenon, conservative", false, false, make<kConservative, kDirect>},
      {"tenon-rattle", "Tenon, rattle", false, false, make<kRattle, kDirect>},
      {"tenon-sweep", "Tenon, sweeps", false, false, make<kStable, kSweep>},
  };
}

}  // namespace tenon
