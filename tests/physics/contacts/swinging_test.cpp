// Contacts of what joints and scripts lead round curves: directions of the middle of the step,
// rates of its end; (6c) of docs/theory/contacts.md.
#include <gtest/gtest.h>

#include <functional>

#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon::test {
namespace {

const Vec3 kHalfBox{0.15, 0.15, 0.15};

double energy(const World& world) {
  const Mechanics m = world.calc_mechanics();
  return m.kinetic_J + m.potential_J;
}

Vec3 swung(const Vec3& p, double angle) { return rotate(from_axis_angle({0, 0, 1}, angle), p); }

// A plate of 10 kg that hangs on a hinge at the origin, its middle 2 m away, turned by `angle`.
BodyHandle add_swing(World& world, const Vec3& half, double angle, MaterialId m) {
  const BodyHandle plate = add_solid(world, Box{half}, 10, swung({0, -2, 0}, angle), m,
                                     from_axis_angle({0, 0, 1}, angle));
  add_joint(world, make_joint(world, JointKind::kHinge, {}, plate, {{}, axis_along_z()}));
  return plate;
}

BodyHandle add_box_at(World& world, const Vec3& p, double angle, MaterialId m) {
  return add_solid(world, Box{kHalfBox}, 3, swung(p, angle), m, from_axis_angle({0, 0, 1}, angle));
}

// Where a rigid pendulum is that was let go at `angle`, s^2 = m g l / I: by small steps of the
// classical Runge-Kutta method.
double calc_pendulum(double angle, double s2, double t) {
  const int n = 20000;
  const double h = t / n;
  double a = angle, w = 0;
  const auto f = [&](double x) { return -s2 * std::sin(x); };
  for (int i = 0; i < n; ++i) {
    const double k1 = f(a), k2 = f(a + 0.5 * h * w), k3 = f(a + 0.5 * h * w + 0.25 * h * h * k1);
    const double k4 = f(a + h * w + 0.5 * h * h * k2);
    a += h * w + h * h / 6 * (k1 + k2 + k3);
    w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return a;
}

struct Ride {
  Vec3 place;        // of what rides, after `seconds`
  double gain = 0;   // J: of the whole energy
  double apart = 0;  // m: the deepest overlap
};

Ride ride(World& world, BodyHandle rider, double seconds) {
  const double start = energy(world);
  Ride r;
  while (world.time() < seconds - 0.5 * world.settings().step) {
    world.step();
    r.apart = std::max(r.apart, world.diagnostics().penetration_m);
  }
  r.place = world.center_of_mass(rider);
  r.gain = energy(world) - start;
  return r;
}

// A box that sticks to a swing is one body with it, a pendulum. Contacts that saw the tangent only
// took 5.5 of 58 J in four seconds at 1/60 s, half of that at half the step.
TEST(Swing, CarriesABoxAsOneBody) {
  const double angle = 0.7, x = 0.1, y = -1.8, seconds = 4;
  const double plate_I = 10 * (4 + (1 + 0.01) / 12), box_I = 3 * (x * x + y * y + 0.09 / 6);
  const Vec3 centre{3 * x, 10 * -2 + 3 * y, 0};  // times the mass
  const double s2 = kG * norm(centre) / (plate_I + box_I), lean = std::atan2(centre.x, -centre.y);
  const double end = calc_pendulum(angle + lean, s2, seconds) - lean;
  double last = 0;
  for (const double step : {kFrame, 0.5 * kFrame, 0.25 * kFrame}) {
    World world = make_world(step);
    const MaterialId m = add_surface(world, {.friction = 0.6});
    add_swing(world, {0.5, 0.05, 0.5}, angle, m);
    const BodyHandle box = add_box_at(world, {x, y, 0}, angle, m);
    const Ride r = ride(world, box, seconds);
    const double away = norm(r.place - swung({x, y, 0}, end));
    report("box on a swing: energy gained in 4 s, J", r.gain, "of 58");
    report("box on a swing: away from its place, m", away, "second order");
    const double part = step / kFrame;
    EXPECT_LT(std::fabs(r.gain), 0.04 * part * part) << step;  // less than a thousandth
    EXPECT_LT(away, 3e-3 * part * part) << step;
    EXPECT_LT(r.apart, 3e-4 * part) << step;
    if (last > 0) {
      EXPECT_LT(away, 0.35 * last) << step;
    }
    last = away;
  }
}

// Turning at 2 rad/s with nothing else than its joint that leads it, in no gravity or little: what
// presses the box then is only that both are led round. It lost 2.3 of 23 J in 6 s, at first order.
TEST(Swing, CarriesABoxWhereNothingWeighs) {
  for (const double g : {0.0, 1e-3, 0.1}) {
    for (const double restitution : {0.0, 0.5}) {
      for (const double step : {kFrame, 0.25 * kFrame}) {
        World world = make_world(step, {.gravity = {0, -g, 0}});
        const MaterialId m = add_surface(world, {.friction = 2, .restitution = restitution});
        const double w = 2;
        const auto add = [&](const Vec3& half, double mass, double r) {
          BodyDef def = make_solid(Box{half}, mass, {0, -r, 0}, m);
          def.velocity = {w * r, 0, 0};
          def.angular_velocity = {0, 0, w};
          return add_body(world, def);
        };
        const BodyHandle plate = add({0.5, 0.05, 0.5}, 2, 2), box = add(kHalfBox, 1, 1.8);
        add_joint(world, make_joint(world, JointKind::kHinge, {}, plate, {{}, axis_along_z()}));
        const double part = step / kFrame;
        const Ride r = ride(world, box, 6);
        report("box on a weightless swing: energy gained in 6 s, J", r.gain, "of 23");
        EXPECT_LT(std::fabs(r.gain), 0.02 * part * part) << g << ", " << restitution;
        EXPECT_NEAR(norm(r.place), 1.8, 2e-3 * part * part) << g << ", " << restitution;
      }
    }
  }
}

// A law on the joint that can do nothing to speak of changes nothing: friction, a spring, a motor,
// or a limit that is not reached in the step. It lost 0.7 of 8 J.
TEST(Swing, CarriesABoxWhateverFaintLawItsJointHas) {
  const auto carry = [](const std::function<void(JointAxisDef&)>& law) {
    World world = make_world(kFrame);
    const MaterialId m = add_surface(world, {.friction = 2});
    const double angle = 30 * kPi / 180;
    const BodyHandle plate = add_solid(world, Box{{0.5, 0.05, 0.5}}, 2, swung({0, -2, 0}, angle), m,
                                       from_axis_angle({0, 0, 1}, angle));
    const BodyHandle box = add_solid(world, Box{kHalfBox}, 1, swung({0, -1.8, 0}, angle), m,
                                     from_axis_angle({0, 0, 1}, angle));
    JointDef def = make_joint(world, JointKind::kHinge, {}, plate, {{}, axis_along_z()});
    law(def.axes[static_cast<size_t>(JointAxis::kRx)]);
    add_joint(world, def);
    return ride(world, box, 8);
  };
  EXPECT_LT(std::fabs(carry([](JointAxisDef& x) { x.friction = 1e-9; }).gain), 0.01);
  EXPECT_LT(std::fabs(carry([](JointAxisDef& x) { x.stiffness = 1e-6; }).gain), 0.01);
  EXPECT_LT(std::fabs(carry([](JointAxisDef& x) { x.min = -1.1, x.max = 1.1; }).gain), 0.01);
}

// Without friction it slides over the swing, whose normal turns under it.
TEST(Swing, LetsABoxSlideAsForcesDo) {
  const auto slide = [](double step, const WorldOptions& options) {
    World world = make_world(step, options);
    const MaterialId m = add_surface(world, {});
    add_swing(world, {1.5, 0.05, 0.5}, 0.3, m);
    const BodyHandle box = add_box_at(world, {0.1, -1.8, 0}, 0.3, m);
    return ride(world, box, 1.2);
  };
  const Ride exact = slide(kFrame, {.method = Method::kForce});
  for (const double step : {kFrame, 0.5 * kFrame}) {
    const Ride r = slide(step, {});
    const double part = step / kFrame;
    EXPECT_LT(norm(r.place - exact.place), 8e-4 * part * part) << step;
    EXPECT_LT(std::fabs(r.gain), 2.5e-3 * part * part) << step;
  }
}

// Three boxes on each other.
TEST(Swing, CarriesAStack) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.8});
  add_swing(world, {0.5, 0.05, 0.5}, 0.5, m);
  BodyHandle top;
  for (int i = 0; i < 3; ++i) top = add_box_at(world, {0, -1.8 + 0.3 * i, 0}, 0.5, m);
  const Ride r = ride(world, top, 4);
  report("stack on a swing: energy gained in 4 s, J", r.gain, "of 40");
  EXPECT_LT(std::fabs(r.gain), 0.04);
  EXPECT_LT(r.apart, 3e-4);
}

// A plate on two equal arms does not turn: it is led round by its joints all the same.
TEST(Parallelogram, CarriesABoxAsForcesDo) {
  const double angle = 0.6, length = 1.5;
  const auto go = [&](double step, const WorldOptions& options) {
    World world = make_world(step, options);
    const MaterialId m = add_surface(world, {.friction = 1});
    const Vec3 down = swung({0, -length, 0}, angle);
    const BodyHandle plate =
        add_solid(world, Box{{0.8, 0.05, 0.6}}, 10, down - Vec3{0, 0.05, 0}, m);
    for (const double x : {-0.6, 0.6}) {
      const Vec3 at{x, 0, 0.8};
      const BodyHandle arm = add_solid(world, Box{{0.025, 0.5 * length, 0.025}}, 1, at + 0.5 * down,
                                       m, from_axis_angle({0, 0, 1}, angle));
      add_joint(world, make_joint(world, JointKind::kHinge, {}, arm, {at, axis_along_z()}));
      add_joint(world,
                make_joint(world, JointKind::kHinge, arm, plate, {at + down, axis_along_z()}));
    }
    const BodyHandle box = add_solid(world, Box{kHalfBox}, 3, down + Vec3{0, 0.15, 0}, m);
    return ride(world, box, 4);
  };
  const Ride exact = go(kFrame, {.method = Method::kForce});
  for (const double step : {kFrame, 0.5 * kFrame}) {
    const Ride r = go(step, {});
    const double part = step / kFrame;
    report("box on a parallelogram: energy gained in 4 s, J", r.gain, "of 36");
    EXPECT_LT(std::fabs(r.gain), 0.03 * part) << step;
    EXPECT_LT(norm(r.place - exact.place), 6e-3 * part * part) << step;
  }
}

// A ball rolls on a swing: its point goes over the plate, and the normal turns with that.
TEST(Swing, RollsABallAsForcesDo) {
  const auto roll = [](double step, const WorldOptions& options) {
    World world = make_world(step, options);
    const MaterialId m = add_surface(world, {.friction = 0.6});
    add_swing(world, {0.6, 0.05, 0.6}, 0.6, m);
    const BodyHandle ball = add_solid(world, Sphere{0.1}, 2, swung({0, -1.85, 0}, 0.6), m);
    return ride(world, ball, 2);
  };
  const Ride exact = roll(kFrame, {.method = Method::kForce});
  for (const double step : {kFrame, 0.5 * kFrame}) {
    const Ride r = roll(step, {});
    const double part = step / kFrame;
    report("ball on a swing: away from where forces lead it, m", norm(r.place - exact.place),
           "second order");
    EXPECT_LT(norm(r.place - exact.place), 8e-3 * part * part) << step;
    EXPECT_LT(std::fabs(r.gain), 4e-3 * part) << step;
  }
}

// In a wheel that turns so fast that a box in it stays at its rim, even at the top.
TEST(Wheel, CarriesABoxRound) {
  const double w = 4, r = 1.8;
  for (const double step : {kFrame, 0.5 * kFrame}) {
    World world = make_world(step);
    const MaterialId m = add_surface(world, {.friction = 0.6});
    BodyDef rim;
    rim.motion = MotionKind::kKinematic;
    rim.script.kind = KinematicMotion::Kind::kTurn;
    rim.script.start = {{0, -2, 0}, {}};
    rim.script.axis = {0, 0, 1};
    rim.script.rate = w;
    rim.colliders = {{Box{{0.5, 0.05, 0.5}}, {}, m, 1000}};
    add_body(world, rim);
    BodyDef def = make_solid(Box{kHalfBox}, 3, {0, -r, 0}, m);
    def.velocity = {w * r, 0, 0};
    def.angular_velocity = {0, 0, w};
    const BodyHandle box = add_body(world, def);
    const Ride ridden = ride(world, box, 4);
    const double away = norm(ridden.place - swung({0, -r, 0}, w * 4));
    report("box in a wheel: away from its place after 4 s, m", away, "r (w h)^2");
    EXPECT_LT(away, 2 * r * w * step * w * step) << step;
  }
}

// A pan that hangs on a hinge of a wheel, which a script turns, and a box on it.
TEST(Gondola, CarriesABoxAsForcesDo) {
  const double w = 1.2, radius = 3;
  const auto go = [&](double step, const WorldOptions& options) {
    World world = make_world(step, options);
    const MaterialId m = add_surface(world, {.friction = 0.8});
    BodyDef wheel;
    wheel.motion = MotionKind::kKinematic;
    wheel.script.kind = KinematicMotion::Kind::kTurn;
    wheel.script.start = {{0, radius, 2}, {}};
    wheel.script.axis = {0, 0, 1};
    wheel.script.rate = w;
    wheel.colliders = {{Box{{0.1, 0.1, 0.1}}, {}, m, 1000}};
    const BodyHandle hub = add_body(world, wheel);
    BodyDef def = make_solid(Box{{0.5, 0.05, 0.5}}, 10, {0, radius - 1, 0}, m);
    def.velocity = {-w * radius, 0, 0};
    const BodyHandle pan = add_body(world, def);
    add_joint(world,
              make_joint(world, JointKind::kHinge, hub, pan, {{0, radius, 0}, axis_along_z()}));
    def = make_solid(Box{kHalfBox}, 3, {0, radius - 0.8, 0}, m);
    def.velocity = {-w * radius, 0, 0};
    return ride(world, add_body(world, def), 4);
  };
  const Ride exact = go(kFrame, {.method = Method::kForce});
  for (const double step : {kFrame, 0.5 * kFrame}) {
    const Ride r = go(step, {});
    const double part = step / kFrame, away = norm(r.place - exact.place);
    report("box on a gondola: away from where forces lead it, m", away, "second order");
    EXPECT_LT(away, 3e-3 * part * part) << step;
    EXPECT_LT(r.apart, 3e-4 * part) << step;
  }
}

// A top whose tip goes round a circle on the floor does not rub away its energy: 150 rad/s, at
// steps in which it turns by 0.6 rad. It fell over within three seconds.
TEST(Top, GoesRoundAtStepsThatShowItsNutation) {
  World world = make_world(1.0 / 240);
  const MaterialId m = add_surface(world, {.friction = 0.3, .rolling = 5e-5, .spinning = 2e-5});
  add_floor(world, m);
  const double lean = 0.4, spin = 150, tip = 0.006, length = 0.054;
  const Quat q = from_axis_angle({0, 0, 1}, lean);
  BodyDef def;
  def.colliders = {{Cylinder{0.07, 0.01}, {}, m, 1200}, {Capsule{tip, length}, {}, m, 1200}};
  def.X_WB = {Vec3{0, tip, 0} + rotate(q, {0, length, 0}), q};
  def.angular_velocity = rotate(q, {0, spin, 0});
  const BodyHandle top = add_body(world, def);
  const double start = energy(world);
  step_to(world, 3);
  report("top: part of its energy after 3 s", energy(world) / start, "0.97");
  EXPECT_GT(energy(world), 0.97 * start);
  EXPECT_GT(world.center_of_mass(top).y, 0.052);
}

// A wheel on the floor with a bob that swings on its axle: two links that rock.
TEST(Rocker, KeepsItsEnergy) {
  World world = make_world(1.0 / 240);
  const MaterialId m = add_surface(world, {.friction = 0.8});
  add_floor(world, m);
  const double radius = 0.3;
  const BodyHandle wheel = add_solid(world, Cylinder{radius, 0.4}, 2, {0, radius, 0}, m,
                                     from_axis_angle({1, 0, 0}, 0.5 * kPi));
  const BodyHandle bob = add_body(world, make_body(2, {0.001, 0.008, 0.008}, {0.1, radius, 0}));
  add_joint(world,
            make_joint(world, JointKind::kHinge, wheel, bob, {{0, radius, 0}, axis_along_z()}));
  const double start = energy(world);
  step_to(world, 3);
  report("two links that rock: energy gained in 3 s, J", energy(world) - start, "of 2");
  EXPECT_NEAR(energy(world), start, 0.05);
}

}  // namespace
}  // namespace tenon::test
