// The table of flags, and the selection of flags shown by --help.
#include "Flags.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::makeError;
using tilegpt::runtime::Result;

namespace tilegpt::opt {

Flags::Flags()
    : output("Output"), target("Target"), sizes("Kernels and their sizes"),
      model("Models"), precision("Precision"),
      inputPath(cl::Positional, cl::desc("<file.mlir>"), cl::init("-")),
      outputPath("o", cl::cat(output), cl::value_desc("file"), cl::init("-"),
                 cl::desc("Output file; standard output by default")),
      emit("emit", cl::cat(output), cl::value_desc("what"),
           cl::desc("GPU code to emit: ptx, cubin or llvm-ir; launch: launch "
                    "configuration as JSON; report: ptxas report and remarks; "
                    "cuda-tile-bytecode: bytecode of a cuda_tile module")),
      bytecodeVersion("bytecode-version", cl::cat(output),
                      cl::value_desc("13.3"),
                      cl::desc("Version of --emit=cuda-tile-bytecode, 13.1 to "
                               "13.5; 13.3 by default")),
      compileTo(
          "compile-to", cl::cat(output), cl::value_desc("phase"),
          cl::desc("Phase after which to print the IR: tile, graph, launches "
                   "or specialized; linalg, bufferized, vector or llvm for the "
                   "CPU; planned, layouts, threads or nvvm for a GPU")),
      dumpPhasesTo("dump-phases-to", cl::cat(output), cl::value_desc("dir"),
                   cl::desc("Directory to write the IR after every phase to")),
      explain("explain", cl::cat(output),
              cl::desc("Print optimization remarks: what was applied or missed "
                       "in each kernel, why, and how to fix it")),
      listKernels("list-kernels", cl::cat(output),
                  cl::desc("Print the kernels of the library with their "
                           "parameters and the ops they implement")),
      arch("arch", cl::cat(target), cl::value_desc("name"),
           cl::desc("GPU to compile for; sm_90a by default")),
      targetCpu("target-cpu", cl::cat(target), cl::value_desc("name"),
                cl::init("native"),
                cl::desc("CPU to compile for, by its LLVM name")),
      listTargets("list-targets", cl::cat(target),
                  cl::desc("Print the architectures that --arch supports")),
      arguments("arg", cl::cat(sizes), cl::CommaSeparated,
                cl::value_desc("name=shape"),
                cl::desc("Shape and type of an argument: x=1024x768xbf16; ? "
                         "for a dynamic size")),
      bind("bind", cl::cat(sizes), cl::CommaSeparated,
           cl::value_desc("name=value"),
           cl::desc("Value of a parameter: D=64 or X=bf16")),
      assume("assume", cl::cat(sizes), cl::CommaSeparated,
             cl::value_desc("facts"),
             cl::desc("Assumptions about all launches of kernels that take "
                      "pointers: 16: pointers and strides are multiples of 16 "
                      "bytes; 3:8: argument 3 is a multiple of 8; 5=1: "
                      "argument 5 is 1")),
      generalOnly("general-only", cl::cat(sizes),
                  cl::desc("With --emit: no versions of kernels that take "
                           "pointers for aligned arguments")),
      function("function", cl::cat(sizes), cl::value_desc("name"),
               cl::desc("Kernel to compile; all by default")),
      kernels("kernels", cl::cat(sizes), cl::value_desc("dir"),
              cl::desc("Directory of kernels that override those of the "
                       "built-in library")),
      tuning("tuning", cl::cat(sizes), cl::value_desc("file"),
             cl::desc("Tuning records of tilegpt-run tune, applied before "
                      "those that ship with TileGPT; records for another "
                      "device or processor are ignored; off: no records")),
      configure("configure", cl::cat(model), cl::value_desc("options"),
                cl::desc("Sizes of the model: \"layers=6 heads=4\"")),
      weights("weights", cl::cat(model), cl::value_desc("type"),
              cl::init("f32"),
              cl::desc("Element type of weight matrices: f32, bf16 or f16")),
      plans("plans", cl::cat(model), cl::CommaSeparated,
            cl::value_desc("kind:lo-hi"),
            cl::desc("Plans to compile, as KIND:LO-HI rows: decode:1-1")),
      fuseLaunches("fuse-launches", cl::cat(model), cl::value_desc("which"),
                   cl::init("all"),
                   cl::desc("Launch fusion: all: fuse where profitable; off; "
                            "list: only list possible fusions")),
      explainFusion("explain-fusion", cl::cat(model),
                    cl::desc("Print a remark for each pair of launches: "
                             "whether it was fused, and why not")),
      tf32("tf32", cl::cat(precision),
           cl::desc("Allow rounding of f32 dot operands to TF32")),
      fastF8("fast-f8", cl::cat(precision),
             cl::desc("Allow reduced accumulation precision of f8 dots in "
                      "tensor cores")),
      exact(
          "exact", cl::cat(precision),
          cl::desc("Keep the rounding of the intermediate tensor in fused "
                   "launches. For a GPU also disable passes that change "
                   "results: tile-gpu-split-keys (a part of a softmax to "
                   "2^-21), tile-gpu-relax-softmax (exponentials to 2^-22, "
                   "capped scores to 2^-11), tile-gpu-fuse-exponential-sums "
                   "(2^-20 of a sum), tile-gpu-relax-rounded (2^-17 of 16-bit "
                   "results), and reduced precision in tile-gpu-expand-math "
                   "for 16-bit results (2^-18 of a GELU, 2 ulp of a quotient) "
                   "and for positions times a slope (2^-23)")) {}

const cl::Option *Flags::findForCompiling() const {
  const std::reference_wrapper<const cl::Option> flags[] = {
      arch,     targetCpu, arguments, bind,         assume,       generalOnly,
      function, kernels,   tuning,    configure,    plans,        weights,
      tf32,     fastF8,    exact,     fuseLaunches, explainFusion};
  for (const cl::Option &flag : flags)
    if (flag.getNumOccurrences() != 0)
      return &flag;
  return nullptr;
}

static constexpr llvm::StringLiteral overview =
    "Compiles tile kernels and models for GPUs and CPUs.\n";

static constexpr llvm::StringLiteral examples = R"(
EXAMPLES:
  tilegpt-opt kernels/linear.mlir --emit=ptx
      PTX for sm_90a, for data of any size.
  tilegpt-opt kernels/linear.mlir --emit=report --arg=x=1024x768xbf16,w=3072x768xbf16,y=1024x3072xbf16
      Resources of the kernel for these sizes, and the optimizations it got.
  tilegpt-opt kernels/softmax.mlir --bind=C=1000 --compile-to=llvm
      The kernel for the CPU, in the LLVM dialect.
  tilegpt-opt tune --merge mine.json theirs.json -o both.json
      Records of tilegpt-run tune as one file.
--help-hidden lists the passes, which run one by one as in mlir-opt, and the flags of MLIR and LLVM.
)";

static const Flags &flags() {
  static Flags flags;
  return flags;
}

/// Whether --help lists an option: not those of LLVM and MLIR.
static bool isOurs(const cl::Option &option, const Flags &flags) {
  const bool isHelp = llvm::is_contained({"help", "help-hidden"},
                                         llvm::StringRef(option.ArgStr));
  return isHelp || llvm::any_of(option.Categories, [&](const auto *category) {
           return llvm::is_contained({&flags.output, &flags.target,
                                      &flags.sizes, &flags.model,
                                      &flags.precision},
                                     category);
         });
}

/// Hides flags of LLVM and MLIR from --help.
static void hideOthers(const Flags &flags) {
  for (auto &[name, option] : cl::getRegisteredOptions())
    if (!isOurs(*option, flags) &&
        option->getOptionHiddenFlag() == cl::NotHidden)
      option->setHiddenFlag(cl::Hidden);
}

/// The first argument that looks like a flag and is none, without its value.
static llvm::StringRef unknownFlag(int argc, char **argv) {
  const auto &known = cl::getRegisteredOptions();
  for (llvm::StringRef argument : llvm::ArrayRef(argv, argc).drop_front()) {
    const llvm::StringRef flag = argument.split('=').first;
    const llvm::StringRef name = flag.ltrim('-');
    if (argument == "--")
      return "";
    if (flag != name && !name.empty() && !known.contains(name))
      return flag;
  }
  return "";
}

/// Suggests one of our flags: by the name that it has in tilegpt-run, or by a
/// typing error.
static std::string describeUnknown(llvm::StringRef flag, const Flags &flags) {
  const std::string found = "unknown flag '" + flag.str() + "'";
  if (flag.ltrim('-') == "dtype")
    return found + "; did you mean '--weights'?";
  std::vector<std::string> names;
  for (auto &[name, option] : cl::getRegisteredOptions())
    if (isOurs(*option, flags) && name.size() > 1)
      names.push_back(("--" + name).str());
  llvm::sort(names);
  const llvm::SmallVector<llvm::StringRef> words(names.begin(), names.end());
  const std::string meant = didYouMean(("--" + flag.ltrim('-')).str(), words);
  return found + (meant.empty() ? "; see --help" : meant);
}

/// Diagnostics show the source line, not the op, unless a flag overrides this.
static void hideOpsOfDiagnostics() {
  if (cl::Option *option =
          cl::getRegisteredOptions().lookup("mlir-print-op-on-diagnostic"))
    static_cast<cl::opt<bool> *>(option)->setInitialValue(false);
}

/// A flag at the end of the command line without its value, for which LLVM
/// prints its own message.
static llvm::StringRef flagWithoutValue(int argc, char **argv) {
  llvm::StringRef last = argc > 1 ? argv[argc - 1] : "";
  if (!last.consume_front("-"))
    return "";
  last.consume_front("-");
  const cl::Option *option = cl::getRegisteredOptions().lookup(last);
  return option && option->getValueExpectedFlag() == cl::ValueRequired
             ? option->ArgStr
             : "";
}

Result<const Flags *> parseFlags(int argc, char **argv) {
  const Flags &parsed = flags();
  static const cl::extrahelp more(examples);
  hideOthers(parsed);
  hideOpsOfDiagnostics();
  if (const llvm::StringRef flag = flagWithoutValue(argc, argv); !flag.empty())
    return makeError(ErrorCode::Usage, "expected a value for --", flag.str());
  if (const llvm::StringRef flag = unknownFlag(argc, argv); !flag.empty())
    return makeError(ErrorCode::Usage, describeUnknown(flag, parsed));
  std::string complaint;
  llvm::raw_string_ostream stream(complaint);
  if (cl::ParseCommandLineOptions(argc, argv, overview, &stream))
    return &parsed;
  // Joins "tilegpt-opt: Unknown …" and "tilegpt-opt: Did you mean …" to one
  // line.
  const llvm::StringRef program = llvm::sys::path::filename(argv[0]);
  std::string message;
  for (llvm::StringRef line : llvm::split(complaint, '\n')) {
    line.consume_front(program);
    line.consume_front(": ");
    message += (message.empty() || line.empty() ? "" : " ") + line.str();
  }
  return makeError(ErrorCode::Usage, message);
}

std::string didYouMean(llvm::StringRef found,
                       llvm::ArrayRef<llvm::StringRef> words) {
  constexpr unsigned most = 2;
  // Insertions and deletions only: a different digit is a different word.
  auto distance = [&](llvm::StringRef word) {
    return found.edit_distance(word, /*AllowReplacements=*/false);
  };
  const auto *nearest = llvm::min_element(
      words, [&](auto a, auto b) { return distance(a) < distance(b); });
  if (nearest == words.end() || distance(*nearest) > most)
    return "";
  return ("; did you mean '" + *nearest + "'?").str();
}

} // namespace tilegpt::opt
