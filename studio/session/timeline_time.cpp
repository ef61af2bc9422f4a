// Steps and seconds. A change in mid-run may change the length of steps, so that the same number is
// another instant in another take: what is compared or shown together goes by time.
#include <algorithm>
#include <cmath>

#include "tenon/studio/session/timeline.h"

namespace tenon::studio {

double Timeline::step_length(int id) const {
  for (; id >= 0; id = take(id).parent)
    if (take(id).step_s > 0) return take(id).step_s;
  return 1.0 / 60;
}

double Timeline::time_at(int id, uint64_t step) const {
  id = owner(id, step);
  const Take& t = take(id);
  const auto index = static_cast<size_t>(step - t.at);
  if (index < t.frames.size()) return t.frames[index].time;  // never let go
  const double begins = !t.frames.empty() ? t.frames.front().time
                        : t.parent < 0    ? 0
                                          : time_at(t.parent, t.at);
  return begins + static_cast<double>(step - t.at) * step_length(id);
}

uint64_t Timeline::step_at(int id, double time) const {
  uint64_t most = UINT64_MAX;
  for (; take(id).parent >= 0 && time < time_at(id, take(id).at); id = take(id).parent)
    most = take(id).at;
  const double steps = (time - time_at(id, take(id).at)) / step_length(id);
  if (!(steps > 0)) return std::min(take(id).at, most);
  return std::min(take(id).at + static_cast<uint64_t>(std::floor(steps + 0.5)), most);
}

}  // namespace tenon::studio
