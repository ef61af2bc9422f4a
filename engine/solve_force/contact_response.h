// How bodies answer to loads at their contacts, joints included. The contact methods of `force`
// know bodies only through this, so that a ball that hits a chain feels the chain.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tenon/engine/bodies/body.h"

namespace tenon {

struct LoadedBody {
  uint32_t body = 0;
  Wrench load;  // N and N m, or N s and N m s; about the mass centre
};
struct AnsweringBody {
  uint32_t body = 0;
  Motion change;  // m/s^2 and rad/s^2, or m/s and rad/s
};

class ContactResponse {
 public:
  virtual ~ContactResponse() = default;
  // What loads do, and nothing else does (no gravity, no gyroscopic terms): accelerations by
  // forces, changes of velocity by impulses. Overwrites `answer`: bodies that move, each once, in
  // a stable order. Bodies that do not move by forces have no answer. Linear and symmetric.
  virtual void respond(std::span<const LoadedBody> loads,
                       std::vector<AnsweringBody>& answer) const = 0;
};

// Bodies without joints.
class FreeResponse final : public ContactResponse {
 public:
  struct Inverse {
    double inv_mass = 0;  // 1/kg, zero for what does not move
    Mat3 inv_I_W{};       // 1/(kg m^2), world axes
  };
  explicit FreeResponse(std::vector<Inverse> bodies) : bodies_(std::move(bodies)) {}
  void respond(std::span<const LoadedBody> loads,
               std::vector<AnsweringBody>& answer) const override;

 private:
  std::vector<Inverse> bodies_;
};

// A point at which two bodies touch.
struct TouchingPoint {
  uint32_t body_a = 0, body_b = 0;
  Vec3 rA_W, rB_W;  // from the mass centres
  Vec3 normal_W;    // unit, from a to b
};

// Velocity of b against a at the point, m/s; along the normal it is positive where they separate.
inline Vec3 relative_velocity(const TouchingPoint& x, const Motion& a, const Motion& b) {
  return b.v + cross(b.w, x.rB_W) - a.v - cross(a.w, x.rA_W);
}

// Loads of a force (or impulse) f on b at the point, and its opposite on a.
inline void loads_at(const TouchingPoint& x, const Vec3& f, LoadedBody (&loads)[2]) {
  loads[0] = {x.body_a, {-f, cross(x.rA_W, -f)}};
  loads[1] = {x.body_b, {f, cross(x.rB_W, f)}};
}

}  // namespace tenon
