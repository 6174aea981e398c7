// How ptxas is found, and errors if it is missing, not ptxas, or fails.
#include "TileGPT/Target/NVVM/Ptxas.h"
#include "ScopedVariable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <gmock/gmock.h>

using namespace tilegpt::target;
using testing::HasSubstr;
using tilegpt::test::ScopedVariable;

namespace {

/// A temporary executable, deleted with this object.
class Script {
public:
  explicit Script(llvm::StringRef text) {
    int file;
    llvm::cantFail(llvm::errorCodeToError(
        llvm::sys::fs::createTemporaryFile("ptxas", "sh", file, path)));
    llvm::raw_fd_ostream(file, /*shouldClose=*/true) << "#!/bin/sh\n" << text;
    llvm::cantFail(llvm::errorCodeToError(
        llvm::sys::fs::setPermissions(path, llvm::sys::fs::owner_all)));
  }
  ~Script() { llvm::sys::fs::remove(path); }

  llvm::SmallString<128> path;
};

} // namespace

constexpr llvm::StringLiteral answersAs13 =
    "[ \"$1\" = --version ] && echo 'Cuda compilation tools, release 13.0, "
    "V13.0.88' && exit 0\n";

TEST(Ptxas, VersionIsItsOwnWord) {
  const Script script(answersAs13);
  EXPECT_EQ(llvm::cantFail(Ptxas::open(script.path)).getVersion(), "13.0.88");
}

TEST(Ptxas, CanBeSwitchedOff) {
  const ScopedVariable off("TILEGPT_PTXAS", "off");
  EXPECT_FALSE(llvm::cantFail(Ptxas::find()).has_value());
}

TEST(Ptxas, TheChosenOneIsTaken) {
  const Script script(answersAs13);
  const ScopedVariable chosen("TILEGPT_PTXAS", script.path.str().str().c_str());
  EXPECT_EQ(llvm::cantFail(Ptxas::find())->getPath(), script.path);
}

TEST(Ptxas, AChosenOneThatIsMissingIsAnError) {
  const ScopedVariable chosen("TILEGPT_PTXAS", "/none/ptxas");
  auto ptxas = Ptxas::find();
  ASSERT_FALSE(bool(ptxas));
  EXPECT_EQ(llvm::toString(ptxas.takeError()),
            "ptxas: cannot start /none/ptxas: No such file or directory");
}

TEST(Ptxas, AnotherProgramIsAnError) {
  const Script script("echo hello\n");
  auto ptxas = Ptxas::open(script.path);
  ASSERT_FALSE(bool(ptxas));
  EXPECT_THAT(llvm::toString(ptxas.takeError()),
              HasSubstr("does not answer as ptxas does"));
}

TEST(Ptxas, OutputAndReportAreItsOwn) {
  const Script script((answersAs13 + R"(cat "$3" > "$5"
echo "ptxas info    : Used 10 registers, used 1 barriers"
)")
                          .str());
  const Ptxas ptxas = llvm::cantFail(Ptxas::open(script.path));
  const Ptxas::Output output = llvm::cantFail(ptxas.assemble("abc", "sm_80"));
  EXPECT_EQ(output.cubin,
            (Cubin{std::byte('a'), std::byte('b'), std::byte('c')}));
  EXPECT_EQ(output.report.registers, 10u);
}

TEST(Ptxas, FailureIsToldInItsWords) {
  const Script script(
      (answersAs13 + "echo 'ptxas fatal   : no' >&2; exit 255\n").str());
  auto output = llvm::cantFail(Ptxas::open(script.path)).assemble("", "sm_80");
  ASSERT_FALSE(bool(output));
  EXPECT_EQ(llvm::toString(output.takeError()),
            ("ptxas: " + script.path +
             " 13.0.88 ended with exit code 255:\nptxas fatal   : no")
                .str());
}

TEST(Ptxas, DeathByASignalIsTold) {
  const Script script((answersAs13 + "kill -9 $$\n").str());
  auto output = llvm::cantFail(Ptxas::open(script.path)).assemble("", "sm_80");
  ASSERT_FALSE(bool(output));
  EXPECT_THAT(llvm::toString(output.takeError()),
              HasSubstr("ended by signal 9"));
}
