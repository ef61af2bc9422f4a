// A playhead that is to go where nothing is computed yet. A moment of that is done at once, so that
// short ways are over with the answer; the rest while the session goes on listening.
#include <algorithm>

#include "tenon/studio/session/session.h"

namespace tenon::studio {
namespace {

constexpr double kAtOnce_s = 0.5;    // a page that waits longer looks dead
constexpr int kAtOnceSteps = 20000;  // the same, where there is no clock

}  // namespace

void Session::head_for(Goal goal) {
  goal_ = goal;
  (void)pursue_goal(kAtOnce_s, kAtOnceSteps);
  changed();
}

// Computes the takes that the goal grows from, each as far as the next one needs it, for so long;
// true: the playhead is there, or cannot get there.
bool Session::pursue_goal(double seconds, int steps) {
  const Goal goal = *goal_;
  const auto clock = options_.timeline.clock;
  const double until = clock != nullptr ? clock() + seconds : 0;
  std::vector<int> chain;
  for (int id = goal.take; id >= 0; id = timeline_.take(id).parent) chain.push_back(id);
  std::reverse(chain.begin(), chain.end());
  for (size_t i = 0; i < chain.size(); ++i) {
    const bool last = i + 1 == chain.size();
    const uint64_t need = last ? static_cast<uint64_t>(goal.step) : timeline_.take(chain[i + 1]).at;
    if (!last && end_of(chain[i]) >= need) continue;
    Status good = timeline_.ensure_scene(chain[i]);
    while (good && end_of(chain[i]) < need) {
      const bool late = clock != nullptr ? clock() > until : steps-- <= 0;
      if (late) {
        if (last && goal.take == active_) head_ = static_cast<double>(end_of(active_));
        return false;
      }
      good = timeline_.step(chain[i]);
    }
    if (good) continue;
    stopped_by_ = "error";
    const Take& wanted = timeline_.take(goal.take);
    // mistakes of a scene are told with it
    if (wanted.errors.empty())
      push(Json::object().set("event", "trouble").set("error", to_json(good.error())));
    if (wanted.tree) go(goal.take, std::min(goal.step, static_cast<double>(wanted.end)));
    goal_.reset();
    return true;
  }
  go(goal.take, goal.step);
  return true;
}

}  // namespace tenon::studio
