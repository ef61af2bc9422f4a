// Projects of the studio as recordings: a take that was changed in mid-run is several scenes one
// after the other, and so several recordings, each from one change to the next.
#pragma once

#include <string>
#include <vector>

#include "tenon/cli/film_subject.h"

namespace tenon::cli {

// What the studio saves as a project: JSON with the key "tenon_project".
bool is_project_file(const std::string& path);

// Computes the take on the stage from its first step to its last and records it in memory. Empty,
// and everything printed, where it cannot be read or run.
std::vector<FilmSubject> record_project(const std::string& path, bool contacts);

}  // namespace tenon::cli
