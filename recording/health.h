// What events of health mean, in plain words: what happened, to which bodies, when, and what helps.
// For reports of runs, `tenon info` and whoever shows a recording.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tenon/engine/world/event.h"

namespace tenon {

class HealthSummary {
 public:
  // Events of other kinds are left out. `a` and `b` are names of bodies, empty for none.
  void add(EventKind kind, double time, const std::string& a, const std::string& b, double value);
  bool contains(EventKind kind) const { return findings_.count(kind) > 0; }
  // One sentence or two per kind, in the order of EventKind. `method`: "impulse", "force" ...
  std::vector<std::string> to_words(const std::string& method) const;

 private:
  struct Finding {
    uint64_t count = 0;
    double first = 0, worst = 0, worst_time = 0;  // s, the event's value, s
    std::string a, b;                             // of the worst
  };
  std::map<EventKind, Finding> findings_;
};

}  // namespace tenon
