// Pairs that meet only because something was hit in the same step; see docs/theory/contacts.md,
// section 2.
#pragma once

#include "tenon/engine/world/strike.h"

namespace tenon {

// Pairs that come near each other only because of hits in this step.
class Followers {
 public:
  Followers(const StepContext& context, WorldData& data, ContactWork& work)
      : context_(context),
        data_(data),
        work_(work),
        course_(context, data, work.impacts),
        strike_{context, data, work.impacts, pair_} {}

  // Looks for pairs of the bodies that have been hit since the last call, and lets them hit.
  // Returns whether anything was hit.
  bool run();

 private:
  struct Candidate {
    uint32_t a, b;  // colliders
    Meeting meeting;
    uint8_t strikes = 0;
  };
  bool strays(const Collider& c) const;
  void widen(uint32_t id);
  void look(uint32_t id);
  bool may_follow(const Collider& a, const Collider& b) const;
  void meet(Candidate& c);
  void book(const Candidate& c, const StrikeResult& r);

  const StepContext& context_;
  WorldData& data_;
  ContactWork& work_;
  Course course_;
  Island pair_;
  Strike strike_;
  std::vector<Candidate> candidates_;
  std::vector<ProxyId> found_;
};

}  // namespace tenon
