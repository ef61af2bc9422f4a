#include "tenon/cli/signals.h"

#include <unistd.h>
#include <csignal>

namespace tenon::cli {
namespace {

volatile std::sig_atomic_t g_signal = 0;

void remember(int signal_number) {
  if (g_signal != 0) _exit(128 + signal_number);
  g_signal = signal_number;
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, remember);
  std::signal(SIGTERM, remember);
}
bool interrupted() { return g_signal != 0; }
int interrupt_exit_code() { return 128 + g_signal; }

}  // namespace tenon::cli
