#include "tenon/engine/solve_contact/faithful/detail/levels.h"

#include <algorithm>

#include "tenon/engine/base/disjoint_sets.h"
#include "tenon/engine/solve_contact/faithful/detail/impulses.h"

namespace tenon::faithful::detail {
namespace {

int level_of(const Step& step, uint32_t body) {
  return body == kNoBody ? 0 : step.bodies[body].level;
}

void sort_pairs(const Step& step, Levels& levels) {
  for (Level& level : levels.list) level.pairs.clear();
  for (uint32_t i = 0; i < levels.pairs.size(); ++i) {
    const BodyPair& p = levels.pairs[i];
    const int level = std::max(step.bodies[p.a].level, step.bodies[p.b].level);
    levels.list[static_cast<size_t>(level)].pairs.push_back(i);
  }
}

void find_pairs(Step& step, Levels& levels) {
  std::vector<ColliderPair> colliders;
  step.surroundings->find_pairs(step.bodies, colliders);
  levels.pairs = group_pairs(step, std::move(colliders));
  sort_pairs(step, levels);
}

// Up to `rounds` impulses on a pair. Returns whether there was one.
bool visit_pair(Step& step, BodyPair& pair, double s, int rounds, int& count) {
  if (known_free(step, pair)) return false;
  if (!step.bodies[pair.a].gives_way() && !step.bodies[pair.b].gives_way()) return false;
  bool any = false;
  for (int i = 0; i < rounds; ++i) {
    if (!contact_pair(step, pair, s)) {
      set_free(step, pair);
      break;
    }
    any = true;
    ++count;
  }
  return any;
}

void visit_joints(Step& step, const Level& level, double epsilon) {
  if (step.joints == nullptr || !(epsilon > 0)) return;
  for (int k = 0; k < step.settings.joint_rounds; ++k) {
    for (const uint32_t joint : level.joints) {
      step.joints->prestabilize(step.bodies, joint, epsilon);
      const Joints::Ends ends = step.joints->ends(joint);
      for (const uint32_t body : {ends.parent, ends.child}) {
        if (body != kNoBody && !step.bodies[body].infinite) predict(step.bodies[body], step.h);
      }
    }
  }
}

// Bodies that contacts act on, directly or through others that they touch or are joined to.
class Islands {
 public:
  explicit Islands(size_t count) : sets_(count), touched_(count, 0) {}
  void join(uint32_t a, uint32_t b) {
    const bool any = touched(a) || touched(b);
    touched_[sets_.join(a, b)] = any ? 1 : 0;
  }
  void touch(uint32_t a) { touched_[sets_.find(a)] = 1; }
  bool touched(uint32_t a) { return touched_[sets_.find(a)] != 0; }

 private:
  DisjointSets sets_;
  std::vector<uint8_t> touched_;  // by name of a set
};

// Joints far from any contact have nothing to gain from shock propagation.
std::vector<uint8_t> find_shocked_joints(const Step& step, const Levels& levels) {
  const size_t count = step.joints == nullptr ? 0 : step.joints->count();
  std::vector<uint8_t> shocked(count, 0);
  if (count == 0) return shocked;
  Islands islands(step.bodies.size());
  const auto finite = [&](uint32_t b) { return b != kNoBody && !step.bodies[b].infinite; };
  for (const BodyPair& p : levels.pairs) {
    if (!p.acted) continue;
    if (finite(p.a) && finite(p.b)) islands.join(p.a, p.b);
    islands.touch(finite(p.a) ? p.a : p.b);
  }
  for (size_t j = 0; j < count; ++j) {
    const Joints::Ends e = step.joints->ends(j);
    if (finite(e.parent) && finite(e.child)) islands.join(e.parent, e.child);
  }
  for (size_t j = 0; j < count; ++j) {
    const Joints::Ends e = step.joints->ends(j);
    const uint32_t body = finite(e.parent) ? e.parent : e.child;
    shocked[j] = finite(body) && islands.touched(body);
  }
  return shocked;
}

void hold(Step& step, const Level& level, bool held) {
  for (const uint32_t b : level.bodies) step.bodies[b].held = held;
}

}  // namespace

Levels make_levels(Step& step) {
  Levels levels;
  int highest = 0;
  for (const Body& b : step.bodies) highest = std::max(highest, b.level);
  levels.list.resize(static_cast<size_t>(highest) + 1);
  for (uint32_t i = 0; i < step.bodies.size(); ++i) {
    const Body& b = step.bodies[i];
    if (!b.infinite) levels.list[static_cast<size_t>(b.level)].bodies.push_back(i);
  }
  const size_t joints = step.joints == nullptr ? 0 : step.joints->count();
  for (uint32_t j = 0; j < joints; ++j) {
    const Joints::Ends e = step.joints->ends(j);
    const int level = std::max(level_of(step, e.parent), level_of(step, e.child));
    levels.list[static_cast<size_t>(level)].joints.push_back(j);
  }
  find_pairs(step, levels);
  step.counts.levels = highest + 1;
  step.counts.pairs = static_cast<int>(levels.pairs.size());
  return levels;
}

void refresh_pairs(Step& step, Levels& levels) {
  std::vector<BodyPair> before = std::move(levels.pairs);
  find_pairs(step, levels);
  // known pairs keep what they know; both lists are sorted
  size_t k = 0;
  for (BodyPair& p : levels.pairs) {
    while (k < before.size() && std::pair(before[k].a, before[k].b) < std::pair(p.a, p.b)) ++k;
    if (k == before.size() || before[k].a != p.a || before[k].b != p.b) continue;
    p.acted = before[k].acted;
    // names of places hold while the colliders are the same ones
    const auto same = [](const ColliderPair& x, const ColliderPair& y) {
      return x.a == y.a && x.b == y.b;
    };
    if (std::equal(p.colliders.begin(), p.colliders.end(), before[k].colliders.begin(),
                   before[k].colliders.end(), same)) {
      p.sums = std::move(before[k].sums);
    }
  }
}

void sweep_contacts(Step& step, Levels& levels) {
  const Settings& settings = step.settings;
  const Rounds& rounds = settings.contact;
  const bool joints = step.joints != nullptr && step.joints->count() > 0 &&
                      settings.joint_correction == JointCorrection::kBeforeMove;
  for (int sweep = 1; sweep <= rounds.sweeps; ++sweep) {
    const double share = static_cast<double>(sweep) / rounds.sweeps;
    bool any = false;
    for (Level& level : levels.list) {
      for (int k = 1; k <= rounds.level && settings.contacts; ++k) {
        const double s = settings.ramp ? share * k / rounds.level : 1;
        bool here = false;
        for (const uint32_t i : level.pairs) {
          BodyPair& pair = levels.pairs[i];
          if (visit_pair(step, pair, s, rounds.pair, step.counts.contacts)) {
            pair.acted = here = true;
          }
        }
        any = any || here;
        if (!here) break;
      }
      if (joints) visit_joints(step, level, settings.ramp ? share : 1);
    }
    if (joints) step.counts.joint_sweeps += settings.joint_rounds;
    ++step.counts.contact_sweeps;
    if (!any && !joints) break;
    // what has been set in motion may meet others now
    if (any && sweep == (rounds.sweeps + 1) / 2) refresh_pairs(step, levels);
  }
}

void propagate_shock(Step& step, Levels& levels) {
  const Settings& settings = step.settings;
  const Rounds& rounds = settings.shock_propagation;
  const bool joints = settings.joints_in_shock == JointsInShock::kFreezeLifted &&
                      settings.joint_correction == JointCorrection::kBeforeMove;
  const std::vector<uint8_t> shocked = find_shocked_joints(step, levels);
  bool any_joint = false;
  for (Level& level : levels.list) {
    std::erase_if(level.joints, [&](uint32_t j) { return shocked[j] == 0; });
    any_joint = any_joint || !level.joints.empty();
  }
  for (int sweep = 0; sweep < rounds.sweeps; ++sweep) {
    for (Level& level : levels.list) hold(step, level, false);
    for (Level& level : levels.list) {
      for (int k = 1; k <= rounds.level; ++k) {
        const double s = settings.ramp ? static_cast<double>(k) / rounds.level : 1;
        bool here = false;
        for (const uint32_t i : level.pairs) {
          here |= visit_pair(step, levels.pairs[i], s, rounds.pair, step.counts.shocks);
        }
        if (!here) break;
      }
      // joints never see that a body is held
      if (joints) visit_joints(step, level, 1);
      hold(step, level, true);
    }
    if (joints && any_joint) step.counts.joint_sweeps += settings.joint_rounds;
  }
  for (Level& level : levels.list) hold(step, level, false);
}

}  // namespace tenon::faithful::detail
