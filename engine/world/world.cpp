#include "tenon/engine/world/world.h"

#include <string>

#include "tenon/engine/base/hash.h"
#include "tenon/engine/base/parallel.h"
#include "tenon/engine/world/applied_forces.h"
#include "tenon/engine/world/contact_rules.h"
#include "tenon/engine/world/create_body.h"
#include "tenon/engine/world/joints.h"
#include "tenon/engine/world/phases.h"
#include "tenon/engine/world/release.h"
#include "tenon/engine/world/state_bytes.h"
#include "tenon/engine/world/world_impl.h"

namespace tenon {

namespace {

Status check_force(const WorldSettings& s) {
  const ForceSettings& f = s.force;
  if (Status status = check(StepControl{f.accuracy, f.h_min, f.h_max}); !status) return status;
  for (const auto& [value, name] : {std::pair{f.baumgarte_alpha, "baumgarte_alpha"},
                                    {f.baumgarte_beta, "baumgarte_beta"},
                                    {f.soft_frequency_hz, "soft_frequency_hz"},
                                    {f.soft_damping_ratio, "soft_damping_ratio"},
                                    {f.dt_col, "dt_col"},
                                    {f.v_normal_max, "v_normal_max"},
                                    {f.v_tangent_max, "v_tangent_max"}}) {
    if (value > 0 && std::isfinite(value)) continue;
    return Error{.message = std::string("a setting of the method 'force' is out of range: ") + name,
                 .value = std::to_string(value),
                 .accepted = "a number > 0"};
  }
  if (s.joint_solver != JointSolver::kDirect || s.integration != Integration::kStable ||
      s.budget_ms > 0) {
    return Error{.message = "the method 'force' has joints, integration and steps of its own",
                 .accepted =
                     "the joint solver 'direct', the integration 'stable' and no budget, "
                     "none of which it reads"};
  }
  return Ok{};
}

Status check_displacement(const WorldSettings& s) {
  const displacement::Settings& d = s.displacement;
  if (d.geometric < 1 || d.inner < 1 || d.geometric > 1000000 || d.inner > 1000000) {
    return Error{.message = "a number of iterations of the method 'displacement' is out of range",
                 .value = std::to_string(d.geometric) + " x " + std::to_string(d.inner),
                 .accepted = "1 to 1000000 each"};
  }
  if (s.joint_solver != JointSolver::kDirect || s.integration != Integration::kStable) {
    return Error{.message = "the method 'displacement' has joints and an integration of its own",
                 .accepted =
                     "the joint solver 'direct' and the integration 'stable', neither of "
                     "which it reads"};
  }
  return Ok{};
}

// What the chosen method and joint solver do not do is refused, never ignored.
Status check_solver(const WorldSettings& s) {
  if (s.method == Method::kForce) return check_force(s);
  if (s.method == Method::kDisplacement) return check_displacement(s);
  if (s.joint_solver != JointSolver::kSweep) return Ok{};
  if (s.integration != Integration::kStable) {
    return Error{.message = "the joint solver 'sweep' has an integration of its own",
                 .value = s.integration == Integration::kRattle ? "rattle" : "conservative",
                 .accepted = "stable, which it does not read; or the joint solver 'direct'"};
  }
  if (s.budget_ms > 0) {
    return Error{.message = "the joint solver 'sweep' has no time budget",
                 .value = std::to_string(s.budget_ms) + " ms",
                 .accepted = "a number of sweeps; or the joint solver 'direct'"};
  }
  if (!faithful::is_valid(s.faithful)) {
    return Error{.message = "a count or the roughness of the step with sweeps is out of range",
                 .accepted = "counts 0 to 1000000, roughness 0 to 1"};
  }
  return Ok{};
}

Status check_settings(const WorldSettings& s) {
  if (!is_finite(s.gravity)) return Error{.message = "gravity is not finite"};
  const double share = s.gravity_noise.share;
  if (!(share >= 0) || !(share <= 1)) {
    return Error{.message = "the share of random gravity is out of range",
                 .value = std::to_string(share),
                 .accepted = "0 to 1, of the strength of gravity"};
  }
  if (!is_finite(s.wind) || max_component(cwise_abs(s.wind)) > kLargestSpeed) {
    return Error{.message = "the wind is not finite or too fast", .accepted = "m/s, up to 1e9"};
  }
  if (!(s.step > 0) || !std::isfinite(s.step)) {
    return Error{.message = "the step must be positive",
                 .value = std::to_string(s.step),
                 .accepted = "seconds > 0, such as 1/60"};
  }
  if (!(s.tolerance > 0) || !(s.tolerance < 1)) {
    return Error{.message = "the tolerance is out of range",
                 .value = std::to_string(s.tolerance),
                 .accepted = "a fraction of body size between 0 and 1, such as 1e-6"};
  }
  if (s.sweeps < 1 || s.sweeps > 1000000) {
    return Error{.message = "the number of sweeps is out of range",
                 .value = std::to_string(s.sweeps),
                 .accepted = "1 to 1000000"};
  }
  if (!(s.budget_ms >= 0) || !std::isfinite(s.budget_ms)) {
    return Error{.message = "the time budget is out of range",
                 .value = std::to_string(s.budget_ms),
                 .accepted = "milliseconds > 0, or 0 for none"};
  }
  if (s.threads < 1 || s.threads > ThreadPool::kMaxThreads) {
    return Error{.message = "the number of threads is out of range",
                 .value = std::to_string(s.threads),
                 .accepted = "1 to " + std::to_string(ThreadPool::kMaxThreads)};
  }
  return check_solver(s);
}

Error stale_handle(BodyHandle body) {
  return {.message = "no such body: it was removed or belongs to another world",
          .value = "handle " + std::to_string(body.index) + "." + std::to_string(body.generation)};
}

Error stale_handle(JointHandle joint) {
  return {
      .message = "no such joint: it was removed or belongs to another world",
      .value = "handle " + std::to_string(joint.index) + "." + std::to_string(joint.generation)};
}

Error stale_handle(ForceHandle force) {
  return {
      .message = "no such force: it was removed or belongs to another world",
      .value = "handle " + std::to_string(force.index) + "." + std::to_string(force.generation)};
}

Error is_frozen() {
  return {.message = "the body is frozen: its motion left all bounds",
          .accepted = "set_pose, which lets it move again"};
}

Error not_dynamic(const char* what) {
  return {.message = std::string(what) + " can be set on dynamic bodies only"};
}

}  // namespace

World::World(const WorldSettings& settings) : impl_(std::make_unique<Impl>()) {
  impl_->data.settings = settings;
  if (settings.threads > 1) impl_->pool = std::make_unique<ThreadPool>(settings.threads);
}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

Result<World> World::make(const WorldSettings& settings) {
  if (Status s = check_settings(settings); !s) return s.error();
  return World(settings);
}

const WorldSettings& World::settings() const { return impl_->data.settings; }

Status World::set_settings(const WorldSettings& settings) {
  if (Status s = check_settings(settings); !s) return s;
  WorldData& d = impl_->data;
  if (Status s = check_joints_for(d, settings); !s) return s;
  if (settings.threads != d.settings.threads) {
    impl_->pool = settings.threads > 1 ? std::make_unique<ThreadPool>(settings.threads) : nullptr;
  }
  if (settings.step != d.settings.step) {
    d.time_base = current_time(d);
    d.steps_since_base = 0;
  }
  // a change of gravity changes the potential energy of everything
  impl_->book(calc_all_mechanics(d), -1);
  d.settings = settings;
  d.contacts_stale = true;
  impl_->drop_run();
  impl_->structure.reset();
  impl_->book(calc_all_mechanics(d), +1);
  impl_->diagnostics_stale = true;
  return Ok{};
}

Result<MaterialId> World::add_material(const SurfaceMaterial& m) {
  impl_->structure.reset();
  return impl_->data.materials.add(m);
}
Status World::set_material_pair(MaterialId a, MaterialId b, const PairOverride& values) {
  impl_->structure.reset();
  wake_all(impl_->data);
  return impl_->data.materials.set_pair(a, b, values);
}
const MaterialTable& World::materials() const { return impl_->data.materials; }

Result<CollisionClass> World::add_collision_class() {
  if (impl_->data.classes.size() >= CollisionClasses::kMaxClasses) {
    return Error{.message = "too many collision classes",
                 .accepted = "at most " + std::to_string(CollisionClasses::kMaxClasses)};
  }
  impl_->structure.reset();
  return impl_->data.classes.add();
}
Status World::set_may_touch(CollisionClass a, CollisionClass b, bool may_touch) {
  if (a >= impl_->data.classes.size() || b >= impl_->data.classes.size()) {
    return Error{.message = "unknown collision class", .value = std::to_string(a > b ? a : b)};
  }
  impl_->structure.reset();
  impl_->data.classes.set(a, b, may_touch);
  impl_->data.contacts_stale = true;
  return Ok{};
}

Status World::set_may_touch_bodies(BodyHandle a, BodyHandle b, bool may_touch) {
  for (const BodyHandle body : {a, b}) {
    if (!contains(body)) return stale_handle(body);
  }
  if (a == b) return Error{.message = "a body never touches itself", .accepted = "two bodies"};
  impl_->structure.reset();
  tenon::set_may_touch_bodies(impl_->data, a.index, b.index, may_touch);
  impl_->data.contacts_stale = true;
  return Ok{};
}

Result<BodyHandle> World::create_body(const BodyDef& def) {
  Result<BodyHandle> handle = tenon::create_body(impl_->data, def);
  impl_->structure.reset();
  if (handle) impl_->edit([] {}, 0xffffffffu, &handle->index);
  return handle;
}

Status World::remove_body(BodyHandle body) {
  if (!contains(body)) return stale_handle(body);
  impl_->structure.reset();
  remove_joints_of(impl_->data, body.index);
  remove_forces_of(impl_->data, body.index);
  impl_->edit([&] { tenon::remove_body(impl_->data, body); }, body.index, nullptr);
  return Ok{};
}

bool World::contains(BodyHandle body) const { return impl_->data.body_slots.contains(body); }
size_t World::body_count() const { return impl_->data.body_slots.count(); }
BodyHandle World::body_at(uint32_t slot) const { return impl_->data.body_slots.at(slot); }

std::vector<BodyHandle> World::bodies() const {
  std::vector<BodyHandle> all;
  for (uint32_t slot = 0; slot < impl_->data.body_slots.capacity(); ++slot) {
    if (impl_->data.body_slots.live(slot)) all.push_back(impl_->data.body_slots.at(slot));
  }
  return all;
}

MotionKind World::motion(BodyHandle b) const {
  TENON_DEMAND(contains(b));
  return impl_->data.info[b.index].motion;
}
bool World::asleep(BodyHandle b) const {
  TENON_DEMAND(contains(b));
  return is_at_rest(impl_->data, b.index);
}
bool World::frozen(BodyHandle b) const {
  TENON_DEMAND(contains(b));
  return impl_->data.frozen[b.index] != 0;
}
Pose World::pose(BodyHandle b) const {
  TENON_DEMAND(contains(b));
  return body_pose(impl_->data.state[b.index], impl_->data.mass[b.index].com_B);
}
Vec3 World::center_of_mass(BodyHandle b) const {
  TENON_DEMAND(contains(b));
  return impl_->data.state[b.index].x_WC;
}
Vec3 World::velocity(BodyHandle b) const {
  TENON_DEMAND(contains(b));
  return impl_->data.state[b.index].v_WC;
}
Vec3 World::angular_velocity(BodyHandle b) const {
  TENON_DEMAND(contains(b));
  return impl_->data.state[b.index].w_WB;
}
Vec3 World::angular_momentum(BodyHandle b) const {
  TENON_DEMAND(contains(b));
  return impl_->data.state[b.index].L_W;
}
const BodyMass& World::mass(BodyHandle b) const {
  TENON_DEMAND(contains(b));
  return impl_->data.mass[b.index];
}

Status World::set_pose(BodyHandle body, const Pose& X_WB) {
  if (!contains(body)) return stale_handle(body);
  if (!is_finite(X_WB) || !(norm(X_WB.q) > 0)) {
    return Error{.message = "a pose must be finite and its quaternion not zero"};
  }
  WorldData& d = impl_->data;
  const uint32_t slot = body.index;
  if (d.info[slot].motion == MotionKind::kKinematic) {
    return Error{.message = "the pose of a kinematic body comes from its script"};
  }
  BodyState moved = d.state[slot];
  moved.q_WB = normalized(X_WB.q);
  moved.x_WC = X_WB.p + rotate(moved.q_WB, d.mass[slot].com_B);
  // the body keeps turning as before: omega stays, L follows
  moved.L_W = tenon::angular_momentum(moved.q_WB, d.mass[slot].I_B, moved.w_WB);
  if (!within_limits(moved)) return beyond_limits();
  const auto move = [&] {
    d.state[slot] = moved;
    if (d.frozen[slot] != 0) ++d.topology;
    d.frozen[slot] = 0;
    update_proxies(d, slot);
  };
  impl_->edit(move, slot, &slot);
  return Ok{};
}

Status World::set_velocity(BodyHandle body, const Vec3& velocity) {
  if (!contains(body)) return stale_handle(body);
  if (!is_finite(velocity)) return Error{.message = "a velocity must be finite"};
  if (motion(body) != MotionKind::kDynamic) return not_dynamic("velocities");
  if (frozen(body)) return is_frozen();
  BodyState changed = impl_->data.state[body.index];
  changed.v_WC = velocity;
  if (!within_limits(changed)) return beyond_limits();
  impl_->edit([&] { impl_->data.state[body.index] = changed; }, body.index, &body.index);
  return Ok{};
}

Status World::set_angular_velocity(BodyHandle body, const Vec3& w) {
  if (!contains(body)) return stale_handle(body);
  if (!is_finite(w)) return Error{.message = "an angular velocity must be finite"};
  if (motion(body) != MotionKind::kDynamic) return not_dynamic("angular velocities");
  if (frozen(body)) return is_frozen();
  BodyState changed = impl_->data.state[body.index];
  const BodyMass& m = impl_->data.mass[body.index];
  changed.L_W = tenon::angular_momentum(changed.q_WB, m.I_B, w);
  changed.w_WB = tenon::angular_velocity(changed.q_WB, m.inv_I_B, changed.L_W);
  if (!within_limits(changed)) return beyond_limits();
  impl_->edit([&] { impl_->data.state[body.index] = changed; }, body.index, &body.index);
  return Ok{};
}

Status World::apply_force(BodyHandle body, const Vec3& force, const Vec3& point_W) {
  if (!contains(body)) return stale_handle(body);
  if (!is_finite(force) || !is_finite(point_W)) return Error{.message = "a force must be finite"};
  return apply_wrench(body, {force, cross(point_W - center_of_mass(body), force)});
}

Status World::apply_wrench(BodyHandle body, const Wrench& wrench) {
  if (!contains(body)) return stale_handle(body);
  if (!is_finite(wrench.force) || !is_finite(wrench.torque)) {
    return Error{.message = "a force or torque must be finite"};
  }
  if (motion(body) != MotionKind::kDynamic) return not_dynamic("forces");
  if (frozen(body)) return is_frozen();
  impl_->drop_run();
  impl_->data.applied[body.index].force += wrench.force;
  impl_->data.applied[body.index].torque += wrench.torque;
  return Ok{};
}

std::optional<double> World::release_time(BodyHandle b) const {
  TENON_DEMAND(contains(b));
  return impl_->data.info[b.index].release;
}
Status World::release(BodyHandle body) {
  if (!contains(body)) return stale_handle(body);
  const BodyInfo& info = impl_->data.info[body.index];
  if (!info.release || info.released) {
    return Error{.message = info.released ? "the body has been released already"
                                          : "the body is not one that can be released",
                 .accepted = "a kinematic body that was made with a time of release"};
  }
  release_body(impl_->data, body.index, time());
  impl_->drop_run();
  impl_->diagnostics_stale = true;
  return Ok{};
}

Result<ForceHandle> World::add_force(const TimedForceDef& def) {
  impl_->structure.reset();
  impl_->data.contacts_stale = true;  // bodies may go farther than was expected
  impl_->drop_run();
  return tenon::add_force(impl_->data, def);
}
Status World::remove_force(ForceHandle force) {
  if (!contains(force)) return stale_handle(force);
  impl_->structure.reset();
  impl_->drop_run();
  tenon::remove_force(impl_->data, force);
  return Ok{};
}
bool World::contains(ForceHandle force) const { return impl_->data.force_slots.contains(force); }
size_t World::force_count() const { return impl_->data.force_slots.count(); }
std::vector<ForceHandle> World::forces() const {
  std::vector<ForceHandle> all;
  for (uint32_t slot = 0; slot < impl_->data.force_slots.capacity(); ++slot) {
    if (impl_->data.force_slots.live(slot)) all.push_back(impl_->data.force_slots.at(slot));
  }
  return all;
}
const TimedForceDef& World::force_def(ForceHandle force) const {
  TENON_DEMAND(contains(force));
  return impl_->data.force_defs[force.index];
}
ForceReading World::read_force(ForceHandle force) const {
  TENON_DEMAND(contains(force));
  const TimedForce& f = impl_->data.forces[force.index];
  const double scale = scale_at(f, time());
  const Wrench w = calc_wrench(f, scale, impl_->data.state);
  return {calc_point(f, impl_->data.state[f.body]), w.force, w.torque, scale};
}

Result<JointHandle> World::create_joint(const JointDef& def) {
  impl_->structure.reset();
  impl_->drop_run();
  impl_->diagnostics_stale = impl_->data.contacts_stale = true;
  return tenon::create_joint(impl_->data, def);
}
Result<JointHandle> World::create_connection(const ConnectionDef& def) {
  const Result<JointDef> joint = make_connection_in(impl_->data, def);
  if (!joint) return joint.error();
  return create_joint(*joint);
}
Status World::remove_joint(JointHandle joint) {
  if (!contains(joint)) return stale_handle(joint);
  impl_->structure.reset();
  impl_->drop_run();
  impl_->diagnostics_stale = impl_->data.contacts_stale = true;
  tenon::remove_joint(impl_->data, joint);
  return Ok{};
}
bool World::contains(JointHandle joint) const { return impl_->data.joint_slots.contains(joint); }
size_t World::joint_count() const { return impl_->data.joint_slots.count(); }
std::vector<JointHandle> World::joints() const {
  std::vector<JointHandle> all;
  for (uint32_t slot = 0; slot < impl_->data.joint_slots.capacity(); ++slot) {
    if (impl_->data.joint_slots.live(slot)) all.push_back(impl_->data.joint_slots.at(slot));
  }
  return all;
}
Status World::set_joint_enabled(JointHandle joint, bool enabled) {
  if (!contains(joint)) return stale_handle(joint);
  tenon::set_joint_enabled(impl_->data, joint, enabled);
  impl_->drop_run();
  impl_->diagnostics_stale = impl_->data.contacts_stale = true;
  return Ok{};
}
Status World::set_motor(JointHandle joint, JointAxis axis, const Motor& motor) {
  if (!contains(joint)) return stale_handle(joint);
  if (rule_of(joint) != kNoRule) {
    return Error{.message = "the motor of a joint that a rule made is the rule's"};
  }
  impl_->structure.reset();
  impl_->drop_run();
  wake_all(impl_->data);
  return tenon::set_motor(impl_->data, joint, axis, motor);
}
Result<uint32_t> World::add_rule(const JointRuleDef& def) {
  impl_->structure.reset();
  return tenon::add_rule(impl_->data, def);
}
size_t World::rule_count() const { return impl_->data.rules.size(); }
const JointRuleDef& World::rule(uint32_t index) const {
  TENON_DEMAND(index < impl_->data.rules.size());
  return impl_->data.rules[index];
}
uint32_t World::rule_of(JointHandle joint) const {
  TENON_DEMAND(contains(joint));
  return impl_->data.joint_rules[joint.index].rule;
}
const JointDef& World::joint_def(JointHandle joint) const {
  TENON_DEMAND(contains(joint));
  return impl_->data.joint_defs[joint.index];
}
JointReading World::read_joint(JointHandle joint) const {
  TENON_DEMAND(contains(joint));
  return tenon::read_joint(impl_->data, joint.index);
}
Vibration World::calc_vibration(JointHandle joint) const {
  TENON_DEMAND(contains(joint));
  return calc_vibration_of(impl_->data, joint.index);
}

void World::step() {
  WorldData& d = impl_->data;
  StepContext context;
  context.pool = impl_->pool.get();
  context.mechanisms = &impl_->mechanisms;
  context.contacts = &impl_->contacts;
  context.force = &impl_->force;
  context.displaced = &impl_->displaced;
  context.h = d.settings.step;
  context.t_begin = current_time(d);
  ++d.steps_since_base;
  ++d.step_count;
  context.t_end = current_time(d);
  d.events.clear();
  begin_health(d);
  context.begin = d.state;
  switch (d.settings.method) {
    case Method::kImpulse:
      step_impulse(context, d);
      break;
    case Method::kForce:
      step_force(context, d);
      break;
    case Method::kDisplacement:
      step_displacement(context, d);
      break;
  }
  impl_->diagnostics_stale = false;
}

double World::time() const { return current_time(impl_->data); }
uint64_t World::step_count() const { return impl_->data.step_count; }
std::span<const Contact> World::contacts() const { return impl_->data.contacts; }
std::span<const Contact> World::ended_contacts() const { return impl_->data.ended; }
std::span<const Event> World::events() const { return impl_->data.events; }
Vec3 World::contact_force(BodyHandle b) const {
  TENON_DEMAND(contains(b));
  return calc_contact_impulse(impl_->data, b.index) / impl_->data.settings.step;
}
const StepDiagnostics& World::diagnostics() const {
  impl_->refresh_diagnostics();
  return impl_->data.diagnostics;
}
Mechanics World::calc_mechanics() const { return calc_all_mechanics(impl_->data); }
std::vector<MechanismReport> World::calc_mobility() const {
  return calc_mechanism_reports(impl_->data);
}

Snapshot World::snapshot() const { return Snapshot(std::make_shared<WorldData>(impl_->data)); }

void World::restore(const Snapshot& snapshot) {
  if (snapshot.empty()) return;
  const int threads = impl_->data.settings.threads;
  const auto clock = impl_->data.settings.clock;
  impl_->data = *snapshot.data_;
  impl_->data.settings.threads = threads;
  impl_->data.settings.clock = clock;
  end_all(impl_->drags);
  impl_->structure.reset();
  impl_->mechanisms = {};
  impl_->force.valid = false;
  impl_->diagnostics_stale = true;
}

uint64_t World::state_hash() const {
  const std::vector<std::byte> bytes = encode_state(impl_->data, impl_->structure_hash());
  Hasher hasher;
  hasher.add(std::span<const std::byte>(bytes));
  return hasher.value();
}

std::vector<std::byte> World::save_state() const {
  return encode_state(impl_->data, impl_->structure_hash());
}

Status World::load_state(std::span<const std::byte> bytes) {
  Status status = decode_state(bytes, impl_->structure_hash(), impl_->data);
  if (status) {
    end_all(impl_->drags);
    impl_->mechanisms = {};
    impl_->force.valid = false;
    impl_->diagnostics_stale = true;
  }
  return status;
}

}  // namespace tenon
