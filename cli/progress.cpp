#include "tenon/cli/progress.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace tenon::cli {
namespace {
double read_clock(clockid_t id) {
  timespec now{};
  clock_gettime(id, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
}  // namespace

double wall_clock() { return read_clock(CLOCK_MONOTONIC); }
double process_clock() { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

std::string format_duration(double seconds) {
  char text[64];
  if (seconds < 10) {
    std::snprintf(text, sizeof text, "%.1f s", seconds);
  } else if (seconds < 60) {
    std::snprintf(text, sizeof text, "%.0f s", seconds);
  } else if (seconds < 3600) {
    std::snprintf(text, sizeof text, "%d min %02d s", static_cast<int>(seconds) / 60,
                  static_cast<int>(seconds) % 60);
  } else {
    std::snprintf(text, sizeof text, "%.0f h %02d min", seconds / 3600,
                  static_cast<int>(std::min(seconds, 1e9)) / 60 % 60);
  }
  return text;
}

Progress::Progress(std::string label, double start, double total)
    : label_(std::move(label)),
      start_(start),
      total_(total),
      began_(wall_clock()),
      terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() { finish(); }

void Progress::update(double simulated) {
  const double fraction = total_ > 0 ? std::clamp((simulated - start_) / total_, 0.0, 1.0) : 1;
  if (terminal_) {
    const double now = wall_clock();
    if (now - last_drawn_ < 0.1) return;
    last_drawn_ = now;
    draw_bar(fraction, simulated);
    return;
  }
  // short runs stay silent; long ones say where they are
  const int tenths = static_cast<int>(10 * fraction);
  if (tenths <= tenths_ || wall_clock() - last_drawn_ < 5) return;
  if (last_drawn_ == 0) {
    last_drawn_ = began_;
    if (wall_clock() - began_ < 5) return;
  }
  tenths_ = tenths;
  last_drawn_ = wall_clock();
  std::fprintf(stderr, "%s: %d %% done, %.2f s simulated\n", label_.c_str(), 10 * tenths,
               simulated);
}

void Progress::draw_bar(double fraction, double simulated) {
  constexpr int kWidth = 30;
  const int filled = static_cast<int>(fraction * kWidth);
  std::string bar(static_cast<size_t>(filled), '=');
  bar += std::string(static_cast<size_t>(kWidth - filled), ' ');
  const double elapsed = wall_clock() - began_;
  const double speed = elapsed > 0 ? (simulated - start_) / elapsed : 0;
  const std::string left =
      fraction > 0 ? format_duration(elapsed * (1 - fraction) / fraction) : std::string("?");
  std::fprintf(stderr, "\r%s [%s] %3.0f %%  %.2f s  %.3gx real time  %s left\033[K", label_.c_str(),
               bar.c_str(), 100 * fraction, simulated, speed, left.c_str());
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::finish() {
  if (drawn_) std::fprintf(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace tenon::cli
