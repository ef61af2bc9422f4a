// Bullet: rigid bodies with sequential impulses, its usual ten iterations, no damping, no sleeping.
#include <array>
#include <cmath>
#include <map>

#include "tenon/benchmarks/engines/engine.h"

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

class BulletEngine : public BenchEngine {
 public:
  BulletEngine(const BenchScene& scene, const EngineSettings& settings)
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
  int contacts() const override {
    int count = 0;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      count += dispatcher_.getManifoldByIndexInternal(i)->getNumContacts();
    }
    return count;
  }
  void read(std::vector<BodyReading>& bodies) override {
    for (size_t i = 0; i < bodies_.size(); ++i) {
      const btRigidBody& body = *bodies_[i];
      if (body.isStaticObject()) continue;
      const btTransform& X = body.getWorldTransform();
      bodies[i] = {{from(X.getOrigin()), from(X.getRotation())},
                   from(body.getLinearVelocity()),
                   from(body.getAngularVelocity())};
    }
  }

 private:
  void add_body(const SceneBody& body) {
    btRigidBody::btRigidBodyConstructionInfo info(bt(body.mass), nullptr, shape_of(body),
                                                  bt(body.mass > 0 ? body.moments : Vec3{}));
    // it multiplies what either body has
    info.m_friction = bt(std::sqrt(kSceneFriction));
    info.m_restitution = bt(kSceneRestitution);
    info.m_startWorldTransform = btTransform(bt(body.X_WB.q), bt(body.X_WB.p));
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setLinearVelocity(bt(body.v_WB));
    bodies_.back()->setAngularVelocity(bt(body.w_WB));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    if (body.collides) {
      world_.addRigidBody(bodies_.back().get());
    } else {
      world_.addRigidBody(bodies_.back().get(), 2, 0);
    }
  }
  // Bullet moves only bodies with a shape: an empty one for those that collide with nothing.
  // Equal shapes are shared, as its manual asks for.
  btCollisionShape* shape_of(const SceneBody& body) {
    if (!body.collides) return &empty_;
    const auto& [kind, half] = body.shape;
    auto& shape = shapes_[{static_cast<double>(kind), half.x, half.y, half.z}];
    if (shape) return shape.get();
    if (kind == SceneShape::Kind::kBox) {
      shape = std::make_unique<btBoxShape>(bt(half));
    } else if (half.z == 0) {
      shape = std::make_unique<btSphereShape>(bt(half.x));
    } else {
      shape = std::make_unique<btCapsuleShapeZ>(bt(half.x), bt(2 * half.z));
    }
    return shape.get();
  }
  btRigidBody& body_of(int index) {
    return index < 0 ? btTypedConstraint::getFixedBody() : *bodies_[static_cast<size_t>(index)];
  }
  void add_joint(const SceneJoint& joint) {
    btRigidBody &a = body_of(joint.a), &b = body_of(joint.b);
    if (joint.hinge) {
      // it turns about z, and counts angles the other way round
      const auto frame = [](const Vec3& p, const Vec3& axis, const Vec3& side) {
        const Mat3 R = Mat3::from_columns(side, cross(axis, side), axis);
        return btTransform(bt(to_quat(R)), bt(p));
      };
      auto hinge =
          std::make_unique<btHingeConstraint>(a, b, frame(joint.p_A, joint.axis_A, joint.side_A),
                                              frame(joint.p_B, joint.axis_B, joint.side_B));
      if (joint.limited) hinge->setLimit(bt(-joint.max), bt(-joint.min));
      joints_.push_back(std::move(hinge));
    } else if (joint.limited) {
      // it twists about x
      const auto frame = [](const Vec3& p, const Vec3& axis, const Vec3& side) {
        const Mat3 R = Mat3::from_columns(axis, side, cross(axis, side));
        return btTransform(bt(to_quat(R)), bt(p));
      };
      auto cone = std::make_unique<btConeTwistConstraint>(
          a, b, frame(joint.p_A, joint.axis_A, joint.side_A),
          frame(joint.p_B, joint.axis_B, joint.side_B));
      cone->setLimit(bt(joint.swing), bt(joint.swing), bt(joint.twist));
      joints_.push_back(std::move(cone));
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
  btEmptyShape empty_;
  std::map<std::array<double, 4>, std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
};

}  // namespace

std::vector<EngineKind> bullet_engines() {
  const int version = btGetVersion();
  const std::string text = "Bullet " + std::to_string(version / 100) + "." +
                           std::to_string(version % 100) + ", " +
                           (sizeof(btScalar) == 4 ? "float" : "double");
  const auto make = [](const BenchScene& scene,
                       const EngineSettings& settings) -> std::unique_ptr<BenchEngine> {
    return std::make_unique<BulletEngine>(scene, settings);
  };
  return {{"bullet", text, true, true, make}};
}

}  // namespace tenon
