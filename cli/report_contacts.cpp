// The contacts in a run's report.
#include <algorithm>
#include <cmath>

#include "tenon/cli/line.h"
#include "tenon/cli/report.h"
#include "tenon/cli/scene_source.h"

namespace tenon::cli {
namespace {

// m/s: what contacts may leave over without a word. A millimetre per second is far below what
// anyone sees, and what rests goes on improving from step to step.
constexpr double kLargeResidual = 1e-3;
// Of steps with contacts, that leave over more: collisions in a pile do so for a moment.
constexpr double kOften = 0.1;

}  // namespace

void RunReport::add_contacts(const StepDiagnostics& d) {
  contacts_max_ = std::max(contacts_max_, d.contacts);
  contact_pairs_max_ = std::max(contact_pairs_max_, d.contact_pairs);
  contact_work_J_ = d.contact_work_J - contact_work_start_;
  penetration_m_.add(d.penetration_m);
  if (d.contact_sweeps == 0) return;
  ++contact_steps_;
  contact_sweeps_ += d.contact_sweeps;
  contact_sweeps_max_ = std::max(contact_sweeps_max_, d.contact_sweeps);
  contact_residual_.add(d.contact_residual);
  rough_contact_steps_ += d.contact_residual > kLargeResidual;
}

scene::Json RunReport::contacts_to_json() const {
  using scene::Json;
  Json sweeps = Json::object(), residual = Json::object(), json = Json::object();
  const double mean = contact_steps_ > 0 ? static_cast<double>(contact_sweeps_) /
                                               static_cast<double>(contact_steps_)
                                         : 0;
  sweeps.set("mean", mean).set("max", static_cast<double>(contact_sweeps_max_));
  residual.set("max", contact_residual_.max).set("rms", contact_residual_.rms());
  residual.set("end", contact_residual_.end);
  json.set("steps", static_cast<double>(contact_steps_));
  json.set("pairs_max", static_cast<double>(contact_pairs_max_));
  json.set("sweeps", sweeps).set("residual_m_s", residual);
  return json;
}

std::string RunReport::contacts_to_text() const {
  if (contacts_max_ == 0) return "  contacts  none\n";
  std::string text = line("  contacts  at most %s between %s, deepest overlap %.3g m",
                          counted(contacts_max_, "point", "points").c_str(),
                          counted(contact_pairs_max_, "pair", "pairs").c_str(), penetration_m_.max);
  if (!contacts_booked_) return text + "\n";
  text += line("; energy %s %.4g J\n", contact_work_J_ > 0 ? "gained" : "lost",
               std::fabs(contact_work_J_));
  if (contact_steps_ == 0) return text;
  return text +
         line(
             "            %.3g sweeps per step (at most %u), residual %.2g m/s at most, %.2g "
             "m/s at the end\n",
             static_cast<double>(contact_sweeps_) / static_cast<double>(contact_steps_),
             contact_sweeps_max_, contact_residual_.max, contact_residual_.end);
}

void RunReport::add_contact_hints(std::vector<std::string>& hints) const {
  // what is left of an overlap goes within a few steps; half a hundredth of a body is to be seen
  if (smallest_body_m_ > 0 && penetration_m_.max > 5e-3 * smallest_body_m_ &&
      !findings_.contains(EventKind::kHealthDeepOverlap)) {
    hints.push_back(line(
        "Bodies overlapped by up to %.3g m (%.3g m at the end): they start inside each other, are "
        "squeezed between moved or fixed ones, or meet too fast for the step.",
        penetration_m_.max, penetration_m_.end));
  }
  if (static_cast<double>(rough_contact_steps_) > kOften * static_cast<double>(contact_steps_)) {
    hints.push_back(line(
        "Contacts were solved to no better than %.0g m/s in %s of %.0f with contacts; a smaller "
        "step helps.",
        kLargeResidual, counted(rough_contact_steps_, "step", "steps").c_str(),
        static_cast<double>(contact_steps_)));
  }
}

}  // namespace tenon::cli
