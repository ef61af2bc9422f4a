// Other programs: whether they are there, and running them.
#pragma once

#include <string>
#include <vector>

#include "tenon/engine/base/result.h"

namespace tenon::cli {

// Whether a program of this name is on PATH.
bool program_exists(const std::string& name);

// Runs a program in a folder and waits; what it prints goes to a file. Its exit code, 128 + signal
// where it was ended by one; an error where it cannot be started.
Result<int> run_program(const std::vector<std::string>& words, const std::string& folder,
                        const std::string& log);

}  // namespace tenon::cli
