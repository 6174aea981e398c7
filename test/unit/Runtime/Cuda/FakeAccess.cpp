// Reaches the state inside of the fake driver's library.
#include "FakeCuda.h"
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

using namespace tilegpt::test;

static void *symbol(const char *name) {
  static void *const library = ::dlopen(fakeLibrary, RTLD_NOW | RTLD_LOCAL);
  void *const found = library ? ::dlsym(library, name) : nullptr;
  if (!found) {
    std::fprintf(stderr, "cannot load the fake driver: %s\n", ::dlerror());
    std::abort();
  }
  return found;
}

FakeCuda &tilegpt::test::fake() {
  return *reinterpret_cast<FakeCuda *(*)()>(symbol("fakeCudaState"))();
}

FakeCuda &tilegpt::test::freshFake() {
  reinterpret_cast<void (*)()>(symbol("fakeCudaReset"))();
  return fake();
}
