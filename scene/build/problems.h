// What is wrong with a scene, each once for its place in the file.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "tenon/engine/base/result.h"
#include "tenon/scene/document/json.h"

namespace tenon::scene {

class Problems {
 public:
  explicit Problems(std::string file) : file_(std::move(file)) {}

  // `what` and `who`: `joint "knee"`; an empty `who` leaves both out. What instances and arrays
  // repeat of one place is told once, with the first name and how many more there are.
  void add(Error error, const Place& place, const std::string& who, const char* what);

  bool empty() const { return all_.empty(); }
  std::vector<Error> take() { return std::move(all_); }

 private:
  struct First {
    size_t at;    // in all_
    size_t more;  // of the same
    std::string head, message;
  };
  std::string file_;
  std::vector<Error> all_;
  using Key = std::tuple<int, int, std::string, std::string, std::string>;
  std::map<Key, First> first_;
};

// Equal ones, as entries of an array give them, once, in the place of the first, with their count.
std::vector<Error> without_repeats(const std::vector<Error>& errors);

}  // namespace tenon::scene
