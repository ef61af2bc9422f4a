// The world: owns all bodies and moves them step by step.
//
// Everything is a value or a handle; nothing is global; no call throws. A world is used by one
// thread at a time and uses the threads of its settings inside step(). The same sequence of calls
// gives the same bits on every platform and with every thread count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tenon/engine/base/handle.h"
#include "tenon/engine/base/result.h"
#include "tenon/engine/contact/contact.h"
#include "tenon/engine/forces/random_gravity.h"
#include "tenon/engine/forces/timed_force.h"
#include "tenon/engine/joints/connection.h"
#include "tenon/engine/joints/joint_def.h"
#include "tenon/engine/joints/vibration.h"
#include "tenon/engine/solve_articulated/mobility.h"
#include "tenon/engine/solve_contact/faithful/settings.h"
#include "tenon/engine/solve_displacement/settings.h"
#include "tenon/engine/solve_force/settings.h"
#include "tenon/engine/world/assembly.h"
#include "tenon/engine/world/body_def.h"
#include "tenon/engine/world/carry_over.h"
#include "tenon/engine/world/diagnostics.h"
#include "tenon/engine/world/drag.h"
#include "tenon/engine/world/event.h"
#include "tenon/engine/world/joint_rules.h"

namespace tenon {

// How a world moves.
enum class Method : uint8_t {
  kImpulse,       // equal steps, joints and contacts by impulses: fast, and stable at any step
  kForce,         // forces, integrated with error control: the reference (docs/theory/force.md)
  kDisplacement,  // displacement constraints: previews within a budget of iterations or time
                  // (docs/theory/displacement.md)
};
// How the joints of the impulse method are solved.
enum class JointSolver : uint8_t {
  kDirect,  // all joints of a mechanism at once, to the tolerance (docs/theory/joints.md)
  kSweep,   // joint after joint, a fixed number of sweeps: the method of the paper
};
// How jointed bodies move over a step (docs/theory/joints.md). Of the direct solver.
enum class Integration : uint8_t {
  kStable,        // energy and momentum kept; damped only where the step cannot resolve the motion
  kConservative,  // the same without any damping
  kRattle,        // symplectic, for the best trajectories; substeps where the step is too coarse
};

struct WorldSettings {
  Vec3 gravity{0, -9.81, 0};        // m/s^2
  GravityNoise gravity_noise = {};  // makes gravity vary about that at random; moves what rests
  Vec3 wind = {};                   // m/s, of the air everywhere: what air resistance is against
  double step = 1.0 / 60;  // s, > 0; any length, 1/60 suits films and games. Of kForce: the
                           // time between frames; its integrator has steps of its own
  Method method = Method::kImpulse;
  ForceSettings force = {};                  // of Method::kForce
  displacement::Settings displacement = {};  // of Method::kDisplacement
  double tolerance = 1e-6;  // relative to body size; what joints and contacts are solved to
  JointSolver joint_solver = JointSolver::kDirect;
  Integration integration = Integration::kStable;
  int sweeps = 9;  // >= 1, of kSweep; the paper finds 9 enough for 2000 bodies
  faithful::Settings faithful =
      {};                // of kSweep: the parts of its step; contact.sweeps is the above
  double budget_ms = 0;  // > 0: stop improving joints after this much time per step; needs a clock.
                         // What is left is reported; the same bits are then no longer promised
  bool sleeping = true;  // what has come to rest costs next to nothing until something touches it;
                         // docs/theory/contacts.md, section 7
  int threads = 1;       // >= 1; changes speed, never results
  // Wall clock in seconds for phase timings; nullptr = no timings. The engine has no clock itself.
  double (*clock)() = nullptr;
};

struct WorldData;

// A copy of a whole world at one moment: cheap to hold, immutable, restorable any number of times.
class Snapshot {
 public:
  Snapshot() = default;
  bool empty() const { return data_ == nullptr; }

 private:
  friend class World;
  explicit Snapshot(std::shared_ptr<const WorldData> data) : data_(std::move(data)) {}
  std::shared_ptr<const WorldData> data_;
};

// What a joint does, at the end of the last step.
struct JointReading {
  double gap_m = 0;      // distance that should be zero between the two frames
  double angle_rad = 0;  // angle that should be zero
  // Coordinates x y z rx ry rz (joint_def.h) and their rates; those that the joint does not have or
  // holds are measured all the same. Angles that count turns do so from the joint's creation on.
  std::array<double, kJointAxisCount> coordinate{}, rate{};
  // Mean force and torque over the last step on the child at its joint frame's origin, world axes;
  // the parent gets the opposite at the same point. Jerks of stops and motors are part of it.
  Vec3 force, torque;
  // What a motor, spring, friction or limit does along each freedom, N or N m.
  std::array<double, kJointAxisCount> axis_force{};
  bool enabled = true, broken = false;
  uint8_t free_axes = 0;  // bit k: JointAxis k is a freedom of the joint
};

// What a force on a timeline does now.
struct ForceReading {
  Vec3 point;   // where it acts, world coordinates
  Vec3 force;   // N, world axes
  Vec3 torque;  // N m, about the body's centre of mass: of the force and of its own
  double scale = 0;
};

class World {
 public:
  // Error if a setting is not finite or out of range.
  static Result<World> make(const WorldSettings& settings = {});
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;
  ~World();

  const WorldSettings& settings() const;
  // Takes effect at the next step. Same checks as make; on an error nothing changes.
  Status set_settings(const WorldSettings& settings);

  // -- materials
  Result<MaterialId> add_material(const SurfaceMaterial& material);
  Status set_material_pair(MaterialId a, MaterialId b, const PairOverride& values);
  const MaterialTable& materials() const;

  // -- collision rules: classes of bodies, all of which may touch until told otherwise
  Result<CollisionClass> add_collision_class();
  Status set_may_touch(CollisionClass a, CollisionClass b, bool may_touch);
  // The same for two single bodies; true leaves the decision to their classes again.
  Status set_may_touch_bodies(BodyHandle a, BodyHandle b, bool may_touch);

  // -- bodies, at any time between steps
  Result<BodyHandle> create_body(const BodyDef& def);
  Status remove_body(BodyHandle body);  // error if the handle is stale
  bool contains(BodyHandle body) const;
  size_t body_count() const;
  std::vector<BodyHandle> bodies() const;   // in a stable order
  BodyHandle body_at(uint32_t slot) const;  // of a Contact's body index

  // -- reading a body. Precondition: contains(body).
  MotionKind motion(BodyHandle body) const;
  bool frozen(BodyHandle body) const;          // its state stopped being finite
  bool asleep(BodyHandle body) const;          // at rest, and left alone until something touches it
  Pose pose(BodyHandle body) const;            // X_WB, of the body frame
  Vec3 center_of_mass(BodyHandle body) const;  // p_WC
  // Velocity of the centre of mass; kinematic bodies: of the frame's origin, see velocity_at in
  // engine/bodies/kinematic_motion.h.
  Vec3 velocity(BodyHandle body) const;
  Vec3 angular_velocity(BodyHandle body) const;  // world axes
  Vec3 angular_momentum(BodyHandle body) const;  // about the centre of mass, world axes
  const BodyMass& mass(BodyHandle body) const;   // zeros for bodies that are not dynamic

  // -- changing a body between steps. Error if the handle is stale, a number is not finite or
  // beyond 1e9 (m, m/s, rad/s), or the body is of the wrong kind (only dynamic bodies have
  // velocities to set). A frozen body takes a new pose, at which it starts from rest, and nothing
  // else.
  Status set_pose(BodyHandle body, const Pose& X_WB);
  Status set_velocity(BodyHandle body, const Vec3& velocity);
  Status set_angular_velocity(BodyHandle body, const Vec3& angular_velocity);
  // Acts during the next step only; several calls add up. The torque is about the centre of mass,
  // the lever of a force the one at the time of the call. A point mass feels no torque.
  Status apply_force(BodyHandle body, const Vec3& force, const Vec3& point_W);
  Status apply_wrench(BodyHandle body, const Wrench& wrench);
  // When a kinematic body becomes dynamic, or became it; nullopt for all that never do.
  std::optional<double> release_time(BodyHandle body) const;  // precondition: contains(body)
  // Lets such a body go now rather than then, with the velocity its script has led to.
  Status release(BodyHandle body);

  // -- forces on a timeline (timed_force.h), at any time between steps. They are part of what the
  // world is, like joints; they go with their body and with the one they point to. Error: what
  // check() refuses, a body that is not dynamic, what would turn a point mass.
  Result<ForceHandle> add_force(const TimedForceDef& def);
  Status remove_force(ForceHandle force);
  bool contains(ForceHandle force) const;
  size_t force_count() const;
  std::vector<ForceHandle> forces() const;  // in a stable order
  // Precondition: contains(force).
  const TimedForceDef& force_def(ForceHandle force) const;
  ForceReading read_force(ForceHandle force) const;

  // -- joints, at any time between steps. Errors name what is wrong with a definition. Bodies that
  // do not meet at a new joint are brought together by the next step, without gaining speed.
  Result<JointHandle> create_joint(const JointDef& def);
  // A spring, damper, rod, rope ... between points of two bodies (connection.h): makes its joint.
  Result<JointHandle> create_connection(const ConnectionDef& def);
  Status remove_joint(JointHandle joint);
  bool contains(JointHandle joint) const;
  size_t joint_count() const;
  std::vector<JointHandle> joints() const;                    // in a stable order
  Status set_joint_enabled(JointHandle joint, bool enabled);  // also mends a broken joint
  Status set_motor(JointHandle joint, JointAxis axis, const Motor& motor);
  // Precondition: contains(joint).
  const JointDef& joint_def(JointHandle joint) const;
  JointReading read_joint(JointHandle joint) const;
  // Natural frequency and damping ratio of its springs where the bodies are now.
  Vibration calc_vibration(JointHandle joint) const;

  // -- rules by which joints come and go (joint_rules.h). Their joints stand among joints(), are
  // part of the state, and may be removed and switched like others; their motors are the rule's.
  Result<uint32_t> add_rule(const JointRuleDef& def);  // its index: 0, 1, 2, ...
  size_t rule_count() const;
  const JointRuleDef& rule(uint32_t index) const;  // precondition: index < rule_count()
  // The rule that made a joint, or kNoRule. Precondition: contains(joint).
  uint32_t rule_of(JointHandle joint) const;

  // -- assembly: bodies go to the nearest poses at which all joints fit, and on from there towards
  // what is wanted; velocities stay. Joints that cannot fit are told with the nearest miss. Changes
  // nothing on an error.
  Result<AssemblyReport> assemble(const AssemblyDef& def = {});
  // The nearest velocities (in the metric of masses) at which all joints keep fitting, and go at
  // the rates that are given [Faure1998, eq. 9].
  Result<VelocityReport> match_velocities(std::span<const RateTarget> rates = {});

  // -- dragging (drag.h): a tracker holds a point of a body, several at once. Kinematic drags move
  // bodies at once, without time; dynamic ones pull in the steps that follow. Not part of the
  // state: snapshots and saved states know dynamic ones as joints, and no others.
  Result<DragHandle> begin_drag(const DragDef& def);
  // Where the tracker is now. Kinematic: everything follows as far as the effort goes.
  Result<DragReport> move_drag(DragHandle drag, const DragTarget& target,
                               const DragEffort& effort = kDragMoving);
  // Nobody moves: precision comes back, for all kinematic drags of that mechanism.
  Result<DragReport> settle_drag(DragHandle drag, const DragEffort& effort = kDragResting);
  // Lets go. Kinematic: joints are closed to the effort's precision first.
  Result<DragReport> end_drag(DragHandle drag, const DragEffort& effort = kDragReleased);
  bool contains(DragHandle drag) const;

  // -- time
  void step();
  double time() const;  // s
  uint64_t step_count() const;

  // -- what the last step found
  std::span<const Contact> contacts() const;  // sorted by collider pair; within a small margin
  // Contacts that pushed in the last step between colliders that are out of each other's reach at
  // its end, where they were at its begin: bounces.
  std::span<const Contact> ended_contacts() const;
  std::span<const Event> events() const;  // of the last step, in a stable order
  // N, world axes: sum of all contact forces on a body, mean of the last step; zero before the
  // first. Precondition: contains(body).
  Vec3 contact_force(BodyHandle body) const;
  const StepDiagnostics& diagnostics() const;
  Mechanics calc_mechanics() const;  // energy and momentum now
  // Freedoms, redundant and contradicting joints where the bodies are now, mechanism by mechanism.
  // Slots in it are those of handles (`index`). Costly; changes nothing.
  std::vector<MechanismReport> calc_mobility() const;

  // -- keeping and comparing
  Snapshot snapshot() const;
  // Everything is as it was, bodies created or removed since included. The snapshot may come from
  // another world. Settings are restored as well, except threads and clock.
  void restore(const Snapshot& snapshot);
  // Goes on where another world is: its time, and the motion of the bodies and joints that both
  // have (carry_over.h). For scenes that are changed in mid-run and built anew. Error, and nothing
  // changed: a handle that is stale.
  Status carry_over(const World& from, const CarryOver& what);
  // A hash of all state that influences the future. Equal hashes: equal futures.
  uint64_t state_hash() const;
  // The state as bytes (little-endian), for recordings: loading it into a world with the same
  // bodies continues with the same bits. load_state refuses bytes of another scene or version.
  std::vector<std::byte> save_state() const;
  Status load_state(std::span<const std::byte> bytes);

 private:
  explicit World(const WorldSettings& settings);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tenon
