// Where two shapes, one of them a mesh at least, are near each other: points of either against the
// distance of the other. docs/theory/meshes.md, section on contacts.
//
// Frame P: parallel to the world with its origin at shape A's, as in core.h.
#pragma once

#include <span>
#include <vector>

#include "tenon/engine/collision/narrow/mesh_target.h"
#include "tenon/engine/collision/narrow/probe_memory.h"

namespace tenon::narrow {

// One of the two shapes of a pair.
struct MeshSide {
  const Shape* shape;
  Transform X_PS;
  Target target;
};

// A point of one side (the prober) near the other (the target).
struct Candidate {
  Vec3 p;  // on the prober
  Vec3 n;  // unit, from A to B
  double gap = 0;
  uint32_t feature = 0;
  uint8_t prober = 0;                          // 0: A, 1: B
  bool exact = false;                          // `q` is known, nothing is left to measure
  bool refined = false;                        // a local minimum of the gap, as well as can be
  bool round = false;                          // of a sphere or the end of a capsule
  bool through = false;                        // the nearest face of the target looks the wrong way
  Vec3 own;                                    // unit, outward normal of the prober there
  double cone = 0;                             // rad, as in MeshSamples
  Vec3 q;                                      // on the target
  Vec3 edge;                                   // direction of the prober's edge, zero for none
  const MeshSamples::Point* sample = nullptr;  // of a mesh
  int triangle = -1, corner = -1;              // of the prober's mesh: a vertex; -1: none
};

// Features: the prober, then what it is, then its place there.
inline constexpr uint32_t kOfB = 0x80000000u, kOfVertex = 0x40000000u, kOfConvex = 0x20000000u,
                          kOfEdge = kOfVertex | kOfConvex;
// Of round shapes the place is a triangle of the other, and the last bit which end it is.
inline constexpr uint32_t kOfRound = kOfB | kOfConvex | 1u;

// Rims of cylinders are probed at so many points.
inline constexpr int kRimPoints = 16;
Vec3 rim_direction(int k);  // unit, in the plane of the rim

struct MeshPair {
  MeshSide a, b;
  double margin;
  double tiny;       // m, as in Target
  Vec3 shift, turn;  // PairMotion, about the origin of P
  double near;       // m, the same
  std::span<const uint32_t> known;
  PairMemory* memory;  // the same
  const MeshSide& side(int k) const { return k == 0 ? a : b; }
};

// Appends candidates whose gap is at most the margin, as far as the target's error tells.
void probe_samples(const MeshPair& pair, int prober, std::vector<Candidate>& out);
// Corners and rims of a convex prober against a mesh; of a sphere and a capsule, whose distance
// to every part of the mesh near it is exact.
void probe_convex(const MeshPair& pair, int prober, std::vector<Candidate>& out);

}  // namespace tenon::narrow
