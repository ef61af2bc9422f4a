// Tenon as its users get it; the variants differ in one setting each.
#include <cstdio>
#include <cstdlib>

#include "tenon/benchmarks/joints/engine.h"
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

class TenonEngine : public JointEngine {
 public:
  TenonEngine(const JointScene& scene, const EngineSettings& settings, WorldSettings world)
      : substeps_(settings.substeps), world_(make_world(settings, world)) {
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
    }
  }
  void read(std::vector<BodyReading>& bodies) override {
    for (size_t i = 0; i < handles_.size(); ++i) {
      bodies[i].X_WB = world_.pose(handles_[i]);
      bodies[i].v_WB = world_.velocity(handles_[i]);
      bodies[i].w_WB = world_.angular_velocity(handles_[i]);
    }
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
    if (fallbacks_) note += ", " + std::to_string(fallbacks_) + " fallbacks";
    if (bisections_) note += ", " + std::to_string(bisections_) + " bisections";
    if (unconverged_) note += ", " + std::to_string(unconverged_) + " steps above tolerance";
    return note;
  }

 private:
  static World make_world(const EngineSettings& settings, WorldSettings world) {
    world.gravity = {0, -kSceneGravity, 0};
    world.step = settings.frame / settings.substeps;
    world.threads = 1;
    return demand(World::make(world));
  }
  void add_body(const SceneBody& body) {
    BodyDef def;
    def.X_WB = body.X_WB;
    def.velocity = body.v_WB;
    def.angular_velocity = body.w_WB;
    def.mass = MassProperties{body.mass, {}, Mat3::diagonal(body.moments)};
    handles_.push_back(demand(world_.create_body(def)));
  }
  void add_joint(const SceneJoint& joint) {
    JointDef def;
    def.kind = joint.hinge ? JointKind::kHinge : JointKind::kPoint;
    if (joint.a >= 0) def.parent = handles_[static_cast<size_t>(joint.a)];
    if (joint.b >= 0) def.child = handles_[static_cast<size_t>(joint.b)];
    // both frames have the world's axes turned so that x is the hinge's axis
    const Quat q_WA = joint.a < 0 ? Quat{} : world_.pose(def.parent).q;
    const Quat q_WB = world_.pose(def.child).q;
    const Vec3 x = rotate(q_WB, joint.axis_B), y = any_orthogonal(x);
    const Quat q_WJ = to_quat(Mat3::from_columns(x, y, cross(x, y)));
    def.X_BP = {joint.p_A, conjugate(q_WA) * q_WJ};
    def.X_BC = {joint.p_B, conjugate(q_WB) * q_WJ};
    demand(world_.create_joint(def));
  }

  int substeps_;
  World world_;
  std::vector<BodyHandle> handles_;
  uint64_t steps_ = 0, iterations_ = 0, bisections_ = 0, unconverged_ = 0;
  uint64_t substeps_done_ = 0, fallbacks_ = 0;
};

template <Integration kIntegration, JointSolver kSolver>
std::unique_ptr<JointEngine> make(const JointScene& scene, const EngineSettings& settings) {
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
