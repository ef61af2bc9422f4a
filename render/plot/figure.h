// What a plot shows: panels of series over time, read from a recording by name.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tenon/engine/base/result.h"
#include "tenon/recording/reader.h"

namespace tenon::plot {

struct FigureOptions {
  // One panel each. A panel is one name of the list below or several joined by "+":
  //   energy, energy-balance, work, contact-work, joint-gap, joint-gap-relative, joint-angle,
  //   penetration, momentum, angular-momentum, contacts, solver, sleeping, phases
  //   body:NAME.QUANTITY   x y z vx vy vz wx wy wz qw qx qy qz speed spin
  //                        position velocity angular-velocity
  //   joint:NAME.QUANTITY  angle gap misalignment x y z rx ry rz force torque fx fy fz tx ty tz
  // "*" in a NAME stands for any letters. All of a panel have the same unit.
  std::vector<std::string> panels{"energy", "joint-gap", "penetration"};
  double from_s = -std::numeric_limits<double>::infinity();  // cut to the recording's span
  double to_s = std::numeric_limits<double>::infinity();
};

struct Series {
  std::string name;
  std::shared_ptr<const std::vector<double>> times;  // s, increasing
  std::vector<double> values;                        // as many; not finite = nothing to show
};

enum class Scale { kLinear, kLogarithmic };

struct Panel {
  std::string title;
  std::string unit;             // "m", "J"; empty for counts
  bool small_positive = false;  // errors: a logarithmic axis suits them
  std::vector<Series> series;
};

struct Mark {
  double time = 0;  // s
  std::string text;
  bool minor = false;  // one of very many: contacts that begin
};

struct Figure {
  std::string title, subtitle;
  double from = 0, to = 1;  // s
  std::vector<Panel> panels;
  std::vector<Mark> marks;  // by time
};

// Errors: an unknown name (with a suggestion), different units in one panel, more than 20 series in
// a panel or 40 panels, no joint track, an empty span. Cost: one pass over the recording.
Result<Figure> read_figure(RecordingReader& reader, const FigureOptions& options);

// Splits "energy,body:a.x+body:b.x" at its commas; "\," is a comma within a name.
std::vector<std::string> split_panels(const std::string& list);

}  // namespace tenon::plot
