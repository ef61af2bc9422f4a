#include "tenon/scene/formats/did_you_mean.h"

#include <algorithm>

namespace tenon::scene {
namespace {

constexpr size_t kMaxWord = 64;
constexpr size_t kMaxCandidates = 2000;  // a scene of a million names must not stall on a typo

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Optimal string alignment distance [Damerau1964], case ignored.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + !same});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
          lower(a[i - 2]) == lower(b[j - 1])) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string closest(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  if (word.empty() || word.size() > kMaxWord) return best;
  size_t least = std::max<size_t>(1, word.size() / 3) + 1;
  for (size_t i = 0; i < std::min(candidates.size(), kMaxCandidates); ++i) {
    const std::string& candidate = candidates[i];
    if (candidate.size() > kMaxWord || candidate.size() + least <= word.size()) continue;
    const size_t distance = edit_distance(word, candidate);
    // one letter for another is no misspelling of a one-letter name
    if (distance >= least || distance >= std::max(word.size(), candidate.size())) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string best = closest(word, candidates);
  return best.empty() ? "" : "; did you mean '" + best + "'?";
}

}  // namespace tenon::scene
