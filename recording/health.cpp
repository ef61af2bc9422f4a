#include "tenon/recording/health.h"

#include <cmath>

#include "tenon/recording/detail/text.h"

namespace tenon {
namespace {

std::string figure(double value) { return recording_detail::short_number(value, 4); }

std::string named_body(const std::string& name) {
  return name.empty() ? "a body" : "\"" + name + "\"";
}

std::string when(double time, uint64_t count, double first) {
  std::string text = " at " + figure(time) + " s";
  if (count > 1)
    text += " (" + std::to_string(count) + " times in all, first at " + figure(first) + " s)";
  return text;
}

}  // namespace

void HealthSummary::add(EventKind kind, double time, const std::string& a, const std::string& b,
                        double value) {
  if (!is_health(kind)) return;
  Finding& f = findings_[kind];
  if (f.count++ == 0) f.first = time;
  // the smallest step is the same for all: the first one counts
  if (f.count > 1 && std::fabs(value) <= std::fabs(f.worst)) return;
  f.worst = value;
  f.worst_time = time;
  f.a = a;
  f.b = b;
}

std::vector<std::string> HealthSummary::to_words(const std::string& method) const {
  std::vector<std::string> words;
  const bool force = method == "force";
  for (const auto& [kind, f] : findings_) {
    const std::string at = when(f.worst_time, f.count, f.first);
    const std::string pair = named_body(f.a) + " and " + named_body(f.b);
    if (kind == EventKind::kHealthMinimumStep) {
      words.push_back(
          "The accuracy asked for needed steps below the smallest allowed, " + figure(f.worst) +
          " s," + at + (f.a.empty() ? "" : ", most of all " + named_body(f.a)) +
          ": softer springs and contacts, a larger 'accuracy' or a smaller 'h_min' help.");
    } else if (kind == EventKind::kHealthPassedThrough) {
      words.push_back(named_body(f.a) + " passed through " + named_body(f.b) + " (" +
                      figure(f.worst) + " m thick there)" + at +
                      (force ? ": a shorter 'dt_col' helps." : ": a smaller step helps."));
    } else if (kind == EventKind::kHealthDeepOverlap) {
      words.push_back(
          pair + " overlapped by " + figure(f.worst) + " m" + at +
          (force ? ": stiffer materials or a shorter 'dt_col' help; look whether they start inside "
                   "each other."
                 : ": they start inside each other, are squeezed between moved or fixed bodies, or "
                   "meet too fast for the step; a smaller step helps."));
    } else if (kind == EventKind::kHealthRepeatedImpacts) {
      words.push_back(pair + " collided " + figure(f.worst) + " times within one frame" + at +
                      ": they rest on each other and are taken for colliding; a larger "
                      "'v_normal_max' helps, or a shorter 'dt_col'.");
    } else if (kind == EventKind::kHealthMassRatio) {
      words.push_back(named_body(f.b) + " is " + figure(f.worst) + " times as heavy as " +
                      named_body(f.a) + ", which touches or holds it" + at +
                      ": results lose digits; masses that are nearer to each other help, or a "
                      "smaller step.");
    } else if (kind == EventKind::kHealthEnergy) {
      words.push_back(
          "Energy " + std::string(f.worst > 0 ? "grew" : "fell") + " by " +
          figure(std::fabs(f.worst)) + " J that nothing explains" + at + "; " + named_body(f.a) +
          " moved most: " +
          (force ? "a smaller 'accuracy' helps, or a smaller 'h_min'." : "a smaller step helps."));
    }
  }
  return words;
}

}  // namespace tenon
