#include "tenon/scene/build/problems.h"

namespace tenon::scene {

void Problems::add(Error error, const Place& place, const std::string& who, const char* what) {
  error.file = file_;
  error.line = place.line;
  error.column = place.column;
  const std::string head = who.empty() ? "" : std::string(what) + " \"" + who + "\"";
  const std::string message = error.message;
  if (!head.empty()) error.message = head + ": " + message;
  // documents that a program made have no places
  if (place.line > 0) {
    const Key key{place.line, place.column, message, error.value, error.accepted};
    const auto [found, is_new] = first_.try_emplace(key, First{all_.size(), 0, head, message});
    if (!is_new) {
      First& first = found->second;
      ++first.more;
      all_[first.at].message = first.head + (first.head.empty() ? "" : " ") + "and " +
                               std::to_string(first.more) + " more of this place: " + first.message;
      return;
    }
  }
  all_.push_back(std::move(error));
}

std::vector<Error> without_repeats(const std::vector<Error>& errors) {
  std::vector<Error> out;
  std::vector<size_t> counts;
  std::map<std::string, size_t> first;
  for (const Error& error : errors) {
    const auto [found, is_new] = first.emplace(format(error), out.size());
    if (is_new) {
      out.push_back(error);
      counts.push_back(0);
    }
    ++counts[found->second];
  }
  for (size_t i = 0; i < out.size(); ++i)
    if (counts[i] > 1) out[i].message += ", " + std::to_string(counts[i]) + " times";
  return out;
}

}  // namespace tenon::scene
