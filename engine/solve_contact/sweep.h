// One sweep over the patches of an island, on compact records: everything that a visit needs lies
// together, in the order of the visits, and nothing is divided. docs/theory/contacts.md, section 4.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tenon/engine/bodies/body.h"

namespace tenon {

// A patch with at most R rows: points, t1, t2, spin; what is beyond its rows is zero.
template <int R>
struct PatchRecord {
  double A[3][R], B[3][R];  // levers of the rows, by axis: about the mass centres of a and b
  double K[R][R];           // rates of all rows per impulse of one
  double soft[R];           // rate that an impulse of one gives up
  double inv[R];            // 1 / (K + soft) of a row with itself; zero: nothing moves
  double least[R];          // rates that are asked for
  double z[R];              // impulses
  double arm[R];            // m, of points
  Vec3 n, t1, t2;
  double inv11, inv12, inv22;  // inverse of the answer of t1, t2; zero: singular
  double slide;                // one over its largest eigenvalue
  double friction, spinning;
  double lost;   // of the bound of its moment; see without_lost()
  double reach;  // m: how far from the middle a spin is felt
};

// Which record, and who is concerned.
struct SweptPatch {
  uint32_t a = 0, b = 0;
  uint32_t points = 0, rows = 0;
  uint32_t size = 0, place = 0;  // record: R, and where among those of that size
  uint32_t mover_a = 0, mover_b = 0;
  double weight_a = 0, weight_b = 0;  // one for what moves, zero for what does not
  double seen = 0;                    // sum of what the movers had done at the last visit
  uint32_t rolls = 0;                 // 1 + the patch, where rolling is resisted
  bool acts = false;
  bool restless = false;  // its bodies change between sweeps as well
};

// How a body answers to a wrench on it.
struct SweptBody {
  Mat3 inv_I;
  double inv_mass = 0;
  uint32_t columns = 0;                        // numbers that change with it; none: its own six
  uint32_t bounds = 0;                         // rates of its joints that change as well
  const double* answer = nullptr;              // six columns of both
  double *motion = nullptr, *rates = nullptr;  // where they begin
};

struct SweepRecords {
  std::vector<SweptPatch> patches;
  std::vector<SweptBody> bodies;
  std::vector<double> moved;  // by mover (a body, or all of a group): sum of changes of rates
  std::vector<PatchRecord<4>> small;
  std::vector<PatchRecord<8>> middle;
  std::vector<PatchRecord<12>> large;

  void clear();
  double* z_of(const SweptPatch& p);
  const double* z_of(const SweptPatch& p) const;
  // Visits one patch unless the rates of its bodies have changed by less than `still` since the
  // last visit. Changes below `fine` are as good as none. Returns the largest change of a rate.
  double visit(SweptPatch& p, std::span<Motion> motion, double still, double fine);
  // Everything, or one patch, is to be visited again.
  void wake();
  static void wake(SweptPatch& p);
};

// u += the first n numbers of six columns, each times a number of the wrench.
void add_columns(double* u, const double* column, size_t stride, const double* wrench, size_t n);
// y = A x, columns of n numbers: exchanges x[q] and y[q], in the columns from `first` <= q on.
void exchange(double* A, size_t n, size_t q, size_t first);

}  // namespace tenon
