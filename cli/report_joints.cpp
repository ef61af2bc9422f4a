// The joints in a run's report.
#include <algorithm>
#include <cmath>

#include "tenon/cli/line.h"
#include "tenon/cli/report.h"
#include "tenon/cli/scene_source.h"

namespace tenon::cli {

void RunReport::add_joints(const StepDiagnostics& d) {
  gap_m_.add(d.joint_gap_m);
  gap_rel_.add(d.joint_gap_rel);
  angle_rad_.add(d.joint_angle_rad);
  // the worst joint of a step is the one with the larger of its two errors
  if (d.joint_gap_rel >= d.joint_angle_rad && d.joint_gap_rel > worst_gap_.value)
    worst_gap_ = {d.joint_gap_rel, d.time, d.worst_joint};
  if (d.joint_angle_rad >= d.joint_gap_rel && d.joint_angle_rad > worst_angle_.value)
    worst_angle_ = {d.joint_angle_rad, d.time, d.worst_joint};
  iterations_ += d.joint_iterations;
  iterations_max_ = std::max(iterations_max_, d.joint_iterations);
  bisections_ += d.bisections;
  substeps_ += d.substeps;
  substeps_max_ = std::max(substeps_max_, d.substeps);
  fallbacks_ += d.fallbacks;
  softened_ += d.softened_steps;
  unconverged_max_ = std::max(unconverged_max_, d.unconverged_joints);
  unconverged_steps_ += d.unconverged_joints > 0;
}

std::string RunReport::joint_name(uint32_t slot) const {
  return slot < joint_names_.size() ? joint_names_[slot] : std::string();
}

scene::Json RunReport::joints_to_json() const {
  using scene::Json;
  const Worst& worst = worst_gap_.value >= worst_angle_.value ? worst_gap_ : worst_angle_;
  Json json = Json::object();
  json.set("worst_joint", joint_name(worst.joint)).set("worst_time_s", worst.time);
  Json iterations = Json::object();
  const double mean =
      steps_ > 0 ? static_cast<double>(iterations_) / static_cast<double>(steps_) : 0;
  iterations.set("mean", mean).set("max", static_cast<double>(iterations_max_));
  json.set("iterations", iterations);
  json.set("bisections", static_cast<double>(bisections_));
  Json substeps = Json::object();
  const double parts =
      steps_ > 0 ? static_cast<double>(substeps_) / static_cast<double>(steps_) : 0;
  substeps.set("mean", parts).set("max", static_cast<double>(substeps_max_));
  json.set("substeps", substeps);
  json.set("fallbacks", static_cast<double>(fallbacks_));
  json.set("softened_steps", static_cast<double>(softened_));
  json.set("unconverged_steps", static_cast<double>(unconverged_steps_));
  json.set("unconverged_joints_max", static_cast<double>(unconverged_max_));
  json.set("broken", static_cast<double>(broken_));
  json.set("made", static_cast<double>(made_)).set("released", static_cast<double>(released_));
  return json;
}

std::string RunReport::joints_to_text() const {
  if (joints_ == 0) return {};
  std::string text =
      line("  joints    %s, worst gap %.2g m (%.2g of the body), worst angle %.2g rad",
           counted(joints_, "joint", "joints").c_str(), gap_m_.max, gap_rel_.max, angle_rad_.max);
  const Worst& worst = worst_gap_.value >= worst_angle_.value ? worst_gap_ : worst_angle_;
  const std::string name = joint_name(worst.joint);
  if (worst.value > 0 && !name.empty())
    text += line(", at \"%s\" at %.6g s", name.c_str(), worst.time);
  text += "\n";
  const double mean =
      steps_ > 0 ? static_cast<double>(iterations_) / static_cast<double>(steps_) : 0;
  text += line("            %.3g iterations per step (at most %u), %s halved", mean,
               iterations_max_, counted(bisections_, "step", "steps").c_str());
  if (substeps_max_ > 0) {
    text += line(", %.3g substeps per step (at most %u)",
                 static_cast<double>(substeps_) / static_cast<double>(steps_), substeps_max_);
  }
  if (fallbacks_ > 0) {
    const char* where =
        method_ == "displacement" ? "projection 'predicted'" : "integration 'stable'";
    text += line(", %s left to the %s", counted(fallbacks_, "step", "steps").c_str(), where);
  }
  if (unconverged_steps_ > 0)
    text += line(", %s beyond the tolerance", counted(unconverged_steps_, "step", "steps").c_str());
  if (broken_ > 0) text += line(", %s", counted(broken_, "joint broke", "joints broke").c_str());
  if (made_ > 0) {
    text += line("\n            rules made %s and released %.0f",
                 counted(made_, "joint", "joints").c_str(), static_cast<double>(released_));
  }
  return text + "\n";
}

void RunReport::add_joint_hints(std::vector<std::string>& hints) const {
  if (softened_ > 0) {
    hints.push_back(
        line("The joint solver took %s by its last resorts, which damp motion and conserve neither "
             "energy nor momentum. 'tenon check --mobility' says whether joints contradict each "
             "other or were pulled beyond reach; else a smaller step helps.",
             counted(softened_, "part of a step", "parts of steps").c_str()));
  }
  if (unconverged_steps_ == 0) return;
  const Worst& worst = worst_gap_.value >= worst_angle_.value ? worst_gap_ : worst_angle_;
  hints.push_back(
      line("Joints missed the tolerance in %s, up to %u at a time, \"%s\" by most. "
           "'tenon check --mobility' says whether they contradict each other; else a "
           "smaller step helps, or more sweeps.",
           counted(unconverged_steps_, "step", "steps").c_str(), unconverged_max_,
           joint_name(worst.joint).c_str()));
}

}  // namespace tenon::cli
