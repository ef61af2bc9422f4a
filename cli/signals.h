// Ctrl-C and termination as a flag, so that a run can close its recording properly.
#pragma once

namespace tenon::cli {

// Catches SIGINT and SIGTERM from now on. A second signal ends the process at once.
void catch_interrupts();
bool interrupted();
// Exit code by convention: 128 + signal number.
int interrupt_exit_code();

}  // namespace tenon::cli
