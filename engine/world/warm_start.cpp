#include "tenon/engine/world/warm_start.h"

#include <algorithm>

#include "tenon/engine/world/shaded.h"

namespace tenon {
namespace {

// A small gap closes in about so many steps. Displacements are means of velocities at both ends of
// a step: fewer than 2.9 would overshoot and swing.                                         (5)
constexpr double kSettlingSteps = 3;
// What presses and overlaps comes apart in about so many steps, no faster than this part of what
// gravity does in one: it rises by less than a hundredth of what it would fall in a step. (5b)
constexpr double kRecoverySteps = 5, kRecovery = 0.1;
constexpr double kNeverReached = 1e9;  // m/s

// Bodies whose joints take turns with contacts, limits and all.
bool waits_for_joints(const Island& island, const IslandPatch& c) {
  const auto waits = [&](uint32_t b) {
    const uint32_t g = island.bodies[b].group;
    return g != kNoGroup && island.groups[g].columns == 0 && island.groups[g].bounds > 0;
  };
  return waits(c.a) || waits(c.b);
}

// A mesh that lies in a hollow of facets touches it in many patches, and no place of a rigid body
// opens all their overlaps to the last digit: the rates that would open them contradict those that
// friction allows, and sweeps would go on for ever. What presses may overlap by this much, m; zero
// for pairs of one patch.                                                                   (5d)
double facet_play(const WorldData& data, uint32_t contact) {
  constexpr double kPlay = 2e-4;  // of the thinner of the two
  const Contact& c = data.contacts[contact];
  const bool first_of_many =
      contact + 1 < data.contacts.size() && is_same_pair(c, data.contacts[contact + 1]);
  if (c.patch == 0 && !first_of_many) return 0;
  return kPlay * std::min(data.colliders[c.collider_a].size, data.colliders[c.collider_b].size);
}

// Whether gaps of a patch are seen from where its bodies are taken to have begun.
bool follows_hits(const Island& island, const IslandPatch& c) {
  const auto follows = [&](uint32_t b) {
    const uint32_t g = island.bodies[b].group;
    return g == kNoGroup || !island.groups[g].answer.empty();
  };
  return follows(c.a) && follows(c.b);
}

// Where joints and many contacts hold bodies, meshes wedge into one another in several patches, or
// bodies of a heap do so among many, these are held more than once over. No place closes all gaps
// and opens all overlaps then, rates that would contradict each other, and sweeps pass impulses on
// for ever. What presses, is as near as it may be, and did not go where it was asked to for some
// steps, is not asked any more: what all are asked for at last, to stay, they can do. How near that
// is, m. (5e)
constexpr uint8_t kVainSteps = 6;
// Loose bodies can go aside in the end: of the thinner one, what they are not asked for any more.
constexpr double kGivenUpLoose = 1e-3;
double given_up(const StepContext& context, const WorldData& data, const Contact& c, bool loose) {
  if (c.vain < kVainSteps) return 0;
  const double most = tolerated_overlap(context, data, c);
  const double thin =
      std::min(data.colliders[c.collider_a].size, data.colliders[c.collider_b].size);
  return loose ? std::min(most, kGivenUpLoose * thin) : most;
}

}  // namespace

void warm_start(const StepContext& context, const WorldData& data, IslandWork& w) {
  const double h = context.h;
  const double recovery = kRecovery * norm(data.settings.gravity) * h;
  const bool tight = is_tight(w);
  const bool loose = w.mechanisms.empty() && !touches_in_patches(data, w);
  Island& island = w.island;
  const std::vector<uint8_t> shaded = w.thin ? find_shaded(island) : std::vector<uint8_t>();
  for (IslandPatch& c : island.patches) {
    const Contact& contact = data.contacts[c.contact];
    const bool left_out = w.thin && shaded[static_cast<size_t>(&c - island.patches.data())] != 0;
    const double strength =
        std::sqrt(std::max(norm2(island.bodies[c.a].a), norm2(island.bodies[c.b].a)));
    // joints and limits of one mechanism may not allow it
    const bool own = island.bodies[c.a].group != kNoGroup &&
                     island.bodies[c.a].group == island.bodies[c.b].group;
    const bool slowly = !tight && !own && recovers(contact) && !waits_for_joints(island, c) &&
                        !is_jammed(data, c.contact);
    const double play = std::max(c.slack, facet_play(data, c.contact));
    const double near_enough = std::max(c.slack, given_up(context, data, contact, loose));
    for (uint32_t k = 0; k < c.count; ++k) {
      IslandPoint& x = island.points[c.first + k];
      x.p = contact.holding[k];
      x.vain = false;
      const double free = x.p > 0 ? near_enough : c.slack;
      const double overlap = -x.gap - (x.p > 0 ? std::max(play, free) : free);
      const double rate = island.rate_of(c, x), a = x.ease * strength;
      // what was hit has met; where others have sent it back since, the rest of its way is known
      const bool met = x.late > 0 && !(rate < 0 && follows_hits(island, c));
      const double gap = met ? 0 : std::max(x.gap, 0.0), mean = -gap / h;
      // and between two is not what keeps them apart
      const bool near = gap <= c.slack + std::min(a * h * h, kSmallGap * c.thin);
      const bool rests = near && rate >= -a * h;
      // the way is the mean of both ends: what began slower may end faster
      x.least = rests ? -std::max(gap - free, 0.0) / (kSettlingSteps * h)
                      : std::min(mean, 2 * mean - rate);
      if (overlap > 0 && x.late == 0 && slowly) {
        x.least = std::max(x.least, std::min(recovery, overlap / (kRecoverySteps * h)));
      }
      if (c.passes || left_out) {
        x.least = -kNeverReached;
        x.p = 0;
      }
    }
    c.slips = island.slip_speed(c) > strength * h;  // faster than forces of one step explain
    c.rub = {dot(c.t1, contact.rub_W), dot(c.t2, contact.rub_W), contact.spin};
    c.roll = {0, dot(c.t1, contact.roll_W), dot(c.t2, contact.roll_W)};
  }
}

uint8_t count_vain(const Island& island, const IslandPatch& c, uint8_t vain) {
  constexpr double kDone = 0.5;  // of what it was asked for
  const uint8_t more = std::min<uint8_t>(Contact::kMostVain, static_cast<uint8_t>(vain + 1));
  bool presses = false;
  for (uint32_t i = c.first; i < c.first + c.count; ++i) {
    const IslandPoint& x = island.points[i];
    presses = presses || x.p > 0;
    if (x.p > 0 && x.vain) return more;
    if (!(x.p > 0) || x.least == 0) continue;
    const double rate = island.rate_of(c, x);
    if (x.least > 0 ? rate < kDone * x.least : rate > kDone * x.least) return more;
  }
  return presses && vain >= kVainSteps ? vain : uint8_t{0};
}

}  // namespace tenon
