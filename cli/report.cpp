#include "tenon/cli/report.h"

#include <algorithm>
#include <cmath>

#include "tenon/cli/line.h"
#include "tenon/cli/progress.h"
#include "tenon/cli/scene_source.h"

namespace tenon::cli {
namespace {

double total_energy(const Mechanics& m) { return m.kinetic_J + m.potential_J + m.elastic_J; }
// what springs do to bodies is in the work
double balance(const StepDiagnostics& d) {
  return d.mechanics.kinetic_J + d.mechanics.potential_J - d.work_J;
}

scene::Json to_json_list(const Vec3& v) { return scene::Json::array({v.x, v.y, v.z}); }

scene::Json to_json_object(const Track& t) {
  scene::Json json = scene::Json::object();
  json.set("max", t.max).set("rms", t.rms()).set("end", t.end);
  return json;
}

}  // namespace

void Track::add(double value) {
  max = std::max(max, value);
  sum_of_squares += value * value;
  end = value;
  ++count;
}
double Track::rms() const {
  return count > 0 ? std::sqrt(sum_of_squares / static_cast<double>(count)) : 0;
}

void RunReport::begin(const scene::BuiltScene& built, const std::string& scene,
                      const std::string& method) {
  const World& world = built.world;
  joints_ = built.joint_names.size();
  for (size_t i = 0; i < joints_; ++i) {
    const uint32_t slot = built.joint_handles[i].index;
    if (joint_names_.size() <= slot) joint_names_.resize(size_t{slot} + 1);
    joint_names_[slot] = built.joint_names[i];
  }
  begin_springs(built);
  for (size_t i = 0; i < built.names.size(); ++i) {
    const uint32_t slot = built.handles[i].index;
    if (body_names_.size() <= slot) body_names_.resize(size_t{slot} + 1);
    body_names_[slot] = built.names[i];
  }
  scene_ = scene;
  method_ = method;
  step_s_ = world.settings().step;
  start_time_ = end_time_ = world.time();
  for (const BodyHandle b : world.bodies()) {
    ++bodies_;
    if (world.motion(b) == MotionKind::kDynamic) {
      ++dynamic_;
      const double size = world.mass(b).size;
      if (size > 0 && (smallest_body_m_ == 0 || size < smallest_body_m_)) smallest_body_m_ = size;
    }
    if (world.motion(b) == MotionKind::kStatic) ++static_;
    if (world.motion(b) == MotionKind::kKinematic) ++kinematic_;
  }
  const StepDiagnostics& d = world.diagnostics();
  start_ = end_ = d.mechanics;
  energy_min_ = energy_max_ = total_energy(start_);
  energy_scale_ = start_.kinetic_J;
  balance_start_ = balance(d);
  contact_work_start_ = d.contact_work_J;
  contacts_booked_ = world.settings().joint_solver == JointSolver::kDirect;
  linear_start_ = start_.linear_momentum - d.linear_impulse;
  angular_start_ = start_.angular_momentum - d.angular_impulse;
}

void RunReport::add_step(const World& world, double cpu_s, double wall_s) {
  const StepDiagnostics& d = world.diagnostics();
  ++steps_;
  end_time_ = d.time;
  wall_s_ += wall_s;
  cpu_ms_.push_back(static_cast<float>(1e3 * cpu_s));
  for (size_t i = 0; i < phase_ms_.size(); ++i) phase_ms_[i] += d.phase_ms[i];
  add_contacts(d);
  add_joints(d);
  integrator_steps_ += d.integrator_steps;
  rejected_steps_ += d.rejected_steps;
  minimum_steps_ += d.minimum_steps;
  joint_events_ += d.joint_events;
  for (const Event& event : world.events()) {
    broken_ += event.kind == EventKind::kJointBroke;
    made_ += event.kind == EventKind::kJointMade;
    released_ += event.kind == EventKind::kJointReleased;
    let_go_ += event.kind == EventKind::kBodyReleased;
    findings_.add(event.kind, event.time, body_name(event.a), body_name(event.b), event.value);
  }
  end_ = d.mechanics;
  energy_min_ = std::min(energy_min_, total_energy(end_));
  energy_max_ = std::max(energy_max_, total_energy(end_));
  energy_scale_ = std::max(energy_scale_, end_.kinetic_J);
  const double error = balance(d) - balance_start_;
  // written so that a number that is none is kept, not dropped
  if (!(std::fabs(error) <= std::fabs(balance_error_))) balance_error_ = error;
  linear_error_ =
      std::max(linear_error_, norm(end_.linear_momentum - d.linear_impulse - linear_start_));
  angular_error_ =
      std::max(angular_error_, norm(end_.angular_momentum - d.angular_impulse - angular_start_));
  for (const BodyHandle b : world.bodies()) {
    fastest_turn_rad_ = std::max(fastest_turn_rad_, step_s_ * norm(world.angular_velocity(b)));
  }
  frozen_ = d.frozen_bodies;
}

std::string RunReport::body_name(BodyHandle body) const {
  return body.valid() && body.index < body_names_.size() ? body_names_[body.index] : std::string();
}

RunReport::Times RunReport::cpu_ms() const {
  Times t;
  if (cpu_ms_.empty()) return t;
  std::vector<float> sorted = cpu_ms_;
  std::sort(sorted.begin(), sorted.end());
  double sum = 0;
  for (const float ms : sorted) sum += static_cast<double>(ms);
  t.mean = sum / static_cast<double>(sorted.size());
  t.min = static_cast<double>(sorted.front());
  t.max = static_cast<double>(sorted.back());
  t.p99 = static_cast<double>(sorted[(sorted.size() - 1) * 99 / 100]);
  return t;
}

std::vector<std::string> RunReport::health() const {
  std::vector<std::string> hints;
  if (interrupted_) hints.push_back("The run was interrupted; what it had done is complete.");
  if (frozen_ > 0) {
    hints.push_back(line("%s frozen because the motion left all bounds; the events say when.",
                         counted(frozen_, "body was", "bodies were").c_str()));
  }
  for (std::string& words : findings_.to_words(method_)) hints.push_back(std::move(words));
  hints.insert(hints.end(), scene_hints_.begin(), scene_hints_.end());
  add_contact_hints(hints);
  add_joint_hints(hints);
  add_spring_hints(hints);
  const double relative = energy_scale_ > 0 ? std::fabs(balance_error_) / energy_scale_ : 0;
  // bodies that rules join in motion lose energy, as in an inelastic impact
  const bool joining = made_ > 0 && balance_error_ < 0;
  // the joint solver 'sweep' does not say what contacts take
  const bool colliding = !contacts_booked_ && contacts_max_ > 0 && balance_error_ < 0;
  // what the digits of all energies explain, as in the engine's own watch (phases_health.cpp):
  // what is held still has no kinetic energy to compare with
  const double digits = 1e-9 * std::max(std::fabs(energy_max_), std::fabs(energy_min_));
  const bool noticeable = relative > 1e-4 && std::fabs(balance_error_) > digits;
  if (noticeable && !joining && !colliding && !findings_.contains(EventKind::kHealthEnergy)) {
    hints.push_back(
        line("Energy changed by %.2g %% of the largest kinetic energy, %.3g J, with nothing to "
             "explain it; %s.",
             100 * relative, energy_scale_,
             method_ == "force"  ? "a smaller world.force.accuracy helps"
             : contacts_max_ > 0 ? "a smaller step helps"
                                 : "a smaller step helps, or '--integration rattle'"));
  }
  if (fastest_turn_rad_ > 500 && method_ != "force") {
    hints.push_back(line(
        "A body turns up to %.0f rad in one step, more than this method resolves accurately; a "
        "smaller step helps.",
        fastest_turn_rad_));
  } else if (fastest_turn_rad_ > 1.57) {
    hints.push_back(line(
        "A body turns up to %.2f rad in one step: films at this step will show it stuttering or "
        "turning backwards.",
        fastest_turn_rad_));
  }
  return hints;
}

// The phases that took most of the time, in percent of all.
std::string RunReport::phases_to_text() const {
  std::vector<std::pair<double, int>> order;
  double sum = 0;
  for (int i = 0; i < kPhaseCount; ++i) {
    order.push_back({phase_ms_[static_cast<size_t>(i)], i});
    sum += order.back().first;
  }
  if (!(sum > 0)) return {};
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::string text;
  for (size_t i = 0; i < 4 && order[i].first >= 0.01 * sum; ++i) {
    text += line("%s%s %.0f %%", text.empty() ? "            " : ", ",
                 name(static_cast<Phase>(order[i].second)), 100 * order[i].first / sum);
  }
  return text + "\n";
}

scene::Json RunReport::to_json() const {
  using scene::Json;
  const Times cpu = cpu_ms();
  Json json = Json::object();
  char hash[20];
  std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(state_hash_));
  Json times = Json::object();
  times.set("mean", cpu.mean).set("min", cpu.min).set("p99", cpu.p99).set("max", cpu.max);
  Json phases = Json::object();
  for (int i = 0; i < kPhaseCount; ++i) {
    const double total = phase_ms_[static_cast<size_t>(i)];
    phases.set(name(static_cast<Phase>(i)), steps_ > 0 ? total / static_cast<double>(steps_) : 0);
  }
  Json penetration = Json::object();
  penetration.set("max", penetration_m_.max).set("end", penetration_m_.end);
  Json energy = Json::object();
  energy.set("start", total_energy(start_)).set("end", total_energy(end_));
  energy.set("min", energy_min_).set("max", energy_max_).set("balance_error", balance_error_);
  energy.set("contacts", contact_work_J_);
  energy.set("springs_start", start_.elastic_J).set("springs_end", end_.elastic_J);
  energy.set("kinetic_start", start_.kinetic_J).set("kinetic_end", end_.kinetic_J);
  Json momentum = Json::object();
  momentum.set("linear_start", to_json_list(start_.linear_momentum));
  momentum.set("linear_end", to_json_list(end_.linear_momentum));
  momentum.set("linear_error", linear_error_);
  momentum.set("angular_start", to_json_list(start_.angular_momentum));
  momentum.set("angular_end", to_json_list(end_.angular_momentum));
  momentum.set("angular_error", angular_error_);
  Json hints = Json::array();
  for (const std::string& hint : health()) hints.push(hint);

  json.set("scene", scene_).set("method", method_).set("step_s", step_s_);
  json.set("steps", static_cast<double>(steps_)).set("seconds", end_time_ - start_time_);
  json.set("bodies", static_cast<double>(bodies_)).set("joints", static_cast<double>(joints_));
  json.set("contacts_max", static_cast<double>(contacts_max_));
  json.set("cpu_ms_per_step", times).set("phases_ms", phases);
  json.set("real_time_factor", wall_s_ > 0 ? (end_time_ - start_time_) / wall_s_ : 0);
  json.set("joint_gap_m", to_json_object(gap_m_)).set("joint_gap_rel", to_json_object(gap_rel_));
  json.set("joint_angle_rad", to_json_object(angle_rad_));
  json.set("joint_solution", joints_to_json());
  Json integrator = Json::object();
  integrator.set("steps", static_cast<double>(integrator_steps_));
  integrator.set("rejected", static_cast<double>(rejected_steps_));
  integrator.set("at_minimum", static_cast<double>(minimum_steps_));
  integrator.set("joint_events", static_cast<double>(joint_events_));
  json.set("integrator", integrator);
  json.set("springs", springs_to_json());
  json.set("contact_solution", contacts_to_json());
  json.set("penetration_m", penetration).set("energy_J", energy).set("momentum", momentum);
  json.set("health", hints).set("state_hash", hash);
  if (!assembly_.is_null()) json.set("assembly", assembly_);
  return json;
}

std::string RunReport::to_text() const {
  const Times cpu = cpu_ms();
  std::string text;
  const std::string let_go = let_go_ > 0 ? ", " + std::to_string(let_go_) + " released" : "";
  text += line("  %s (%zu dynamic, %zu static, %zu kinematic%s), %s of %.6g s = %.6g s\n",
               counted(bodies_, "body", "bodies").c_str(), dynamic_, static_, kinematic_,
               let_go.c_str(), counted(steps_, "step", "steps").c_str(), step_s_,
               end_time_ - start_time_);
  text += line("  speed     %.3f ms of CPU per step (worst %.3f), %.4gx real time\n", cpu.mean,
               cpu.max, wall_s_ > 0 ? (end_time_ - start_time_) / wall_s_ : 0);
  text += phases_to_text();
  if (integrator_steps_ > 0) {
    text += line(
        "            %s of the integrator, %.3g per frame; %llu refused, %llu at the least "
        "length\n",
        counted(integrator_steps_, "step", "steps").c_str(),
        static_cast<double>(integrator_steps_) / static_cast<double>(steps_),
        static_cast<unsigned long long>(rejected_steps_),
        static_cast<unsigned long long>(minimum_steps_));
  }
  text += line("  energy    %.6g J at the start, %.6g J at the end; unexplained %.2g J\n",
               total_energy(start_), total_energy(end_), balance_error_);
  if (start_.elastic_J > 0 || end_.elastic_J > 0) {
    text += line("            of it in springs: %.6g J at the start, %.6g J at the end\n",
                 start_.elastic_J, end_.elastic_J);
  }
  text += line("  momentum  unexplained change: linear %.2g kg m/s, angular %.2g kg m^2/s\n",
               linear_error_, angular_error_);
  text += joints_to_text();
  text += springs_to_text();
  text += contacts_to_text();
  const std::vector<std::string> hints = health();
  if (hints.empty()) text += "  health    nothing to report\n";
  for (const std::string& hint : hints) text += "  hint      " + hint + "\n";
  return text;
}

}  // namespace tenon::cli
