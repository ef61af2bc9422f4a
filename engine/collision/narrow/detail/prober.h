// Points of one shape of a pair with meshes, looked up in the distance of the other.
#pragma once

#include <algorithm>
#include <vector>

#include "tenon/engine/collision/narrow/mesh_search.h"

namespace tenon::narrow {

inline constexpr double kHalfTurn = 3.14159265358979323846;
// Times Target's tiny length: once the smaller shape's size.
inline constexpr double kMostThrough = 1000;

// Points are handed over in the prober's own frame S; T is the frame of the target.
class Prober {
 public:
  Prober(const MeshPair& pair, int prober, std::vector<Candidate>& out)
      : pair_(pair),
        from_(pair.side(prober)),
        to_(pair.side(1 - prober)),
        prober_(prober),
        X_TS_(inverse(to_.X_PS) * from_.X_PS),
        reach_(pair.margin + to_.target.error()),
        near_(pair.near + to_.target.error()),
        out_(out) {
    const MeshGeometry* mesh = from_.target.mesh();
    // what is between samples is found from them
    if (mesh != nullptr) {
      const double between = calc_between(mesh->samples);
      reach_ += between;
      near_ += between;
    }
    const double sign = prober == 0 ? -1 : 1;
    shift_ = transpose_mul(to_.X_PS.R, sign * (pair.shift + cross(pair.turn, to_.X_PS.p)));
    turn_ = transpose_mul(to_.X_PS.R, sign * pair.turn);
    if (std::holds_alternative<Cylinder>(*from_.shape)) leave_out_spin();
    turning_ = norm(turn_);
  }

  void run(const MeshSamples& samples, ProbeMemory* memory);
  void add(const Vec3& p_S, const Vec3& own_S, double cone, uint32_t feature);
  void add_sphere(const Vec3& centre_S, double radius, uint32_t feature);
  double reach() const { return reach_; }
  bool passes_by(const Vec3& q_T, double radius, double distance) const;
  Vec3 in_target(const Vec3& p_S) const { return X_TS_ * p_S; }
  // Direction: target to prober.
  Vec3 in_prober(const Vec3& v_T) const { return transpose_mul(X_TS_.R, v_T); }
  // rad, in the coming step, as far as it can be seen.
  double turning() const { return turning_; }
  const Target& target() const { return to_.target; }

 private:
  // How much nearer than its samples a mesh may be, m. Things as round as itself come nearer by
  // twice what a plane does, of which the margin of what is small takes all.
  double calc_between(const MeshSamples& samples) const {
    if (to_.target.convex()) return samples.dip;
    return samples.sag + std::max(0.0, 2 * samples.dip - pair_.margin);
  }
  // A wheel that turns about its axle is where it was.
  void leave_out_spin() {
    const Vec3 axle = X_TS_.R.column(1), spin = dot(turn_, axle) * axle;
    shift_ += cross(spin, X_TS_.p);
    turn_ -= spin;
  }
  void visit(const MeshSamples& samples, int point);
  bool is_slow(const MeshSamples& samples) const;
  double calc_way_since(const MeshSamples::Node& root, const ProbeMemory& memory) const;
  void remember(const MeshSamples& samples, double beyond, ProbeMemory& memory) const;
  Candidate make(const Vec3& q_T, const DistanceField::Sample& d, const Vec3& own_T, double cone,
                 uint32_t feature) const;
  void add_critical(const Vec3& centre, double radius, const MeshPoint& m, uint32_t feature);

  const MeshPair& pair_;
  const MeshSide &from_, &to_;
  int prober_;
  Transform X_TS_;
  double reach_, near_;
  Vec3 shift_, turn_;  // how points of the prober move beside the target, in its frame
  double turning_;
  std::vector<Candidate>& out_;
};

// The rims of a cylinder; see detail/probe_cylinder.cpp.
void probe_cylinder(Prober& prober, const Cylinder& c);

}  // namespace tenon::narrow
