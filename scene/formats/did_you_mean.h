// Suggestions for misspelt names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tenon::scene {

// The candidate closest to `word` by edits (insert, delete, replace, swap neighbours; case counts
// for nothing), or empty when none is close enough to be meant. The first of equals wins.
std::string closest(std::string_view word, const std::vector<std::string>& candidates);

// "; did you mean 'x'?" or empty.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace tenon::scene
