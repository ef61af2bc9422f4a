// Anderson acceleration of a fixed-point iteration z <- g(z) [Anderson1965; Walker2011]: from the
// last few pairs (z, g(z)) the combination whose residual f = g(z) - z would vanish if g were
// linear.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tenon {

class Anderson {
 public:
  static constexpr size_t kWindow = 6;

  // Begins anew with vectors of this length.
  void reset(size_t size);
  // Takes z and g(z) and returns |g(z) - z|; `weights` are those of the norm's squares.
  double measure(std::span<const double> z, std::span<const double> g,
                 std::span<const double> weights);
  // After it: replaces g by the accelerated next z and returns true, or leaves it where there is
  // nothing to combine yet.
  bool next(std::span<double> g, std::span<const double> weights);

 private:
  size_t size_ = 0, count_ = 0, place_ = 0;
  std::vector<double> last_f_, last_g_, f_;
  std::vector<double> df_, dg_;  // kWindow vectors each
};

}  // namespace tenon
