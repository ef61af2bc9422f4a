// ODE with its usual settings: quick step (20 iterations) and the direct step with dense matrices.
#include "tenon/benchmarks/joints/engine.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <ode/ode.h>
#pragma GCC diagnostic pop

namespace tenon {
namespace {

using Step = int (*)(dWorldID, dReal);

Vec3 from(const dReal* v) { return {v[0], v[1], v[2]}; }

class OdeEngine : public JointEngine {
 public:
  OdeEngine(const JointScene& scene, const EngineSettings& settings, Step step)
      : settings_(settings), step_(step), world_(dWorldCreate()) {
    dRandSetSeed(0);  // quick step shuffles joints: every run shall do so alike
    dWorldSetGravity(world_, 0, -kSceneGravity, 0);
    for (const SceneBody& body : scene.bodies) add_body(body);
    for (const SceneJoint& joint : scene.joints) add_joint(scene, joint);
  }
  ~OdeEngine() override { dWorldDestroy(world_); }

  void advance() override {
    const double step = settings_.frame / settings_.substeps;
    for (int i = 0; i < settings_.substeps; ++i) out_of_memory_ |= step_(world_, step) == 0;
  }
  void read(std::vector<BodyReading>& bodies) override {
    for (size_t i = 0; i < bodies_.size(); ++i) {
      const dReal* q = dBodyGetQuaternion(bodies_[i]);
      bodies[i] = {{from(dBodyGetPosition(bodies_[i])), {q[0], q[1], q[2], q[3]}},
                   from(dBodyGetLinearVel(bodies_[i])),
                   from(dBodyGetAngularVel(bodies_[i]))};
    }
  }
  bool failed() const override { return out_of_memory_; }

 private:
  void add_body(const SceneBody& body) {
    const dBodyID id = dBodyCreate(world_);
    const auto& [p, q] = body.X_WB;
    const Vec3 &I = body.moments, &v = body.v_WB, &w = body.w_WB;
    const dQuaternion quaternion = {q.w, q.x, q.y, q.z};
    dBodySetPosition(id, p.x, p.y, p.z);
    dBodySetQuaternion(id, quaternion);
    dMass mass;
    dMassSetParameters(&mass, body.mass, 0, 0, 0, I.x, I.y, I.z, 0, 0, 0);
    dBodySetMass(id, &mass);
    dBodySetLinearVel(id, v.x, v.y, v.z);
    dBodySetAngularVel(id, w.x, w.y, w.z);
    bodies_.push_back(id);
  }
  void add_joint(const JointScene& scene, const SceneJoint& joint) {
    const SceneBody& b = scene.bodies[static_cast<size_t>(joint.b)];
    const Vec3 anchor = b.X_WB.p + rotate(b.X_WB.q, joint.p_B);
    const Vec3 axis = rotate(b.X_WB.q, joint.axis_B);
    // ODE wants the world second
    dBodyID first = bodies_[static_cast<size_t>(joint.b)], second = nullptr;
    if (joint.a >= 0) {
      second = first;
      first = bodies_[static_cast<size_t>(joint.a)];
    }
    const dJointID id =
        joint.hinge ? dJointCreateHinge(world_, nullptr) : dJointCreateBall(world_, nullptr);
    dJointAttach(id, first, second);
    if (joint.hinge) {
      dJointSetHingeAnchor(id, anchor.x, anchor.y, anchor.z);
      dJointSetHingeAxis(id, axis.x, axis.y, axis.z);
    } else {
      dJointSetBallAnchor(id, anchor.x, anchor.y, anchor.z);
    }
  }

  EngineSettings settings_;
  Step step_;
  dWorldID world_;
  std::vector<dBodyID> bodies_;
  bool out_of_memory_ = false;
};

template <Step kStep>
std::unique_ptr<JointEngine> make(const JointScene& scene, const EngineSettings& settings) {
  return std::make_unique<OdeEngine>(scene, settings, kStep);
}

// Its matrix has the square of three to five rows per joint, and the time grows with the cube.
std::string refuse_dense(const JointScene& scene) {
  return scene.joints.size() > 1500 ? "more than 1500 joints: dense matrix" : "";
}

}  // namespace

std::vector<EngineKind> ode_engines() {
  dInitODE2(0);
  dAllocateODEDataForThread(dAllocateMaskAll);
  // it would report every step with an awkward matrix on stderr
  dSetMessageHandler([](int, const char*, va_list) {});
  const std::string version =
      "ODE " TENON_ODE_VERSION ", " + std::string(sizeof(dReal) == 4 ? "float" : "double");
  return {{"ode", version + ", quick step", true, true, make<dWorldQuickStep>},
          {"ode-step", version + ", step", true, true, make<dWorldStep>, refuse_dense}};
}

}  // namespace tenon
