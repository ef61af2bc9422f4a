// When and where two bodies meet within a step; see docs/theory/contacts.md, section 2.
#pragma once

#include <span>

#include "tenon/engine/collision/narrow/manifold.h"
#include "tenon/engine/world/contact_work.h"

namespace tenon {

struct Meeting {
  double time = kInfinity;  // s from the begin of the step; infinite: they do not meet in it
  Manifold manifold;        // of that moment
  // No faster than forces explain: it counts because one is thin, and does not bounce.       (2a)
  bool gentle = false;
  // Proved: nothing touches, from the time asked for to the end of the step.
  bool apart = false;
};

// The bodies of a step as the collisions so far have left them.
class Course {
 public:
  Course(const StepContext& context, const WorldData& data, const ImpactStates& impacts)
      : context_(context), data_(data), impacts_(impacts) {}

  // Where a body is at time t (s from the begin of the step, not before its last hit) with nothing
  // but its own forces acting from then on, until it is held (3e). Jointed bodies: at the begin of
  // the step.
  BodyState state_at(uint32_t slot, double t) const;
  // Where it would have begun if it had always gone straight on as it does since it is held;
  // state_at(slot, 0) for others.
  BodyState line_begin(uint32_t slot) const;
  // What its own forces do to its mass centre; and none for what is held: it does not follow them.
  Vec3 own_acceleration(uint32_t slot) const;
  Vec3 acceleration(uint32_t slot) const {
    return impacts_.held_since(slot) < kInfinity ? Vec3{} : own_acceleration(slot);
  }
  double step() const { return context_.h; }
  // Time of its last hit, 0 if there was none.
  double clock(uint32_t slot) const;
  // By how much a body turns in the step, rad, as far as its patches with another one see it: a
  // wheel turns in itself where all of them lie on its tread.
  double turn_of(const Collider& c, std::span<const IslandPatch> patches) const;
  // Whether that is so much that where its points go is no straight line.
  static bool is_fast_turn(double turn);
  // How far it takes its ends in the step, m.
  static double turn_way(const Collider& c, double turn);
  // By how much it takes points of others off straight lines in the step, at most, m.
  static double bend_of(const Collider& c, double turn);

  // Whether it is proved that the two do not meet from `from` on to the end of the step, neither
  // falling by their own forces nor carried by something.
  bool misses(uint32_t collider_a, uint32_t collider_b, double from) const;
  // The first time from `from` on at which the pair closes faster than its own forces explain.
  Meeting find_meeting(uint32_t collider_a, uint32_t collider_b, double from) const;

 private:
  struct Pair;
  Meeting refine(const Pair& pair, double t, double time, const Vec3& n) const;
  // Patches of a pair; one for convex shapes. Of meshes those that matter in the next `time` s.
  std::span<const Manifold> find_patches(const Pair& pair, const BodyState& A, const BodyState& B,
                                         double margin, double time) const;

  double arrival(const Pair& pair, const BodyState& A, const BodyState& B, double interval) const;

  const StepContext& context_;
  const WorldData& data_;
  const ImpactStates& impacts_;
  mutable std::vector<Manifold> patches_;  // memory only
};

// The time at which gap + s t + a t^2 / 2 = 0 (gap >= 0), up to h, or infinite; 0 where the gap is
// none and closes.                                                                            (2)
double closing_time(double gap, double s, double a, double h);

}  // namespace tenon
