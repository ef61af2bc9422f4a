// Progress of a run: a bar with speed and time left on a terminal, a few quiet lines otherwise.
#pragma once

#include <cstdint>
#include <string>

namespace tenon::cli {

class Progress {
 public:
  // `total` simulated seconds from `start`. Writes to stderr.
  Progress(std::string label, double start, double total);
  ~Progress();
  // Cheap to call every step: draws at most ten times a second (terminal) or every tenth of the
  // way (elsewhere).
  void update(double simulated);
  void finish();

 private:
  void draw_bar(double fraction, double simulated);
  std::string label_;
  double start_ = 0, total_ = 0, began_ = 0, last_drawn_ = 0;
  int tenths_ = 0;
  bool terminal_ = false, drawn_ = false;
};

// "1 min 23 s", "0.4 s".
std::string format_duration(double seconds);

double wall_clock();     // s, monotonic
double process_clock();  // s of CPU time of this process

}  // namespace tenon::cli
