#include "tenon/recording/referee.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/math/elementary.h"

namespace tenon {
namespace {

// Of the error of a run: what the reference may itself be off by.
constexpr double kTrusted = 0.1;
// Of the way travelled: beyond, the run is on another path and its error says no more.
constexpr double kSamePath = 0.1;
// An observed order below which a run does not come nearer to the reference.
constexpr double kNoOrder = 0.3;
// Of the way travelled, and m: below, nothing is worth a word.
constexpr double kUnseen = 1e-7, kNothing = 1e-9;

double angle_between(const Quat& a, const Quat& b) {
  const Quat d = conjugate(a) * b;
  const double s = std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
  return 2 * tenon::atan2(s, std::fabs(d.w));
}

// Farthest that any body's error goes at one time. An error that is no number is the worst of all,
// and the first body that has one is named.
struct Worst {
  double error = 0;
  uint32_t body = 0;
};
Worst worst_at(const std::vector<RefereeBody>& bodies, const std::vector<RecordedBody>& run,
               const std::vector<RecordedBody>& reference) {
  Worst worst;
  for (size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies[i].dynamic) continue;
    const double error = body_error(run[i], reference[i], bodies[i].radius_m);
    if (!(error <= worst.error)) worst = {error, static_cast<uint32_t>(i)};
    if (!std::isfinite(error)) break;
  }
  return worst;
}

// False with the first dynamic body whose pose is not a number.
bool all_finite(const std::vector<RefereeBody>& bodies, const std::vector<RecordedBody>& frame,
                uint32_t& body) {
  for (size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies[i].dynamic || is_finite(frame[i].X_WB)) continue;
    body = static_cast<uint32_t>(i);
    return false;
  }
  return true;
}

// The longest way from its start that a body has been.
double longest_way(const std::vector<RefereeBody>& bodies, const Trajectory& reference) {
  double longest = 0;
  for (const auto& frame : reference.bodies)
    longest = std::max(longest, worst_at(bodies, frame, reference.bodies.front()).error);
  return longest;
}

double root_mean_square(const std::vector<double>& values, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; ++i) sum += values[i] * values[i];
  return count > 0 ? std::sqrt(sum / static_cast<double>(count)) : 0;
}

void find_meaningful(RunVerdict& v, const std::vector<double>& uncertainty, double way) {
  for (v.meaningful = 0; v.meaningful < v.error_m.size(); ++v.meaningful) {
    const double error = v.error_m[v.meaningful], unsure = uncertainty[v.meaningful];
    // a run that is nowhere is not the reference's fault
    const double seen = std::isfinite(error) ? kTrusted * error : 0;
    v.lost_by_reference = !(unsure <= std::max({seen, kUnseen * way, kNothing}));
    const bool other_path = !(error <= std::max(kSamePath * way, kNothing));
    if (v.lost_by_reference || other_path) break;
  }
  v.to_the_end = v.meaningful == v.error_m.size();
}

RunVerdict judge_run(const std::vector<RefereeBody>& bodies, const Trajectory& run,
                     const Trajectory& reference, const std::vector<double>& uncertainty,
                     double way) {
  RunVerdict v;
  v.label = run.label;
  v.step_s = run.step_s;
  for (size_t k = 0; k < run.times.size(); ++k) {
    const Worst worst = worst_at(bodies, run.bodies[k], reference.bodies[k]);
    v.error_m.push_back(worst.error);
    v.worst.push_back(worst.body);
    if (!v.nowhere && !all_finite(bodies, run.bodies[k], v.nowhere_body)) v.nowhere = k;
  }
  find_meaningful(v, uncertainty, way);
  v.rms_m = root_mean_square(v.error_m, v.meaningful);
  v.largest_m.assign(bodies.size(), 0);
  v.end_m.assign(bodies.size(), 0);
  for (size_t k = 0; k < v.meaningful; ++k) {
    for (size_t i = 0; i < bodies.size(); ++i) {
      v.end_m[i] = body_error(run.bodies[k][i], reference.bodies[k][i], bodies[i].radius_m);
      v.largest_m[i] = std::max(v.largest_m[i], v.end_m[i]);
    }
  }
  return v;
}

}  // namespace

double body_error(const RecordedBody& run, const RecordedBody& reference, double radius_m) {
  return norm(run.X_WB.p - reference.X_WB.p) +
         radius_m * angle_between(run.X_WB.q, reference.X_WB.q);
}

Verdict judge(const std::vector<RefereeBody>& bodies, const Trajectory& reference,
              const Trajectory& rougher, const std::vector<Trajectory>& runs) {
  Verdict verdict;
  verdict.bodies = bodies;
  verdict.times = reference.times;
  verdict.first_impact = reference.first_impact;
  for (size_t k = 0; k < reference.times.size(); ++k) {
    verdict.uncertainty_m.push_back(worst_at(bodies, rougher.bodies[k], reference.bodies[k]).error);
  }
  const double way = longest_way(bodies, reference);
  for (const Trajectory& run : runs) {
    RunVerdict v = judge_run(bodies, run, reference, verdict.uncertainty_m, way);
    if (!verdict.runs.empty()) {
      const RunVerdict& last = verdict.runs.back();
      const size_t both = std::min(last.meaningful, v.meaningful);
      const double coarse = root_mean_square(last.error_m, both),
                   fine = root_mean_square(v.error_m, both);
      if (both > 1 && coarse > kNothing && fine > kNothing && last.step_s != v.step_s)
        v.order = tenon::log(coarse / fine) / tenon::log(last.step_s / v.step_s);
      v.doubts_reference = v.order && *v.order < kNoOrder && fine > kUnseen * way;
    }
    verdict.runs.push_back(std::move(v));
  }
  return verdict;
}

double common_interval(const std::vector<double>& steps) {
  const double longest = *std::max_element(steps.begin(), steps.end());
  for (int k = 1; k <= 1000; ++k) {
    const double interval = k * longest;
    const bool whole = std::all_of(steps.begin(), steps.end(), [&](double h) {
      const double count = interval / h;
      return std::fabs(count - std::round(count)) < 1e-9 * count;
    });
    if (whole) return interval;
  }
  return 0;
}

}  // namespace tenon
