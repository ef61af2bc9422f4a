// ODE with its usual settings: quick step (20 iterations) and the direct step with dense matrices.
#include "tenon/benchmarks/engines/engine.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <ode/ode.h>
#pragma GCC diagnostic pop

namespace tenon {
namespace {

using Step = int (*)(dWorldID, dReal);

Vec3 from(const dReal* v) { return {v[0], v[1], v[2]}; }

class OdeEngine : public BenchEngine {
 public:
  OdeEngine(const BenchScene& scene, const EngineSettings& settings, Step step)
      : settings_(settings),
        step_(step),
        world_(dWorldCreate()),
        space_(dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ)),
        touching_(dJointGroupCreate(0)) {
    dRandSetSeed(0);  // quick step shuffles joints: every run shall do so alike
    dWorldSetGravity(world_, 0, -kSceneGravity, 0);
    // with short steps, contacts that keep a little overlap do not flicker
    if (settings.substeps > 1) dWorldSetContactSurfaceLayer(world_, 0.001);
    for (const SceneBody& body : scene.bodies) add_body(body);
    for (const SceneJoint& joint : scene.joints) add_joint(scene, joint);
  }
  ~OdeEngine() override {
    dJointGroupDestroy(touching_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
  }

  void advance() override {
    const double step = settings_.frame / settings_.substeps;
    for (int i = 0; i < settings_.substeps; ++i) {
      contacts_ = 0;
      dSpaceCollide(space_, this, [](void* self, dGeomID a, dGeomID b) {
        static_cast<OdeEngine*>(self)->touch(a, b);
      });
      out_of_memory_ |= step_(world_, step) == 0;
      dJointGroupEmpty(touching_);
    }
  }
  int contacts() const override { return contacts_; }
  void read(std::vector<BodyReading>& bodies) override {
    for (size_t i = 0; i < bodies_.size(); ++i) {
      if (!bodies_[i]) continue;
      const dReal* q = dBodyGetQuaternion(bodies_[i]);
      bodies[i] = {{from(dBodyGetPosition(bodies_[i])), {q[0], q[1], q[2], q[3]}},
                   from(dBodyGetLinearVel(bodies_[i])),
                   from(dBodyGetAngularVel(bodies_[i]))};
    }
  }
  bool failed() const override { return out_of_memory_; }

 private:
  void touch(dGeomID a, dGeomID b) {
    const dBodyID first = dGeomGetBody(a), second = dGeomGetBody(b);
    if (!first && !second) return;
    if (first && second && dAreConnectedExcluding(first, second, dJointTypeContact)) return;
    constexpr int kMost = 8;
    dContact points[kMost];
    const int count = dCollide(a, b, kMost, &points[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
      points[i].surface.mode = dContactApprox1;
      points[i].surface.mu = kSceneFriction;
      dJointAttach(dJointCreateContact(world_, touching_, &points[i]), first, second);
    }
    contacts_ += count;
  }
  void add_body(const SceneBody& body) {
    const auto& [p, q] = body.X_WB;
    const dQuaternion quaternion = {q.w, q.x, q.y, q.z};
    dGeomID shape = body.collides ? make_shape(body.shape) : nullptr;
    if (body.mass == 0) {
      if (shape) dGeomSetPosition(shape, p.x, p.y, p.z);
      if (shape) dGeomSetQuaternion(shape, quaternion);
      bodies_.push_back(nullptr);
      return;
    }
    const dBodyID id = dBodyCreate(world_);
    if (shape) dGeomSetBody(shape, id);
    const Vec3 &I = body.moments, &v = body.v_WB, &w = body.w_WB;
    dBodySetPosition(id, p.x, p.y, p.z);
    dBodySetQuaternion(id, quaternion);
    dMass mass;
    dMassSetParameters(&mass, body.mass, 0, 0, 0, I.x, I.y, I.z, 0, 0, 0);
    dBodySetMass(id, &mass);
    dBodySetLinearVel(id, v.x, v.y, v.z);
    dBodySetAngularVel(id, w.x, w.y, w.z);
    bodies_.push_back(id);
  }
  dGeomID make_shape(const SceneShape& shape) {
    const Vec3& half = shape.half;
    if (shape.kind == SceneShape::Kind::kBox) {
      return dCreateBox(space_, 2 * half.x, 2 * half.y, 2 * half.z);
    }
    return half.z == 0 ? dCreateSphere(space_, half.x) : dCreateCapsule(space_, half.x, 2 * half.z);
  }
  void add_joint(const BenchScene& scene, const SceneJoint& joint) {
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
      // the angle is of the first against the second. The lower stop cannot be set above the
      // upper one: once more afterwards
      const bool turned = joint.a >= 0;
      const double low = turned ? -joint.max : joint.min, high = turned ? -joint.min : joint.max;
      for (int i = 0; joint.limited && i < 2; ++i) {
        dJointSetHingeParam(id, dParamLoStop, low);
        dJointSetHingeParam(id, dParamHiStop, high);
      }
    } else {
      dJointSetBallAnchor(id, anchor.x, anchor.y, anchor.z);
      if (joint.limited) limit_ball(first, second, axis, joint);
    }
  }
  // Ball joints have no limits; Euler angles of a second joint have. The box of swings is wider
  // than the cone of the others.
  void limit_ball(dBodyID first, dBodyID second, const Vec3& axis, const SceneJoint& joint) {
    const dJointID id = dJointCreateAMotor(world_, nullptr);
    dJointAttach(id, first, second);
    dJointSetAMotorMode(id, dAMotorEuler);
    const Vec3 side = any_orthogonal(axis);
    dJointSetAMotorAxis(id, 0, 1, side.x, side.y, side.z);
    dJointSetAMotorAxis(id, 2, 2, axis.x, axis.y, axis.z);
    dJointSetAMotorParam(id, dParamLoStop, -joint.swing);
    dJointSetAMotorParam(id, dParamHiStop, joint.swing);
    dJointSetAMotorParam(id, dParamLoStop2, -joint.swing);
    dJointSetAMotorParam(id, dParamHiStop2, joint.swing);
    dJointSetAMotorParam(id, dParamLoStop3, -joint.twist);
    dJointSetAMotorParam(id, dParamHiStop3, joint.twist);
  }

  EngineSettings settings_;
  Step step_;
  dWorldID world_;
  dSpaceID space_;
  dJointGroupID touching_;
  std::vector<dBodyID> bodies_;
  bool out_of_memory_ = false;
  int contacts_ = 0;
};

template <Step kStep>
std::unique_ptr<BenchEngine> make(const BenchScene& scene, const EngineSettings& settings) {
  return std::make_unique<OdeEngine>(scene, settings, kStep);
}

// Its matrix has the square of three to five rows per joint, and the time grows with the cube.
// Heaps have more rows of contacts than of joints.
std::string refuse_dense(const BenchScene& scene) {
  if (scene.collides() && scene.bodies.size() > 250) {
    return "more than 250 bodies that touch: dense matrix";
  }
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
