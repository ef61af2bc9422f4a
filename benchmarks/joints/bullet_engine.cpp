// Bullet: rigid bodies with sequential impulses, its usual ten iterations, no damping, no sleeping.
#include "tenon/benchmarks/joints/engine.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <btBulletDynamicsCommon.h>
#pragma GCC diagnostic pop

namespace tenon {
namespace {

btScalar bt(double x) { return static_cast<btScalar>(x); }
btVector3 bt(const Vec3& v) { return {bt(v.x), bt(v.y), bt(v.z)}; }
btQuaternion bt(const Quat& q) { return {bt(q.x), bt(q.y), bt(q.z), bt(q.w)}; }
Vec3 from(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
Quat from(const btQuaternion& q) { return {q.w(), q.x(), q.y(), q.z()}; }

class BulletEngine : public JointEngine {
 public:
  BulletEngine(const JointScene& scene, const EngineSettings& settings)
      : settings_(settings),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broad_phase_, &solver_, &configuration_) {
    world_.setGravity(bt(Vec3{0, -kSceneGravity, 0}));
    for (const SceneBody& body : scene.bodies) add_body(body);
    for (const SceneJoint& joint : scene.joints) add_joint(joint);
  }
  ~BulletEngine() override {
    for (auto& joint : joints_) world_.removeConstraint(joint.get());
    for (auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  void advance() override {
    // 0: one step of just this length, whatever its own clock says
    const btScalar step = bt(settings_.frame / settings_.substeps);
    for (int i = 0; i < settings_.substeps; ++i) world_.stepSimulation(step, 0);
  }
  void read(std::vector<BodyReading>& bodies) override {
    for (size_t i = 0; i < bodies_.size(); ++i) {
      const btRigidBody& body = *bodies_[i];
      const btTransform& X = body.getWorldTransform();
      bodies[i] = {{from(X.getOrigin()), from(X.getRotation())},
                   from(body.getLinearVelocity()),
                   from(body.getAngularVelocity())};
    }
  }

 private:
  void add_body(const SceneBody& body) {
    // Bullet moves only bodies with a shape: an empty one, which collides with nothing
    btRigidBody::btRigidBodyConstructionInfo info(bt(body.mass), nullptr, &shape_,
                                                  bt(body.moments));
    info.m_startWorldTransform = btTransform(bt(body.X_WB.q), bt(body.X_WB.p));
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setLinearVelocity(bt(body.v_WB));
    bodies_.back()->setAngularVelocity(bt(body.w_WB));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(bodies_.back().get(), 2, 0);
  }
  btRigidBody& body_of(int index) {
    return index < 0 ? btTypedConstraint::getFixedBody() : *bodies_[static_cast<size_t>(index)];
  }
  void add_joint(const SceneJoint& joint) {
    btRigidBody &a = body_of(joint.a), &b = body_of(joint.b);
    if (joint.hinge) {
      // the frames meet at the start; a hinge turns about z
      const auto frame = [&](const btRigidBody& body, const Vec3& p, const btQuaternion& q_WJ) {
        return btTransform(body.getWorldTransform().getRotation().inverse() * q_WJ, bt(p));
      };
      const Vec3 z = from(quatRotate(b.getWorldTransform().getRotation(), bt(joint.axis_B)));
      const Vec3 x = any_orthogonal(z);
      const btQuaternion q_WJ = bt(to_quat(Mat3::from_columns(x, cross(z, x), z)));
      joints_.push_back(std::make_unique<btHingeConstraint>(a, b, frame(a, joint.p_A, q_WJ),
                                                            frame(b, joint.p_B, q_WJ)));
    } else if (joint.a < 0) {
      // the world's side is where the body's anchor is now
      joints_.push_back(std::make_unique<btPoint2PointConstraint>(b, bt(joint.p_B)));
    } else {
      joints_.push_back(
          std::make_unique<btPoint2PointConstraint>(a, b, bt(joint.p_A), bt(joint.p_B)));
    }
    world_.addConstraint(joints_.back().get(), true);
  }

  EngineSettings settings_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  btEmptyShape shape_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
};

}  // namespace

std::vector<EngineKind> bullet_engines() {
  const int version = btGetVersion();
  const std::string text = "Bullet " + std::to_string(version / 100) + "." +
                           std::to_string(version % 100) + ", " +
                           (sizeof(btScalar) == 4 ? "float" : "double");
  const auto make = [](const JointScene& scene,
                       const EngineSettings& settings) -> std::unique_ptr<JointEngine> {
    return std::make_unique<BulletEngine>(scene, settings);
  };
  return {{"bullet", text, true, true, make}};
}

}  // namespace tenon
