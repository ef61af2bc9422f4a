// A referee's verdict as text and as a table.
#include <algorithm>
#include <cmath>

#include "tenon/recording/detail/csv.h"
#include "tenon/recording/detail/text.h"
#include "tenon/recording/referee.h"

namespace tenon {
namespace {

using recording_detail::number;

std::string few(double value) { return recording_detail::short_number(value, 3); }

std::string padded(std::string text, size_t width) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

// About eight times from the first to the last.
std::vector<size_t> chosen_times(size_t count) {
  std::vector<size_t> chosen;
  const size_t columns = std::min<size_t>(count - 1, 8);
  for (size_t i = 1; i <= columns; ++i) chosen.push_back(i * (count - 1) / columns);
  return chosen;
}

std::string end_text(const Verdict& verdict, const RunVerdict& run) {
  if (run.to_the_end) return "to the end";
  const std::string until =
      "up to " + few(run.meaningful > 0 ? verdict.times[run.meaningful - 1] : 0) + " s; then ";
  return until + (run.lost_by_reference ? "the reference itself is no longer sure"
                                        : "the run is on another path");
}

std::string bodies_text(const Verdict& verdict, const RunVerdict& run, size_t max_bodies) {
  std::vector<size_t> order;
  for (size_t i = 0; i < verdict.bodies.size(); ++i)
    if (verdict.bodies[i].dynamic) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return run.largest_m[a] != run.largest_m[b] ? run.largest_m[a] > run.largest_m[b] : a < b;
  });
  std::string text = "  bodies of \"" + run.label + "\", as long as it means something:\n";
  for (size_t k = 0; k < std::min(order.size(), max_bodies); ++k) {
    const size_t i = order[k];
    text += "    " + verdict.bodies[i].name + ": off by at most " + few(run.largest_m[i]) + " m, " +
            few(run.end_m[i]) + " m at the end\n";
  }
  if (order.size() > max_bodies)
    text += "    and " + std::to_string(order.size() - max_bodies) + " more bodies, less\n";
  return text;
}

}  // namespace

std::string format(const Verdict& verdict, size_t max_bodies) {
  const std::vector<size_t> at = chosen_times(verdict.times.size());
  size_t width = 12;
  for (const RunVerdict& run : verdict.runs) width = std::max(width, run.label.size());
  const auto row = [&](const std::string& label, const auto& cell) {
    std::string text = "  " + label + std::string(width + 2 - label.size(), ' ');
    for (const size_t k : at) text += padded(cell(k), 12);
    return text + "\n";
  };
  std::string text = "How far the worst body is off, in metres:\n";
  text += row("at (s)", [&](size_t k) { return few(verdict.times[k]); });
  for (const RunVerdict& run : verdict.runs)
    text += row(run.label,
                [&](size_t k) { return few(run.error_m[k]) + (k < run.meaningful ? "" : "*"); });
  text += row("reference", [&](size_t k) { return "+-" + few(verdict.uncertainty_m[k]); });
  for (const RunVerdict& run : verdict.runs) {
    text +=
        "  " + run.label + ": " + few(run.rms_m) + " m root mean square, " + end_text(verdict, run);
    if (run.order) text += "; observed order " + few(*run.order);
    if (run.nowhere)
      text += "\n    from " + few(verdict.times[*run.nowhere]) + " s on the pose of \"" +
              verdict.bodies[run.nowhere_body].name +
              "\" is not a number: the run is broken from there";
    text += "\n";
  }
  const bool doubtful = std::any_of(verdict.runs.begin(), verdict.runs.end(),
                                    [](const RunVerdict& run) { return run.doubts_reference; });
  if (doubtful)
    text +=
        "  Shorter steps do not bring the runs nearer to the reference. Either both methods model "
        "something here differently, or the reference is wrong by as much: do not take the error "
        "above for that of the runs before a third way has said which.\n";
  const bool starred = std::any_of(verdict.runs.begin(), verdict.runs.end(),
                                   [](const RunVerdict& run) { return !run.to_the_end; });
  if (starred) text += "  * no longer meaningful\n";
  if (verdict.first_impact)
    text += "  Bodies first hit each other at " + few(*verdict.first_impact) +
            " s; from then on small errors of time and place may grow with every impact.\n";
  if (!verdict.runs.empty()) text += bodies_text(verdict, verdict.runs.back(), max_bodies);
  return text;
}

std::string to_csv(const Verdict& verdict, const Trajectory& reference,
                   const std::vector<Trajectory>& runs) {
  std::string text = "t,run,step_s,body,error_m,position_m,angle_rad,uncertainty_m\n";
  for (const Trajectory& run : runs) {
    for (size_t k = 0; k < run.times.size(); ++k) {
      for (size_t i = 0; i < verdict.bodies.size(); ++i) {
        const RecordedBody &mine = run.bodies[k][i], &exact = reference.bodies[k][i];
        const double radius = verdict.bodies[i].radius_m;
        const double position = norm(mine.X_WB.p - exact.X_WB.p);
        const double error = body_error(mine, exact, radius), turn = body_error(mine, exact, 1);
        text += number(run.times[k]) + ",\"" + run.label + "\"," + number(run.step_s) + "," +
                recording_detail::csv_quoted(verdict.bodies[i].name) + "," + number(error) + "," +
                number(position) + "," + number(turn - position) + "," +
                number(verdict.uncertainty_m[k]) + "\n";
      }
    }
  }
  return text;
}

}  // namespace tenon
