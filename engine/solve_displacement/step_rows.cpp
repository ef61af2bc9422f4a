// Rows of a step: joints, contacts and the laws along freedoms, and what each asks for where the
// bodies are.
#include <algorithm>
#include <cmath>

#include "tenon/engine/joints/axis_law.h"
#include "tenon/engine/math/elementary.h"
#include "tenon/engine/solve_displacement/step.h"

namespace tenon::displacement {

// Normal, two tangents, and couples where there is resistance to rolling and spinning: parts 0
// to 5.
void Stepper::add_contact_rows(std::span<const StepContact> contacts, const Configuration& at,
                               RowSet& out) {
  for (uint32_t i = 0; i < contacts.size(); ++i) {
    const StepContact& c = contacts[i];
    Vec3 r[2];
    for (size_t k = 0; k < 2; ++k) {
      r[k] = rotate(at[c.body[k]].q * conjugate(begin_[c.body[k]].q), c.r[k]);
    }
    const auto add = [&](uint8_t part, const Vec3& f, const Vec3& t) {
      Row row;
      row.first = static_cast<uint32_t>(out.entries.size());
      row.count = 2;
      row.owner = i;
      row.part = part;
      row.kind = RowKind::kContact;
      out.entries.push_back({c.body[0], -f, -(cross(r[0], f) + t)});
      out.entries.push_back({c.body[1], f, cross(r[1], f) + t});
      out.rows.push_back(row);
    };
    const Vec3 t1 = tangents_[i], t2 = cross(c.n, t1);
    add(0, c.n, {});
    add(1, t1, {});
    add(2, t2, {});
    if (c.rolling > 0) {
      add(3, {}, t1);
      add(4, {}, t2);
    }
    if (c.spinning > 0) add(5, {}, c.n);
  }
}

// Those of joints and contacts, and what is solved with them.
void Stepper::make_rows(std::span<const StepContact> contacts, const Configuration& at) {
  maker_.make(at, 1, rows_);
  joint_rows_ = rows_.rows.size();
  add_contact_rows(contacts, at, rows_);
  op_.reset(bodies_, at, rows_);
}

// Rows at the begin of the step, without forces.
void Stepper::begin_rows(std::span<const StepBody> bodies, std::span<const StepContact> contacts) {
  make_rows(contacts, begin_);
  read_laws(bodies);
  force_.assign(rows_.rows.size(), 0);
}

// Coordinates and rates of laws at the begin of the step.
void Stepper::read_laws(std::span<const StepBody> bodies) {
  extra_.assign(rows_.rows.size(), {});
  for (size_t r = 0; r < joint_rows_; ++r) {
    const Row& row = rows_.rows[r];
    if (row.kind != RowKind::kLaw && row.kind != RowKind::kLimit) continue;
    extra_[r].begin = row.c;
    double rate = 0;
    for (const Entry& e : rows_.of(row)) {
      const BodyState& s = bodies[e.body].begin;
      rate += tenon::dot(e.f, s.v_WC) + tenon::dot(e.t, s.w_WB);
    }
    extra_[r].rate = rate / row.unit;
    for (const Entry& e : rows_.of(row)) {
      extra_[r].mobility += dot(Six{e.f, e.t}, op_.inverse_mass(e.body, {e.f, e.t}));
    }
    extra_[r].mobility /= row.unit * row.unit;
  }
}

// What each row asks of the correction where the bodies are now, in `now_` and `extra_`. A force F
// along a coordinate is x = F h^2 / unit of its row.
//   spring, damper   F = -k (s c_-1 + (1 - 2 s) c_0 + s c_1 - rest) - d (c_1 - c_-1) / (2 h)  (2)
// Symmetric in time, so without damping of its own, and stable at any stiffness for s >= 1/4: the
// trapezoidal rule for springs that the step resolves. For stiffer ones s goes to 1/2, since the
// trapezoidal rule lets what it cannot resolve grow with the number of steps.
void Stepper::update_wanted(std::span<const StepBody> bodies,
                            std::span<const StepContact> contacts) {
  (void)bodies;
  const std::span<const Joint> joints = maker_.joints();
  const double h2 = h_ * h_;
  for (size_t r = 0; r < joint_rows_; ++r) {
    const Row& row = now_.rows[r];
    Extra& x = extra_[r];
    x.b = row.b;
    x.low = row.low;
    x.high = row.high;
    if (row.kind != RowKind::kLaw) continue;
    const JointModel& model = *joints[row.owner].model;
    // as at the begin of the step
    const JointAxisDef axis =
        resist_turning(model.axes[model.rows[row.part].axis], rows_.rows[r].count2);
    if (row.law == LawKind::kSpring) {
      const double before = x.begin - h_ * x.rate;
      const bool slack = x.begin < axis.min_separation;
      const double a = h2 * axis.stiffness * x.mobility;  // (frequency times h)^2
      const double share = 0.25 + 0.25 * a / (4 + a);
      const double stiff = slack ? 0 : share * axis.stiffness + axis.damping / (2 * h_);
      if (!(stiff > 0)) {
        x.low = x.high = 0;
        continue;
      }
      const double mean = share * (before + row.c) + (1 - 2 * share) * x.begin;
      const double pull =
          -axis.stiffness * (mean - axis.rest) - axis.damping * (row.c - before) / (2 * h_);
      x.soft = row.unit * row.unit / (h2 * stiff * force_share_);
      x.b = row.unit * pull / stiff;
    } else if (row.law == LawKind::kFriction) {
      x.b = row.unit * (x.begin - row.c);
      x.high = axis.friction * h2 / row.unit;
      x.low = -x.high;
    } else {
      const Motor& motor = axis.motor;
      x.high = motor.max_force * h2 / row.unit;
      x.low = -x.high;
      if (motor.kind == Motor::Kind::kForce) {
        x.low = x.high = motor.target * h2 / row.unit;
      } else if (motor.kind == Motor::Kind::kVelocity) {
        x.b = row.unit * (x.begin + h_ * motor.target - row.c);
      } else {
        const Oscillation o = damped_oscillation(
            x.begin - motor.target, x.rate, 2 * kPi * motor.frequency_hz, motor.damping_ratio, h_);
        x.b = row.unit * (motor.target + o.error - row.c);
      }
    }
  }
  double pressing = 0;  // of the contact that the rows belong to
  for (size_t r = joint_rows_; r < now_.rows.size(); ++r) {
    const Row& row = now_.rows[r];
    const StepContact& c = contacts[row.owner];
    Extra& x = extra_[r];
    const uint32_t a = c.body[0], b = c.body[1];
    const Vec3 t1 = tangents_[row.owner], t2 = cross(c.n, t1);
    if (row.part == 0) {
      x.b = -(c.gap + tenon::dot(c.n, slip_way(c)));
      x.low = 0;
      // friction of the first iteration goes by the pressure of the last step
      pressing = std::max(force_[r], untouched_ ? h_ * c.guess : 0);
    } else if (row.part <= 2) {
      const Vec3 slip = slip_way(c) - h_ * c.drift;
      x.b = -tenon::dot(row.part == 1 ? t1 : t2, slip);
      const BodyState &sa = bodies[a].begin, &sb = bodies[b].begin;
      const Vec3 v = sb.v_WC + cross(sb.w_WB, c.r[1]) - sa.v_WC - cross(sa.w_WB, c.r[0]) - c.drift;
      const double speed = norm(v - tenon::dot(c.n, v) * c.n);
      // what slid at the begin goes on sliding
      const double friction = speed > 1e-2 ? c.sliding_friction : c.static_friction;
      x.high = friction * pressing;
      x.low = -x.high;
    } else {
      const Vec3 turn = turn_way(b) - turn_way(a);
      const Vec3& axis = row.part == 3 ? t1 : row.part == 4 ? t2 : c.n;
      x.b = -tenon::dot(axis, turn);
      x.high = (row.part == 5 ? c.spinning : c.rolling) * pressing;
      x.low = -x.high;
    }
  }
}

// Rows where the bodies are now, what they ask for, and what is left of errors. False where there
// are other rows than at the begin.
bool Stepper::look(std::span<const StepBody> bodies, std::span<const StepContact> contacts,
                   StepResult& result) {
  maker_.make(at_, 1, now_);
  if (now_.rows.size() != joint_rows_) return false;
  add_contact_rows(contacts, at_, now_);
  result.error = maker_.worst(now_);
  untouched_ = result.geometric == 0;
  update_wanted(bodies, contacts);
  result.overlap = 0;
  for (size_t r = joint_rows_; r < now_.rows.size(); ++r) {
    if (now_.rows[r].part == 0) result.overlap = std::max(result.overlap, extra_[r].b);
  }
  return true;
}

}  // namespace tenon::displacement
