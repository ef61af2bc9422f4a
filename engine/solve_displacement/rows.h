// Constraints on displacements: rows J dq = b, each a small change that is wanted of a few bodies
// [Faure1998, sec. 3.1, 3.2].
//
// dq of a body is a translation of its mass centre and a small rotation, world axes. A row says
//   sum over its entries of f . dx + t . dphi = b                                            (1)
// in metres: rows of angles are multiplied by a length, the size of what they turn, so that one
// norm measures all. J M^-1 J^T is applied entry by entry and never formed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tenon/engine/joints/joint_def.h"
#include "tenon/engine/math/transform.h"

namespace tenon::displacement {

// A body as displacements see it; constant. Inverse mass zero: it does not move (the world, static
// bodies, bodies that a user has locked, trackers).
struct Body {
  double inv_mass = 0;  // 1/kg
  Mat3 inv_I_B{};       // about the mass centre, body axes; zero for a point mass
  double size = 1;      // m, what its displacements are large or small against
};

// What makes a displacement large or small: what M in J M^-1 J^T is.
enum class Metric : uint8_t {
  kWays,  // all bodies alike, a turn by one radian like a way of twice the size of the bodies
  kMass,  // the paper's: heavy bodies move less; needed for dynamics
};
// Replaces the masses of bodies that move, for kWays. With true masses a hand that is pulled spins
// about itself rather than draw the arm along, and linear steps lead astray: from 14 body lengths
// apart, ten figures hand in hand take 35 iterations one way and do not come together in 200 the
// other. Point masses do not turn in either.
void apply_metric(Metric metric, std::span<Body> bodies);

// Where bodies are: mass centre and orientation, by local index.
using Configuration = std::vector<Pose>;

struct Entry {
  uint32_t body = 0;
  Vec3 f, t;
};

enum class RowKind : uint8_t {
  kHeld,     // of a joint: must become zero
  kLimit,    // of a joint's freedom: one-sided
  kLaw,      // along a freedom on which a spring, damper, motor or friction acts
  kContact,  // of two bodies that may touch
  kWant,     // may be missed where rows of the kinds above need it
};

// What acts along a freedom, each as a row of its own: they add up.
enum class LawKind : uint8_t { kSpring, kMotor, kFriction };

struct Row {
  uint32_t first = 0, count = 0;  // of RowSet::entries
  uint32_t owner = 0;             // index of the joint or of the want
  uint8_t part = 0;               // of a limit or law: which row of its joint
  RowKind kind = RowKind::kHeld;
  LawKind law = LawKind::kSpring;
  bool angular = false;
  double unit = 1;    // what the row was multiplied by: b / unit is in m or rad
  double b = 0;       // m: the change that is wanted
  double c = 0;       // m or rad, of a law: the coordinate
  double count2 = 1;  // count_per_turning2()
  // Of the force along the row; one-sided rows push up (0 ... infinity) or down.
  double low = -kInfinity, high = kInfinity;
};

struct RowSet {
  std::vector<Row> rows;
  std::vector<Entry> entries;

  void clear() {
    rows.clear();
    entries.clear();
  }
  std::span<const Entry> of(const Row& row) const { return {&entries[row.first], row.count}; }
};

// Displacement or wrench of a body.
struct Six {
  Vec3 x, r;
};
inline double dot(const Six& a, const Six& b) {
  return tenon::dot(a.x, b.x) + tenon::dot(a.r, b.r);
}

// Turns bodies about their mass centres and shifts them.
void displace(std::span<const Six> step, std::span<const Body> bodies, Configuration& at);

// Faure's truncation: bodies that a linear step would turn farther than this are turned so far.
// Farther, the tangent says nothing; the value is his.
inline constexpr double kLargestTurn = 0.8;  // rad
void truncate_turns(std::span<Six> step);

// M^-1, J and J^T at one configuration.
class Operator {
 public:
  // Rows whose flag is zero are left out; empty: all are in. Keeps the references.
  void reset(std::span<const Body> bodies, const Configuration& at, const RowSet& rows,
             std::span<const uint8_t> use = {});
  size_t rows() const { return rows_->rows.size(); }
  size_t bodies() const { return inv_I_W_.size(); }
  bool uses(size_t row) const { return use_.empty() || use_[row] != 0; }
  void apply(std::span<const Six> motion, std::span<double> out) const;            // J
  void apply_transposed(std::span<const double> force, std::span<Six> out) const;  // J^T, from zero
  void apply_inverse_mass(std::span<const Six> wrench, std::span<Six> out) const;
  Six inverse_mass(uint32_t body, const Six& wrench) const {
    return {bodies_[body].inv_mass * wrench.x, inv_I_W_[body] * wrench.r};
  }
  const RowSet& set() const { return *rows_; }

 private:
  std::span<const Body> bodies_;
  const RowSet* rows_ = nullptr;
  std::span<const uint8_t> use_;
  std::vector<Mat3> inv_I_W_;
};

}  // namespace tenon::displacement
