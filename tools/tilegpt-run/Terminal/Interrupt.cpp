// The handler only notes the signal; SA_RESETHAND makes the second one deadly.
#include "Terminal/Interrupt.h"
#include <csignal>

using namespace tilegpt;
using namespace tilegpt::run;

static volatile std::sig_atomic_t caught = 0;

static void install(void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

InterruptGuard::InterruptGuard() {
  caught = 0;
  install([](int signal) { caught = signal; }, int(SA_RESETHAND));
}

InterruptGuard::~InterruptGuard() { install(SIG_DFL, 0); }

int InterruptGuard::exitCode() const { return caught ? 128 + caught : 0; }
