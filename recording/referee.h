// How far a run is off: its bodies beside those of a reference run of the same scene, over time.
//
// The reference is trusted as far as a second one, solved a hundred times less accurately and with
// coarser contacts, agrees with it: that difference is its uncertainty. Where it comes near the
// error of a run, chaos or an impact has made the comparison meaningless, and the verdict says
// when.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tenon/recording/records.h"

namespace tenon {

// Poses of the same bodies at the same times.
struct Trajectory {
  std::string label;                              // "impulse, 1/60 s"
  double step_s = 0;                              // of the run
  std::vector<double> times;                      // s, ascending
  std::vector<std::vector<RecordedBody>> bodies;  // by time, in one order
  std::optional<double> first_impact;             // s
};

struct RefereeBody {
  std::string name;
  double radius_m = 0;  // half its size: how far a turn moves its points
  bool dynamic = true;  // others are as they are told
};

// Upper bound of how far any point of a body is off: |x - x'| + r angle(q, q').
double body_error(const RecordedBody& run, const RecordedBody& reference, double radius_m);

struct RunVerdict {
  std::string label;
  double step_s = 0;
  std::vector<double> error_m;           // by time: of the worst body
  std::vector<uint32_t> worst;           // by time: which body
  std::vector<double> largest_m, end_m;  // by body: largest up to the time below, and then
  // The comparison means something up to here: the reference's uncertainty is below a tenth of the
  // error, and the error below a tenth of how far bodies have travelled (or 1e-9 m).
  size_t meaningful = 0;  // number of times
  bool to_the_end = true;
  bool lost_by_reference = false;  // what ended it: the reference's own uncertainty
  std::optional<size_t> nowhere;   // the first time at which a pose of the run is not a number,
  uint32_t nowhere_body = 0;       // and whose
  double rms_m = 0;                // of error_m up to there
  std::optional<double> order;     // observed, against the run before it: log(e1/e2) / log(h1/h2)
  // Shorter steps do not come nearer to the reference: it may be the reference that is off.
  bool doubts_reference = false;
};

struct Verdict {
  std::vector<RefereeBody> bodies;
  std::vector<double> times;
  std::vector<double> uncertainty_m;  // by time: of the reference, its worst body
  std::vector<RunVerdict> runs;
  std::optional<double> first_impact;
};

// Precondition: all have the same times and bodies; at least one time. Orders are taken over the
// times that are meaningful for both runs.
Verdict judge(const std::vector<RefereeBody>& bodies, const Trajectory& reference,
              const Trajectory& rougher, const std::vector<Trajectory>& runs);

// Several lines for a person; at most `max_bodies` bodies, worst first.
std::string format(const Verdict& verdict, size_t max_bodies = 10);
// t,run,step_s,body,error_m,position_m,angle_rad,uncertainty_m; a line per time, run and body.
std::string to_csv(const Verdict& verdict, const Trajectory& reference,
                   const std::vector<Trajectory>& runs);

// The shortest time that is a whole number of every step, at most 1000 of the longest; zero if
// there is none.
double common_interval(const std::vector<double>& steps);

}  // namespace tenon
