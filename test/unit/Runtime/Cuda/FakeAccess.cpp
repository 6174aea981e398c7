// Accesses the state inside the fake driver's library.
#include "FakeCuda.h"
#include "FakeNccl.h"
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

using namespace tilegpt::test;

static void *symbol(const char *name, const char *path = fakeLibrary) {
  void *const library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void *const found = library ? ::dlsym(library, name) : nullptr;
  if (!found) {
    std::fprintf(stderr, "cannot load a fake: %s\n", ::dlerror());
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

FakeNccl &tilegpt::test::freshNccl() {
  auto &state = *reinterpret_cast<FakeNccl *(*)()>(
      symbol("fakeNcclState", fakeNcclLibrary))();
  state = FakeNccl();
  return state;
}
