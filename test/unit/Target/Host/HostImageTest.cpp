// Compiled functions are called through dlopen, as the runtime does.
#include "TileGPT/Target/Host/HostImage.h"
#include "ParseModule.h"
#include <cmath>
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace tilegpt;
using namespace tilegpt::test;
using target::HostImage;
using testing::HasSubstr;

namespace {

/// An image that stays open for the duration of a test.
class OpenedImage {
public:
  explicit OpenedImage(const HostImage &image)
      : descriptor(::memfd_create("image", MFD_CLOEXEC)) {
    EXPECT_EQ(::write(descriptor, image.data(), image.size()),
              ssize_t(image.size()));
    const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
    handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_NE(handle, nullptr) << ::dlerror();
  }
  ~OpenedImage() {
    if (handle)
      ::dlclose(handle);
    ::close(descriptor);
  }

  template <typename Function>
  Function *find(const char *name) const {
    return reinterpret_cast<Function *>(::dlsym(handle, name));
  }

private:
  int descriptor;
  void *handle = nullptr;
};

} // namespace

static llvm::Expected<HostImage> compile(llvm::StringRef text) {
  ParsedModule parsed(text);
  return target::compileImage(*parsed.module, hostTarget());
}

constexpr llvm::StringLiteral twoFunctions = R"(
  llvm.mlir.global private constant @factor(3 : i32) : i32
  llvm.func private @triple(%x: i32) -> i32 attributes {no_inline} {
    %address = llvm.mlir.addressof @factor : !llvm.ptr
    %factor = llvm.load %address : !llvm.ptr -> i32
    %y = llvm.mul %x, %factor : i32
    llvm.return %y : i32
  }
  llvm.func @triple_and_add(%a: i32, %b: i32) -> i32 {
    %t = llvm.call @triple(%a) : (i32) -> i32
    %s = llvm.add %t, %b : i32
    llvm.return %s : i32
  }
  llvm.func @squash(%x: f32) -> f32 {
    %y = llvm.call @tanhf(%x) : (f32) -> f32
    llvm.return %y : f32
  }
  llvm.func @tanhf(f32) -> f32)";

TEST(HostImage, FunctionsGiveTheRightNumbers) {
  const OpenedImage image(llvm::cantFail(compile(twoFunctions)));
  ASSERT_NE(image.find<int(int, int)>("triple_and_add"), nullptr);
  EXPECT_EQ(image.find<int(int, int)>("triple_and_add")(5, 2), 17);
  EXPECT_EQ(image.find<float(float)>("squash")(0.5f), std::tanh(0.5f));
}

TEST(HostImage, PrivateFunctionsAreNotExported) {
  const OpenedImage image(llvm::cantFail(compile(twoFunctions)));
  EXPECT_EQ(image.find<int(int)>("triple"), nullptr);
}

TEST(HostImage, BytesAreTheSameEveryTime) {
  const HostImage first = llvm::cantFail(compile(twoFunctions));
  EXPECT_EQ(first, llvm::cantFail(compile(twoFunctions)));
}

/// Both objects define the counter, which there is only once.
TEST(HostImage, ObjectsShareGlobalsThatAreNotPrivate) {
  const auto object = [](const std::string &name) {
    ParsedModule parsed(R"(
      llvm.mlir.global external @counter(40 : i32) : i32
      llvm.func @)" + name +
                        R"(() -> i32 {
        %p = llvm.mlir.addressof @counter : !llvm.ptr
        %one = llvm.mlir.constant(1 : i32) : i32
        %old = llvm.load %p : !llvm.ptr -> i32
        %new = llvm.add %old, %one : i32
        llvm.store %new, %p : i32, !llvm.ptr
        llvm.return %new : i32
      })");
    return llvm::cantFail(target::compileObject(*parsed.module, hostTarget()));
  };
  const OpenedImage image(
      llvm::cantFail(target::linkImage({object("first"), object("second")})));
  EXPECT_EQ(image.find<int()>("first")(), 41);
  EXPECT_EQ(image.find<int()>("second")(), 42);
  EXPECT_EQ(image.find<int()>("first")(), 43);
  EXPECT_EQ(image.find<int>("counter"), nullptr) << "it is not exported";
}

TEST(HostImage, UnknownFunctionIsNamed) {
  auto image = compile(R"(
    llvm.func @missing()
    llvm.func @f() { llvm.call @missing() : () -> () llvm.return })");
  ASSERT_FALSE(bool(image));
  EXPECT_EQ(llvm::toString(image.takeError()),
            "host: a kernel calls 'missing', which neither libc nor libm "
            "provides");
}

TEST(HostImage, LinkerErrorsAreCaughtAndTheLinkerStillWorksAfterwards) {
  const llvm::StringRef text = "no object";
  auto image =
      target::linkImage({target::HostObject(text.begin(), text.end())});
  ASSERT_FALSE(bool(image));
  EXPECT_THAT(llvm::toString(image.takeError()),
              HasSubstr("host: linking failed: ld.lld: error: "));
  EXPECT_TRUE(bool(compile(twoFunctions)));
}
