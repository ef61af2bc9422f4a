// Signed distance of a closed mesh on a sparse grid: bricks of cells along the surface, coarser
// ones away from it, finer ones where the surface is thin. Made once per mesh, and cheap to ask.
//
// It tells where to look and what to leave out; whoever needs the distance itself asks the
// triangles (find_nearest in mesh.h) there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tenon/engine/base/parallel.h"
#include "tenon/engine/base/result.h"
#include "tenon/engine/math/aabb.h"

namespace tenon {

struct MeshGeometry;

class DistanceField {
 public:
  struct Sample {
    double distance = 0;  // m, negative inside
    Vec3 gradient;        // of the interpolated distance; about a unit vector
  };

  // Of the distance: how far values are off beyond the band, at most.
  static constexpr double kFarError = 1.0 / 7;
  static constexpr int kBrick = 4;  // cells along the edge of a brick
  static constexpr int kBrickSamples = (kBrick + 1) * (kBrick + 1) * (kBrick + 1);

  double cell() const { return cell_; }  // m, edge of the cells along the surface
  double band() const { return band_; }  // m: so far from the surface cells are that fine
  // m: |value - distance| within the band is at most this, as measured at points of every cell when
  // it was made, and a quarter for those between.
  double error() const { return error_; }
  const Aabb& bounds() const { return bounds_; }

  // Of the point q in the shape frame. Beyond the band a value is still within the error of its
  // coarser cell (a seventh of the distance), and never of the wrong sign; outside the bounds it is
  // a lower bound but for that error.
  double value(const Vec3& q) const;
  Sample sample(const Vec3& q) const;

  size_t brick_count() const { return samples_.size() / kBrickSamples; }
  size_t byte_count() const;

  friend bool operator==(const DistanceField&, const DistanceField&) = default;

 private:
  friend class FieldBuilder;
  friend std::vector<std::byte> encode_field(const DistanceField&);
  friend Result<DistanceField> decode_field(std::span<const std::byte>);

  struct Place {
    const float* samples;  // of the brick
    double x, y, z;        // in the brick, in cells
    double cell;           // m
  };
  Place find_place(const Vec3& q) const;

  double cell_ = 0, error_ = 0, band_ = 0;
  Aabb bounds_;
  double root_ = 0;              // m, edge of the largest nodes, which fill the bounds
  std::array<int, 3> counts_{};  // of them, along x, y, z
  std::vector<int32_t> nodes_;   // first the largest ones; >= 0: the first of eight children;
                                 //   < 0: ~node is the number of a brick
  std::vector<float> samples_;   // kBrickSamples per brick, x fastest
  // A short cut into the nodes, made of them: a finer grid of places to begin at, with how many
  // times each is cut from the largest nodes.
  int start_depth_ = 0;
  std::vector<int32_t> starts_;
  std::vector<uint8_t> depths_;
  void make_starts();
};

struct FieldOptions {
  double cell = 0;             // m; 0: find_field_cell
  ThreadPool* pool = nullptr;  // the result does not depend on it
};

// Precondition: the mesh is closed. Its field member is not looked at.
DistanceField make_distance_field(const MeshGeometry& mesh, const FieldOptions& options = {});

// The cell that is chosen for a mesh: so fine that bricks along its surface take up to about 6 MB
// (fewer for meshes of few triangles), and between 1/40 and 1/1024 of its longest side. By area and
// not by size, so that thin and curled shapes get the cells that they need.
double find_field_cell(const MeshGeometry& mesh);

// Raised whenever the same mesh gets another field than before: caches go by it.
inline constexpr int kFieldVersion = 3;

// All of it as bytes, in the order of this machine, and back. Errors name what is wrong with the
// bytes; whatever they hold, a field that was decoded can be asked without harm.
std::vector<std::byte> encode_field(const DistanceField& field);
Result<DistanceField> decode_field(std::span<const std::byte> bytes);

}  // namespace tenon
