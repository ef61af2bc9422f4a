// Contact in the method `force`: what touches at a state of the integrator, what forces that
// brings, when bodies meet, and what impacts do. The laws and solves are in engine/solve_force;
// docs/theory/force-contact.md says how they work together.
//
// Life of it: look() at the begin of a frame and every dt_col after; calc_forces() whenever the
// integrator evaluates accelerations; after each of its steps find_impact(), and either
// accept_step() or, with the step cut there, accept_step() and then collide(); end_frame().
// Nothing of it outlives a frame: where contacts are latched follows from the state.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "tenon/engine/solve_force/contact_forces.h"
#include "tenon/engine/solve_force/resting_lcp.h"
#include "tenon/engine/solve_force/serial_impulses.h"
#include "tenon/engine/world/world_data.h"

namespace tenon {

struct Mechanisms;  // phases.h

// Two colliders that may meet before the next look.
struct ForcePair {
  uint32_t collider_a = 0, collider_b = 0, body_a = 0, body_b = 0;
  ContactLaw law;
  double thin = 0;              // m, of the thinner one
  double far_a = 0, far_b = 0;  // m: how far from the mass centres their points are
  double slow = 0;              // m/s: what approaches faster collides
  bool one_way = false;         // acts at its front only
  bool stubborn = false;        // impacts change nothing: left to forces until the next look
};

// A point of such a pair at a state.
struct ForcePoint {
  uint32_t pair = 0, place = 0;  // patch of the pair and place in it: patch_of(), point_of()
  uint32_t feature = 0;          // its name there
  TouchingPoint at;
  double gap = 0;       // m
  double approach = 0;  // m/s
  Vec3 slip;            // m/s, of b against a in the plane of contact, belts included
};

struct ForceContactCounters {
  uint32_t impacts = 0;         // moments at which bodies collided
  uint32_t impact_steps = 0;    // impulses of all of them
  uint32_t capped_impacts = 0;  // ended by 2 k steps
  double approach_left = 0;     // m/s, largest that they left
  uint32_t lcp_solves = 0, lcp_pivots = 0, lcp_failures = 0;
};

class ForceTouch {
 public:
  // -- where bodies are
  // Pairs that may meet within `span` seconds from a state on.
  void look(WorldData& data, const Mechanisms& joints, std::span<const BodyState> state,
            double span);
  bool any() const { return !pairs_.empty(); }

  // -- forces
  // Loads of all contacts at a state, on dynamic bodies, each once. `free`: accelerations by slot
  // without contacts, for the complementarity problem only.
  std::span<const LoadedBody> calc_forces(const WorldData& data, double t,
                                          std::span<const BodyState> state,
                                          std::span<const Motion> free,
                                          const ContactResponse& response);
  // Power of those, W.
  double power() const { return power_; }
  // They belong to a stage of a step: accept_step() will ask for them.
  void remember() { evaluations_.push_back(std::move(running_)); }
  // The step from t on of length h has been taken as far as s; `weight`: of its stages there
  // (dp54::calc_dense_weights). Books impulses by the forces of its stages; returns their work, J.
  double accept_step(double t, double h, std::span<const double> weight);
  // Accelerations have to be found anew at the present state: forget what is remembered of it.
  void restart() { evaluations_.clear(); }

  // -- sticking and sliding
  // Says for the step that begins at a state which points slide, and where to; they go on so until
  // the sliding comes to an end, which is an event. Returns whether anything is different from
  // what was said for the step before. Contacts by a complementarity problem only.
  bool latch(const WorldData& data, std::span<const BodyState> state);

  // -- impacts and ends of sliding
  // States of all bodies at s in [0, 1] of a step.
  using StateAt = std::function<std::span<const BodyState>(double s)>;
  // The first moment of the step, of length h, at which a pair collides or a point that slid comes
  // to a stop: s in (0, 1].
  std::optional<double> find_impact(const WorldData& data, double h, const StateAt& at);
  // Whether points collide at a state.
  bool collides(const WorldData& data, std::span<const BodyState> state);
  // Gives impulses to what collides: changes velocities and momenta. Returns whether anything
  // changed; pairs that impulses do not help are left to forces until the next look.
  bool collide(const WorldData& data, std::span<BodyState> state, const ContactResponse& response);

  // -- the frame
  void begin_frame();
  // Everything that collides at a state is left to forces until the next look.
  void give_up(const WorldData& data, std::span<const BodyState> state);
  // What pushed in the frame, sorted by collider pair, with impulses: WorldData::contacts before
  // find_contacts().
  std::vector<Contact> take_pushed() { return std::move(pushed_); }
  const ForceContactCounters& counters() const { return counters_; }

 private:
  struct PointForce {
    uint32_t pair = 0, place = 0;
    Vec3 force, torque;  // on b at the point
  };
  struct Evaluation {
    double t = 0, power = 0;  // W, on dynamic bodies
    std::vector<PointForce> forces;
    std::vector<std::pair<uint32_t, Manifold>> manifolds;  // by pair, patches in order
  };

  void find_points(const WorldData& data, std::span<const BodyState> state, double margin);
  void find_pair_points(const WorldData& data, std::span<const BodyState> state, uint32_t pair,
                        double margin);
  bool is_at_front(const WorldData& data, std::span<const BodyState> state, const ForcePair& p,
                   const Manifold& m) const;
  void push_by_laws(const WorldData& data, Evaluation& e) const;
  void push_by_lcp(const WorldData& data, std::span<const BodyState> state,
                   std::span<const Motion> free, const ContactResponse& response, Evaluation& e);
  // Returns which of the points have no answer.
  std::vector<uint8_t> solve_resting(std::span<const uint32_t> resting,
                                     std::span<RestingPoint> rows, const ContactResponse& response);
  void find_drift(const WorldData& data, std::span<const BodyState> state,
                  std::span<const uint32_t> resting, std::vector<Vec3>& drift);
  void sum_loads(const WorldData& data, std::span<const BodyState> state, Evaluation& e);
  void settle(std::span<const BodyState> state, std::vector<Motion>& velocity,
              const ContactResponse& response, std::span<const uint32_t> group);
  double touching_gap(const WorldData& data) const;
  bool collides_now(const ForcePoint& p) const;
  struct SlideLatch {
    uint64_t key = 0;  // pair and feature
    bool slides = false;
    Vec3 direction;  // unit, of those that slide
    friend bool operator==(const SlideLatch&, const SlideLatch&) = default;
  };
  const SlideLatch* find_latch(const ForcePoint& p) const;
  bool stops_now(const ForcePoint& p) const;
  bool happens(const WorldData& data, std::span<const BodyState> state);
  void add_pushed(std::vector<Contact> part);
  static uint32_t patch_of(uint32_t place) { return place / Manifold::kMaxPoints; }
  static uint32_t point_of(uint32_t place) { return place % Manifold::kMaxPoints; }
  // The patch of a place in a list by pair, or nullptr.
  static const Manifold* find_patch(const std::vector<std::pair<uint32_t, Manifold>>& list,
                                    uint32_t pair, uint32_t place);
  Contact& part_of(std::vector<Contact>& parts, uint32_t pair, uint32_t patch,
                   const Manifold& manifold) const;

  std::vector<ForcePair> pairs_;
  // of the running evaluation
  std::vector<ForcePoint> points_;
  std::vector<std::pair<uint32_t, Manifold>> manifolds_;
  std::vector<LoadedBody> loads_;
  // what points did last, by pair and place in the manifold, sorted
  std::vector<std::pair<uint64_t, RestingMode>> modes_;
  std::vector<SlideLatch> latches_;  // of the running step, sorted
  uint32_t stops_ = 0;               // ends of sliding since the last look
  std::vector<uint8_t> moving_;      // by body slot: forces move it
  std::vector<uint32_t> owner_;      // by body slot: the lowest of those that joints hold together
  // of the steps since the last one that was accepted
  std::vector<Evaluation> evaluations_;
  Evaluation running_;
  double power_ = 0;
  std::vector<Contact> pushed_;
  ForceContactCounters counters_;
};

}  // namespace tenon
