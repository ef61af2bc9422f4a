// Bodies that touch one another, directly or through others, and the three solves of a step that
// concern them: collisions, contacts, overlaps. Equations, order and reasons:
// docs/theory/contacts.md; numbers in brackets refer to that page.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tenon/engine/bodies/body.h"
#include "tenon/engine/solve_contact/accelerate.h"
#include "tenon/engine/solve_contact/rubbing.h"
#include "tenon/engine/solve_contact/sweep.h"

namespace tenon {

// Joints that hold bodies of an island, as contacts see them.
class JointedBodies {
 public:
  virtual ~JointedBodies() = default;
  // Velocities of all moving bodies -> the nearest ones, in kinetic energy, that the joints allow.
  // `rates`: bodies that are moved from outside move; otherwise everything that is not in `motion`
  // stands still.
  virtual void project(std::span<Motion> motion, bool rates) = 0;
  // Velocities of some bodies (local indices) per impulse on each of them with all joints held: a
  // symmetric matrix, six rows and columns for each; then one for each bound of the joints.
  virtual void calc_answer(std::span<const uint32_t> bodies, std::vector<double>& answer) = 0;
  // By how much joints change velocities in the step because their directions turn with the bodies.
  // False, and nothing changed, where that is not known.
  virtual bool calc_bend(std::span<Motion> bend) = 0;
};

struct Rubbing;  // rubbing.h

inline constexpr uint32_t kNoGroup = 0xffffffffu, kNoBody = 0xffffffffu;
inline constexpr double kNoAnswer = 1e-9;  // of what bodies would do without joints: round-off
inline constexpr double kThick = 1e300;    // m: nothing passes it in a step

// Approaches up to this are left to the contacts, m/s. These stop them in the course of a step,
// which takes bodies too far by half of it times h: not more than what forces do by themselves, a
// h, and a quarter of the thinner body. (2a)
inline constexpr double kOfThin = 0.5;
inline double slow_approach(double a, double h, double thin) {
  return std::min(a * h, kOfThin * thin / h);
}

struct IslandBody {
  double inv_mass = 0;  // zero for what contacts do not move
  Mat3 inv_I{};         // world axes
  Vec3 a, alpha;        // what forces alone would do: accelerations
  Motion expected;      // of jointed bodies: accelerations with joints and springs
  Motion bending;       // and how joints bend their ways, where that is known (6c)
  double mass = 0;
  uint32_t slot = 0;
  uint32_t group = kNoGroup;
  uint32_t place = 0;  // of its six columns in the group's answer, where it has one
  bool held = false;   // collisions: something matches its forces, it goes straight on
};

// A point of a contact patch: one normal impulse.
struct IslandPoint {
  Vec3 aA, aB;         // r x n: levers from the mass centres
  double gap = 0;      // m, signed
  double least = 0;    // m/s or m: the least normal rate that the running solve asks for
  double turning = 0;  // m/s: what turns in the step adds to it; contacts only
  double p = 0;        // impulse of the running solve
  double hit = 0;      // that of the collision phase
  double late = 0;     // s into the step at which it was hit
  double arm = 0;      // m, from the patch's middle: what its impulse holds against spinning
  double ease = 1;     // what joints leave of accelerations of the bodies here, at most
  double pressed = 0;  // N s: impulse of the last step
  double led = 0;      // m/s^2: what pressed it then, as far as joints lead what touches (2c)
  bool vain = false;   // the running solve asked for a rate that others do not allow, and gave up
};

// Points that share a normal, and the friction between them: a force at their middle and a moment
// about the normal.                                                                           (6)
struct IslandPatch {
  uint32_t a = 0, b = 0;  // bodies of the island
  uint32_t first = 0, count = 0;
  uint32_t contact = 0;  // where it comes from
  Vec3 n, t1, t2;        // from a to b
  Vec3 rA, rB;           // the middle, from the mass centres
  double restitution = 0, static_friction = 0, sliding_friction = 0;
  double rolling = 0, spinning = 0;  // m
  Vec3 drift;                        // of b against a, n t1 t2: where running surfaces do not rub
  Vec3 turning;                      // the same, by what levers turn in the step; contacts only
  Vec3 rub;                          // friction of the running solve: along t1, t2; about n
  Vec3 rub_hit;                      // that of the collision phase
  Vec3 roll;                         // N m s on b, about n (none), t1, t2
  std::array<double, 2> inv_roll{};
  // Symmetric answer of the rates of all rows (points, t1, t2, spin) to their impulses: rows x rows
  // numbers of Island::answers from here on.
  uint32_t answer = 0, rows = 0;
  uint32_t wrench = 0;       // of its first row, in Island::row_wrenches
  uint32_t above = kNoBody;  // which of a and b stands on the other
  bool moves = false;        // anything in it can move
  bool slips = false;        // sliding friction holds, not static
  uint8_t strikes = 0;       // in this step
  bool passes = false;       // known not to touch in this step, though straight lines say so
  double lost = kNeverLost;  // friction: see without_lost()
  double slack = 0;          // m: gaps and overlaps up to here are none
  double thin = kThick;      // m: of the thinner of the two; see slow_approach()

  // Rates of b against a, n t1 t2, at which nothing rubs.
  Vec3 aim() const { return drift + turning; }
};

// A bounded row of a group's joints (BoundedRow), bodies by island.
struct IslandRow {
  uint32_t body[2] = {kNoBody, kNoBody};  // kNoBody: moved from outside, at the rate `offset`
  Vec3 f[2], t[2];
  double offset = 0;
  double rate = 0, low = 0, high = 0, gap = 0;
  double soft = 0, keep = 0;
  double p = 0;
  double inv_answer = 0;
  uint32_t group = 0;
  bool held = false;   // at its rate: part of what the group's answer holds
  bool motor = false;  // BoundedRow::motor, joint, row
  uint8_t joint_row = 0;
  uint32_t joint = 0;
  uint8_t active = 0, releases = 0;  // in a solve: visits in a row; how often held no longer
  uint8_t repeats = 0;               // how often it has wanted the same again
  double wanted = 0;                 // N s, at its last visit
};

struct IslandGroup {
  JointedBodies* joints = nullptr;       // nullptr: its bodies stay where they are
  uint32_t first = 0, count = 0;         // bodies [first, first + count) of the island
  uint32_t first_bound = 0, bounds = 0;  // of the island's
  // By local index of the mechanism: which body of the island.
  std::vector<uint32_t> order;
  // Answer of the first `columns` bodies and of the bounds to impulses with all joints held: six
  // columns for each body, one for each bound, of numbers() rates; of bounds that are held, impulse
  // and rate have changed places. Empty: contacts see bodies as if they were free, and joints take
  // their turn after every sweep.
  uint32_t columns = 0;
  std::vector<double> answer;
  size_t numbers() const { return 6u * columns + bounds; }
  // By local index: what directions of joints turn in the step adds to velocities at its end.
  // Empty: nothing.
  std::vector<Motion> bend;
  double mass = 0;         // kg, of all its bodies
  double load = 0;         // kg, of loose bodies that touch it, or of what they carry
  double led = 0;          // m/s^2: the most by which its joints lead bodies round; none: not known
  double yielding = 1;     // the part of that answer that holds: tension resists it
  bool predicted = false;  // motion and answer are those of a whole step: joints need no more turns
};

struct IslandSettings {
  double h = 0;
  double gravity = 0;       // m/s^2, for scale
  double speed = 0;         // m/s, of the bodies, for scale
  double tolerance = 1e-6;  // of size
  int max_sweeps = 30;
  bool thorough = false;  // at rest: ends where nothing is left to change, or by max_sweeps
  bool wedged = false;    // at rest: what cannot come apart is given up; see give_up()
  // Of overlaps: how far pushes give way, of what their own bodies answer. What cannot come apart
  // then stays in the middle, and simple overlaps go but for this part.
  double softness = 0;
};

struct IslandResult {
  int sweeps = 0;
  double residual = 0;  // m/s: what the last sweep still changed
};

// A restitution below e, with which a hit did the work `gain` > 0, for which it does none. With the
// impulses P as they are, the work W = P.(u- + u+)/2 of points that leave at u+ = -e u- grows with
// e by `slope` = -P.u-/2; half of e at least is kept, and none after some attempts. What creates
// energy by a millionth loses no more than that.                                              (3)
double restitution_without_gain(double e, double gain, double slope, int attempt);

class Island {
 public:
  std::vector<IslandBody> bodies;
  std::vector<Motion> motion;  // of the bodies; velocities, or displacements while overlaps go
  std::vector<IslandPatch> patches;
  std::vector<IslandPoint> points;
  std::vector<IslandRow> bounds;
  std::vector<IslandGroup> groups;
  // Meshes touch in several patches: where one begins to slip, or presses with one point only,
  // others take over its load, and sweeps must see what is left of its friction. (6f)
  bool faceted = false;
  bool swings_known = true;  // the step resolves what springs of groups do
  double hit_work = 0;       // J, of the impulses of collisions, as each was at its moment

  // Everything but groups, whose answers keep their memory.
  void clear();
  // After bodies and groups have been filled in: how one of these answers. May run for several
  // groups at once.
  void prepare_group(uint32_t group);
  // After that, with everything filled in: answers of points.
  void prepare();

  // Collisions, one patch at a time: motion holds velocities at the begin of the step, or those
  // that lead to the present ones. Of groups only the bodies in contact are right afterwards.
  void begin_collisions();
  // Whether a patch is hit in the rest of the step as far as straight lines tell, and when first.
  // `slop`, m: how much nearer its points may come than they say.
  bool closes(const IslandPatch& c, double h, double slop, double& time) const;
  // How much farther the present velocities take its points through each other until the end of the
  // step as far as straight lines tell, m; none where it is negative.
  double overrun(const IslandPatch& c, double h) const;
  // Whether all its points are apart, its bodies go past each other faster than `speed`, and
  // straight lines lead some points through each other before the end of the step.
  bool nears(const IslandPatch& c, double h, double speed) const;
  // Whether springs, motors or friction of joints act on a body.
  bool is_driven(uint32_t body) const;
  // Hits it: motion, and `hit` and `late` of its points. `still`: what rates may change in the last
  // round over the rows of the patch, relative to the first.
  static constexpr double kExactHit = 1e-13;
  void strike(IslandPatch& c, const IslandSettings& settings, double still = kExactHit);
  // Hits all patches at once, with restitution: motion holds the velocities at that moment, gaps
  // are those of it. Changes motion, and `hit` of the points. Not for bodies with joints. (3i)
  void strike_together(const IslandSettings& settings);
  // All collisions of the step along straight lines, for islands with joints. Returns whether
  // anything was hit.
  bool collide(const IslandSettings& settings);
  // A body was hit at `time`: it moves as if it had begun the step with these velocities at its
  // place plus `late`.
  void set_course(uint32_t body, const Motion& velocity, const Motion& late, double time);
  // Gaps as they are seen from where the bodies are taken to have begun.
  void move_gaps();
  // After other answers have been given to groups: those of points.
  void prepare_patches();
  // After prepare(), where directions or levers of a patch have changed.
  void prepare_again(IslandPatch& c);
  // Takes impulses on the bodies out of their motion again.
  void take_out(std::span<const Wrench> wrenches);
  // A hit of all patches at once, without restitution: motion holds the velocities at that moment,
  // gaps are those of it, and settings.h what is left of the step. No point comes nearer in it than
  // its gap allows; p are the impulses.                                                       (3d)
  IslandResult stop_together(const IslandSettings& settings);
  // Before forces act on motion: springs see the mean of the rates at both ends of the step.
  void begin_springs();
  // The most by which joints of the island lead bodies round, m/s^2.
  double most_led() const;
  // Before resist(): how joints bend the ways of their bodies, where that is known; after forces
  // have acted on motion, that they do. (6c)
  void find_bends();
  void bend_ways();
  // Contacts: motion holds the velocities that forces alone would leave at the end of the step;
  // p of the points a first guess. Changes both.
  IslandResult resist(const IslandSettings& settings);
  // Before resist(), where p of patches that bodies have just come to rest on is not known: what
  // stands above them weighs. Needs patches in the order of levels.
  void guess_by_weight(double h);
  // Overlaps: motion is zero and becomes displacements that take away what `gap` (given by the
  // caller, where the bodies are now) is less than zero.
  IslandResult separate(const IslandSettings& settings);

  // Impulses of a patch as forces on b at its points, world axes: friction is shared among the
  // points as their normal impulses are.
  enum class Kind : uint8_t { kSolve, kHit, kAll };
  Vec3 point_impulse(const IslandPatch& c, const IslandPoint& x, Kind kind) const;
  // Of the mass centres of bodies that move, root mean square.
  double mean_speed() const;
  // Sliding speed of a patch, m/s.
  double slip_speed(const IslandPatch& c) const;
  // Normal rate of a point.
  double rate_of(const IslandPatch& c, const IslandPoint& x) const;
  // Adds the wrenches of all impulses of one kind to the bodies': of the running solve, or of the
  // collisions, each times minus the time at which it came where `late`.
  void add_wrenches(std::span<Wrench> wrenches, Kind kind, bool late) const;
  // After resist(): adds what springs and dampers of joints do against the given ones.
  void add_springs(std::span<Wrench> wrenches) const;
  // After resist(): the rate that a motor and contacts have agreed upon.
  double agreed_rate(size_t row) const;
  // The same for the bounds of joints.
  void add_bounds(std::span<Wrench> wrenches) const;

 private:
  static constexpr uint32_t kMostRows = 11;
  static constexpr double kNever = 1e300;  // of residuals and bounds: there is none
  // a residual so many times larger than the best was no progress
  static constexpr double kAstray = 2;
  IslandResult solve_contacts(const IslandSettings& settings);
  double kinetic_of(std::span<const Motion> of) const;
  bool gains_too_much(const IslandSettings& settings, double before) const;
  using Rows = std::array<double, kMostRows>;
  struct RowWrench {
    Vec3 f, tA, tB;
  };

  void aim_hits(std::span<const Rows> before, double part, double h);
  bool sweep_hits(std::span<const uint32_t> which, double still, double fastest, int most);
  void solve_hits_at_once(std::span<const uint32_t> which, double still, double fastest);
  void finish_hits(std::span<const uint32_t> which, double still, double fastest);
  void solve_hits(std::span<const uint32_t> which, double still, double fastest);
  bool let_hits_slip(double fastest);
  double work_of_hits(std::span<const Rows> before) const;
  Motion answer_of(uint32_t row, uint32_t column, const Vec3& f, const Vec3& t) const;
  void push(uint32_t body, const Vec3& f, const Vec3& t);
  RowWrench make_row_wrench(const IslandPatch& c, uint32_t row) const;
  void prepare_patch(IslandPatch& c);
  void calc_patch(IslandPatch& c);
  void finish_patch(IslandPatch& c);
  void drop_held_rows(IslandPatch& c);
  void calc_rolling(IslandPatch& c);
  void calc_ease(IslandPatch& c);
  void calc_led(double h);
  void rates_of(const IslandPatch& c, Rows& u) const;
  void push_patch(const IslandPatch& c, const Rows& dz);
  double resist_patch(IslandPatch& c, int inner, double enough);
  Rubbing rubbing_of(const IslandPatch& c) const;
  // whether a body's joints answer by a matrix
  bool answers(const IslandBody& b) const {
    return b.group != kNoGroup && !groups[b.group].answer.empty();
  }
  void load_records();
  void load_record(uint32_t patch);
  void store_record(size_t patch);
  void store_records();
  double sweep_patches(bool backwards, double still, double fine);
  double sweep_contacts(bool backwards, double still, double fine);
  double visit(SweptPatch& p, double still, double fine);
  bool let_slip();
  void stick_again();
  void go_back_to_calmest();
  bool give_up(bool all);
  double sum_of_impulses() const;
  double fastest_touch() const;
  double mass() const;
  double impulse_of_forces(double h) const;
  double fastest_outside() const;
  void gather(std::vector<double>& z) const;
  void scatter(std::span<const double> z);
  void apply_all();
  void drop_if_not_finite();
  void rub_what_is_held(double speed);
  bool is_guided(uint32_t body, const IslandPatch& c) const;
  void share_pressure();
  bool heavy_on_light(bool rests) const;
  struct AtOnce;
  bool begin_at_once(AtOnce& s);
  double classify_at_once(AtOnce& s) const;
  bool solve_round(AtOnce& s) const;
  bool solve_at_once(std::vector<double>& z, double still);
  void begin_anderson(size_t size);
  void accelerate(bool last);
  double resist_rolling(IslandPatch& c, double normal);
  void prepare_row(size_t row);
  bool may_hold(const IslandRow& r) const;
  void calc_couplings(size_t row);
  void couple_patches(size_t row);
  bool leaves_contacts_free(size_t row);
  void hold_springs();
  void soften_motors(IslandGroup& g);
  double work_of_laws() const;
  void hold_bounds(bool displaces, double tolerance);
  void calc_patches(uint32_t group);
  void sort_patches();
  void release_all();
  void exchange_bound(size_t row);
  void exchange_in_bounds(size_t row);
  void finish_exchange(IslandGroup& g);
  void hold_bound(size_t row, double rate);
  void release_bound(size_t row, double rate);
  bool bound_motors();
  void begin_bounds(bool displaces, double tolerance);
  void start_held(bool displaces);
  void store_bounds();
  void refill_records(uint32_t group);
  void push_row(size_t row, double change);
  void add_row(size_t row, double change, std::span<Motion> to, std::span<double> rates);
  double hasten(IslandRow& r, double wanted) const;
  double reach_of(const IslandRow& r) const;
  double resist_row(size_t row, double rate, double still);
  double rate_of(const IslandRow& r) const { return rate_in(r, motion); }
  double rate_in(const IslandRow& r, std::span<const Motion> of) const;
  void complete_groups();
  double gap_of(const IslandPatch& c, const IslandPoint& x) const;
  double clock_of(const IslandPatch& c) const;
  void take_back(const IslandPatch& c);
  bool may_bounce(double h) const;
  std::vector<double> calc_swings() const;
  void expect_accelerations(double h);
  bool expect_bends(double h);
  bool grazes(const IslandPatch& c, double h) const;
  using TimedPatch = std::pair<double, uint32_t>;
  bool is_overwhelmed(std::span<const uint32_t> which) const;
  void stop_hits(int pass, std::span<const uint8_t> strikes, const IslandSettings& settings);
  std::optional<size_t> mover_of(uint32_t body) const;
  std::vector<std::vector<uint32_t>> divide_moment(std::span<const TimedPatch> hits) const;
  void strike_moment(std::span<const TimedPatch> hits, std::span<const uint8_t> strikes,
                     const IslandSettings& settings);
  void strike_all(std::span<const uint32_t> which, const IslandSettings& settings, double still,
                  double part = 1);
  struct StruckPatch;
  struct HitWork;
  std::vector<uint32_t> groups_of(std::span<const StruckPatch> struck) const;
  void aim_struck(const StruckPatch& s, double part, double h);
  bool let_struck_slip(std::span<const StruckPatch> struck, double slow);
  void add_work(const StruckPatch& s, double fastest, HitWork& work) const;
  void finish_struck(const StruckPatch& s, std::span<const double> times);
  std::array<double, 2> delay_free(const IslandPatch& c, std::span<const double> times);
  void delay_groups(std::span<const StruckPatch> struck, std::span<const uint32_t> of,
                    std::span<const Motion> before, double time);
  void project_groups(bool rates);
  void project_group(const IslandGroup& g, bool rates);

  std::vector<Motion> local_;
  // by bound: its rate, where its group answers by a matrix; of those that are held, the impulse
  std::vector<double> rates_;
  // of the contact phase: motion and rates without contacts, wrenches of all impulses
  std::vector<Motion> base_, loose_base_;  // the latter without held bounds
  std::vector<double> base_rates_;
  std::vector<Wrench> wrenches_;
  SweepRecords records_;
  // of the collision phase, by body: where it is seen to start, and when it was hit last, s
  std::vector<Motion> late_;
  std::vector<double> clock_;
  std::vector<double> answers_, loose_answers_;  // of patches; without held bounds
  std::vector<RowWrench> row_wrenches_;          // of patches, row by row
  std::vector<double> couplings_;                // of patches of a group to a bound, row by row
  std::vector<double> pivots_, pivot_columns_;   // of bounds that are being held
  // by group: patches of its bodies, [first_patch_[g], first_patch_[g + 1]) of group_patches_
  std::vector<uint32_t> first_patch_, group_patches_;
  std::span<const uint32_t> patches_of(uint32_t group) const {
    return std::span(group_patches_)
        .subspan(first_patch_[group], first_patch_[group + 1] - first_patch_[group]);
  }
  bool released_ = false;     // a bound, in the running sweep
  double motors_change_ = 0;  // m/s: of what motors move, in the running sweep
  Anderson anderson_;
  std::vector<double> weights_, z_, g_, best_g_;
  std::vector<double> calmest_z_;  // impulses of the sweep that changed least
  std::vector<double> halved_z_;   // of the last one that changed half of what others had before
  // of the solution before the last patches slipped: impulses; by patch what else it was
  struct Sticking {
    Vec3 roll;
    bool slips = false;
  };
  std::vector<double> sticking_z_;
  std::vector<Sticking> sticking_;
  std::vector<Vec3> calmest_roll_;
  double best_ = 0;
  double softness_ = 0;  // of the records' points: IslandSettings::softness while overlaps go
};

}  // namespace tenon
