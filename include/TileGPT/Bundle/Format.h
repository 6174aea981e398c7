// The contract between compiler and runtime: plain structs, the same bytes in
// memory and in a `.tgb` file. Everything refers to everything else by index,
// so an image needs no relocation; Builder writes one and Bundle checks and
// reads it.
#ifndef TILEGPT_BUNDLE_FORMAT_H
#define TILEGPT_BUNDLE_FORMAT_H

#include "TileGPT/Bundle/ElementType.h"
#include <cstdint>

namespace tilegpt::bundle {

inline constexpr char magic[8] = {'T', 'G', 'P', 'T', 'B', 'N', 'D', 'L'};
/// Incremented with every change of a struct below or of its meaning; a runtime
/// reads exactly one version.
inline constexpr uint32_t version = 6;
inline constexpr unsigned maxRank = 6;
/// Alignment of every buffer in an arena, and of all memory kernels see.
inline constexpr uint64_t bufferAlignment = 64;
/// Alignment of the host code in the image.
inline constexpr uint64_t hostCodeAlignment = 4096;
/// Alignment of the device code in the image, and of every kernel's image in
/// it.
inline constexpr uint64_t deviceCodeAlignment = 64;

/// Entries [first, first + count) of a table; for text, bytes of the string
/// table.
struct Range {
  uint32_t first = 0;
  uint32_t count = 0;

  friend constexpr bool operator==(const Range &, const Range &) = default;
};
static_assert(sizeof(Range) == 8);

/// A size, offset or stride as a function of the step: constant + perRow·N +
/// perSequence·B.
struct Extent {
  int64_t constant = 0;
  int64_t perRow = 0;
  int64_t perSequence = 0;

  static constexpr Extent rows(int64_t scale = 1) { return {0, scale, 0}; }
  static constexpr Extent sequences(int64_t scale = 1) { return {0, 0, scale}; }

  constexpr bool isConstant() const { return perRow == 0 && perSequence == 0; }
  friend constexpr bool operator==(const Extent &, const Extent &) = default;
};
static_assert(sizeof(Extent) == 24);

enum class BufferKind : uint8_t {
  Input, ///< belongs to a plan; written by the caller before it: "ids" i32 [N],
         ///< "pos" i32 [B]; of a Sample plan also "how" f32 [B, 5]
  Output, ///< belongs to a plan; read by the caller after it: "logits" f32,
          ///< bf16 or f16, or "next" i32 [B] of a Sample plan
  Weight, ///< global and constant; found by name in the checkpoint
  State,  ///< global, zero at first, kept from step to step: a KV cache, e.g.
          ///< "h.0.k" [B, H, S, D]
  Arena,  ///< belongs to a plan; lives at a fixed offset of the arena
};
inline constexpr uint8_t bufferKindCount = 5;

/// Whether buffers of a kind belong to all plans instead of one.
constexpr bool isGlobal(BufferKind kind) {
  return kind == BufferKind::Weight || kind == BufferKind::State;
}

/// A dense row-major tensor. The leading dimension of a state is B, the others
/// are constant; a weight is all constant.
struct Buffer {
  Range name;
  BufferKind kind = BufferKind::Arena;
  ElementType type = ElementType::F32;
  uint8_t rank = 0;
  uint8_t reserved[5] = {};
  Extent shape[maxRank];
  uint64_t arenaOffset =
      0; ///< bytes, a multiple of bufferAlignment; 0 unless the kind is Arena
};
static_assert(sizeof(Buffer) == 168);

/// One operation of an expression in postfix order on a stack of int64.
/// Division rounds as the name says; Mod has the sign of FloorDiv's remainder.
enum class ExpressionOp : uint8_t {
  Constant, ///< pushes value
  Dim,      ///< pushes size `axis` of the launch's view argument `argument`
  Scalar,   ///< pushes the launch's scalar argument `argument`, sign-extended
            ///< from its type
  Add,
  Sub,
  Mul,
  CeilDiv,
  FloorDiv,
  Mod,
  Min,
  Max,
};
inline constexpr uint8_t expressionOpCount = 11;
/// Maximum stack depth of an expression.
inline constexpr unsigned maxExpressionDepth = 32;

struct Expression {
  ExpressionOp op = ExpressionOp::Constant;
  uint8_t axis = 0;
  uint16_t argument = 0; ///< counted from the launch's first argument
  uint32_t reserved = 0;
  int64_t value = 0;

  static constexpr Expression constant(int64_t value) {
    return {ExpressionOp::Constant, 0, 0, 0, value};
  }
  static constexpr Expression dim(uint16_t argument, uint8_t axis) {
    return {ExpressionOp::Dim, axis, argument, 0, 0};
  }
  static constexpr Expression scalar(uint16_t argument) {
    return {ExpressionOp::Scalar, 0, argument, 0, 0};
  }
  static constexpr Expression apply(ExpressionOp op) {
    return {op, 0, 0, 0, 0};
  }
  friend constexpr bool operator==(const Expression &,
                                   const Expression &) = default;
};
static_assert(sizeof(Expression) == 16);

/// How the two sides of a requirement compare.
enum class Relation : uint8_t { Equal, Less, LessEqual, Greater, GreaterEqual };
inline constexpr uint8_t relationCount = 5;

/// A requirement on the sizes of a launch that is checked in each step.
struct Requirement {
  Range lhs; ///< in the expression table, as rhs
  Range rhs;
  Range lhsText; ///< the left side: "axis 0 of argument 1"
  Range rhsText; ///< empty where the right side is a number
  Relation relation = Relation::Equal;
  uint8_t reserved[7] = {};

  friend constexpr bool operator==(const Requirement &,
                                   const Requirement &) = default;
};
static_assert(sizeof(Requirement) == 40);

enum class ArgumentKind : uint8_t {
  View,   ///< 1 + 2·rank words: pointer, sizes, strides in elements
  Scalar, ///< one word
};
inline constexpr uint8_t argumentKindCount = 2;

/// How a kernel accesses a view; a launch may bind a weight or an input only to
/// Read.
enum class Access : uint8_t { Read = 1, Write = 2, ReadWrite = 3 };

/// One formal parameter of a kernel. Every launch's arguments must agree with
/// it in kind, type and rank.
struct Parameter {
  ArgumentKind kind = ArgumentKind::View;
  ElementType type = ElementType::F32;
  uint8_t rank = 0; ///< 0 for a scalar
  Access access = Access::Read;

  friend constexpr bool operator==(const Parameter &,
                                   const Parameter &) = default;
};
static_assert(sizeof(Parameter) == 4);

/// One actual argument of a launch.
struct Argument {
  ArgumentKind kind = ArgumentKind::View;
  ElementType type = ElementType::F32;
  uint8_t rank = 0;
  uint8_t reserved = 0;
  uint32_t buffer = 0;     ///< View: index of the buffer it lies in
  Extent offset;           ///< View: elements from the start of the buffer
  Extent shape[maxRank];   ///< View: sizes
  Extent strides[maxRank]; ///< View: strides in elements
  uint64_t bits = 0; ///< Scalar: the value, zero-extended from its type's bits
};
static_assert(sizeof(Argument) == 328);

/// TMA swizzle modes: 16-byte units permuted within spans of this many bytes.
enum class TensorSwizzle : uint8_t { None, Bytes32, Bytes64, Bytes128 };
inline constexpr uint8_t tensorSwizzleCount = 4;

/// TMA L2 promotion.
enum class L2Promotion : uint8_t { None, Bytes64, Bytes128, Bytes256 };
inline constexpr uint8_t l2PromotionCount = 4;

inline constexpr unsigned maxTensorMapRank = 5;

/// One TMA descriptor of a device kernel. The runtime encodes it for every
/// launch from a view argument, whose words give address, sizes and strides;
/// the last axis of the view is the fastest one of the descriptor.
/// Out-of-bounds elements read as zero and are not written.
struct TensorMap {
  uint32_t box[maxTensorMapRank] = {}; ///< elements moved at once, fastest axis
                                       ///< first; 0 beyond the rank
  uint16_t argument = 0;               ///< a view of the same rank
  uint8_t rank = 0;                    ///< 1 to maxTensorMapRank
  ElementType type = ElementType::F32; ///< as wide as the view's elements
  TensorSwizzle swizzle = TensorSwizzle::None;
  L2Promotion l2Promotion = L2Promotion::None;
  uint8_t reserved[6] = {};
};
static_assert(sizeof(TensorMap) == 32);

enum class ImageKind : uint8_t {
  Cubin, ///< an ELF image for exactly one architecture
  Ptx,   ///< text that ends with a zero byte; the driver compiles it
};
inline constexpr uint8_t imageKindCount = 2;

/// Properties of a device kernel, bits of DeviceKernel::flags.
enum class DeviceFlag : uint8_t {
  /// Iterates over the logical grid: any number of blocks completes it.
  Persistent = 1,
  /// Waits for its predecessor (griddepcontrol.wait) where necessary, so it may
  /// be launched while that one is running.
  ProgrammaticDependentLaunch = 2,
};
inline constexpr uint8_t deviceFlagMask = 3;

/// The device half of a kernel: location of its image and launch configuration.
/// All zero in a bundle for the host.
struct DeviceKernel {
  uint64_t imageOffset = 0; ///< bytes from the start of the device code, a
                            ///< multiple of deviceCodeAlignment
  uint64_t imageBytes = 0;  ///< the image holds this kernel alone
  Range tensorMaps;         ///< in the table of tensor maps
  uint32_t threads = 0;     ///< of a block, all along x
  uint32_t sharedBytes = 0; ///< dynamic shared memory of a block
  uint32_t registers = 0;   ///< of a thread, as ptxas reports it; 0: unknown.
                            ///< For people
  uint8_t clusterSize = 0;  ///< blocks of a cluster, all along x; 1 to 8. Each
                            ///< block of the logical grid is a cluster, unless
                            ///< the kernel is persistent
  uint8_t blocksPerMultiprocessor = 0; ///< Persistent: blocks to launch for
                                       ///< each multiprocessor; else 0
  ImageKind imageKind = ImageKind::Cubin;
  uint8_t flags = 0; ///< DeviceFlag

  constexpr bool has(DeviceFlag flag) const {
    return (flags & uint8_t(flag)) != 0;
  }
  friend constexpr bool operator==(const DeviceKernel &,
                                   const DeviceKernel &) = default;
};
static_assert(sizeof(DeviceKernel) == 40);

/// What the runtime does instead of a kernel if several ranks run a model: its
/// first argument is a rank's input, its second the combined output.
enum class Collective : uint8_t {
  None,
  AllReduce, ///< [N, C] of each rank to their sum
  AllGather, ///< [N, C] of each rank to [N, O], side by side, O <= C·ranks
  /// Not launched by a plan: a kernel with which ranks on the GPUs of one host
  /// perform a collective through peer memory. Arguments are those of
  /// @peer_all_reduce and @peer_all_gather of kernels/collectives.mlir; one
  /// kernel for each element type.
  PeerAllReduce,
  PeerAllGather,
};
inline constexpr uint8_t collectiveCount = 5;

/// Whether the runtime performs a collective instead of a launch.
constexpr bool isExchange(Collective collective) {
  return collective == Collective::AllReduce ||
         collective == Collective::AllGather;
}

/// A compiled kernel. On the host: `int32_t symbol(const uint64_t *words, const
/// int64_t grid[3], int64_t begin, int64_t end)`. On a device: an entry point
/// whose parameters are the words of its arguments, the three sizes of the
/// grid, the address of the status word (an int32), each eight bytes, then its
/// tensor maps of 128 bytes. Assert number k fails by returning, or storing in
/// the status, k + 1.
struct Kernel {
  Range name; ///< name in the kernel library, e.g. "linear"; need not be unique
  Range symbol;     ///< exported by the host code, where it is unique, or by
                    ///< the kernel's own device image
  Range parameters; ///< in the parameter table
  Range messages;   ///< in the message table: text of the kernel's asserts
  DeviceKernel device;
  Collective collective = Collective::None;
  uint8_t reserved[7] = {};
};
static_assert(sizeof(Kernel) == 80);

/// One launch of a kernel over a grid of grid[0]·grid[1]·grid[2] blocks, x =
/// grid[0] fastest.
struct Launch {
  uint32_t kernel = 0;
  uint32_t reserved = 0;
  Range label; ///< where in the model, e.g. "h.3.attn.c_attn"; for traces and
               ///< errors, may be empty
  Range arguments;
  Range grid[3];      ///< in the expression table; each yields one size >= 0
  Range requirements; ///< in the requirement table
};
static_assert(sizeof(Launch) == 56);

enum class PlanKind : uint8_t {
  Decode,  ///< T = 1, N = B: one new token for each sequence; logits [B, V]
  Prefill, ///< logits of the last token of each sequence, [B, V]
  Score,   ///< logits of all rows, [N, V]
  Sample,  ///< as Decode, but draws the next token of each sequence, [B], as
           ///< sampleValues numbers a sequence say
};
inline constexpr uint8_t planKindCount = 4;

/// Whether N = B in plans of this kind.
constexpr bool hasOneRowPerSequence(PlanKind kind) {
  return kind == PlanKind::Decode || kind == PlanKind::Sample;
}

/// Sampling parameters: temperature (0: greedy), top-k (0: all), top-p, the
/// logarithm of min-p, a random number in [0, 1).
inline constexpr int64_t sampleValues = 5;

/// One function of the model compiled for a range of row counts: launches to
/// run in order on one arena.
struct Plan {
  Range name;
  PlanKind kind = PlanKind::Decode;
  uint8_t reserved[7] = {};
  int64_t minRows = 1;      ///< smallest N the plan may be run with
  int64_t maxRows = 1;      ///< largest N
  int64_t maxSequences = 1; ///< largest B; Decode and Sample have B = N
  Range launches;
  Range buffers; ///< its Input, Output and Arena buffers
  uint64_t arenaBytes = 0;
};
static_assert(sizeof(Plan) == 64);

/// Properties of the model other than its plans.
struct ModelInfo {
  Range name;
  int64_t layers = 0;
  int64_t heads = 0;
  int64_t width = 0;
  int64_t context = 0; ///< positions the model was trained for
  int64_t capacity =
      0; ///< S, tokens the KV cache holds for a sequence; <= context
  int64_t vocabulary = 0; ///< V
  double epsilon = 0;     ///< of the layer norms
  ElementType weightType = ElementType::F32;
  uint8_t reserved[3] = {};
  /// Number of ranks, each with its part of the weights, given by the names of
  /// the weights (WeightShard); sizes of buffers are one rank's.
  uint32_t ranks = 1;
  /// Its tables and settings as JSON (runtime::ModelTables); empty for a model
  /// without checkpoint tables.
  Range tables;
};
static_assert(sizeof(ModelInfo) == 80);

/// Instruction-set extensions host code may need. Values are bit numbers of
/// Target::features: append only.
enum class CpuFeature : uint8_t {
  SSE42,
  AVX,
  AVX2,
  FMA,
  F16C,
  BMI,
  BMI2,
  LZCNT,
  AVX512F,
  AVX512BW,
  AVX512CD,
  AVX512DQ,
  AVX512VL,
  AVX512VNNI,
  AVX512BF16,
  AVX512FP16,
  AVXVNNI,
  AMXTILE,
  AMXINT8,
  AMXBF16,
};
inline constexpr uint8_t cpuFeatureCount = 20;

constexpr uint64_t featureBit(CpuFeature feature) {
  return uint64_t(1) << uint8_t(feature);
}

/// The name LLVM and GCC give the feature: "avx512bw".
constexpr std::string_view name(CpuFeature feature) {
  constexpr std::string_view names[cpuFeatureCount] = {
      "sse4.2",     "avx",      "avx2",     "fma",        "f16c",
      "bmi",        "bmi2",     "lzcnt",    "avx512f",    "avx512bw",
      "avx512cd",   "avx512dq", "avx512vl", "avx512vnni", "avx512bf16",
      "avx512fp16", "avxvnni",  "amx-tile", "amx-int8",   "amx-bf16"};
  return names[uint8_t(feature)];
}

/// The kind of device a bundle's kernels run on; one bundle is for one.
enum class TargetKind : uint8_t { Host, Cuda };
inline constexpr uint8_t targetKindCount = 2;

/// The target of the code.
struct Target {
  Range architecture;    ///< "x86_64"; "sm_90a"
  Range cpu;             ///< LLVM's name, e.g. "sapphirerapids"; for people.
                         ///< Empty for Cuda
  uint64_t features = 0; ///< featureBit()s the code needs; 0 for Cuda
  TargetKind kind = TargetKind::Host;
  uint8_t reserved[7] = {};
};
static_assert(sizeof(Target) == 32);

/// Sections of an image, in this order; each starts at a multiple of 8 (the
/// host code: of hostCodeAlignment; the device code: of deviceCodeAlignment).
enum class SectionKind : uint8_t {
  Strings,      ///< UTF-8, not terminated
  Messages,     ///< Range in Strings
  Parameters,   ///< Parameter
  TensorMaps,   ///< TensorMap
  Kernels,      ///< Kernel
  Expressions,  ///< Expression
  Requirements, ///< Requirement
  Arguments,    ///< Argument
  Launches,     ///< Launch
  Buffers,      ///< Buffer; weights and states first
  Plans,        ///< Plan
  Model,        ///< one ModelInfo
  Target,       ///< one Target
  HostCode,     ///< an ELF shared object; empty unless the target is Host
  DeviceCode,   ///< the kernels' images; empty unless the target is Cuda
};
inline constexpr uint32_t sectionCount = 15;

struct Section {
  uint64_t offset = 0; ///< bytes from the start of the image
  uint64_t bytes = 0;
};
static_assert(sizeof(Section) == 16);

/// First bytes of every image. The first four fields never change between
/// versions.
struct Header {
  char magic[8] = {};
  uint32_t version = 0;
  uint32_t sectionCount = 0;
  uint64_t totalBytes = 0;
  uint64_t checksum = 0; ///< XXH3 (64 bit) of all bytes after this field
  Section sections[bundle::sectionCount];
};
static_assert(sizeof(Header) == 32 + 16 * sectionCount);
inline constexpr uint64_t checksummedFrom = 32;

} // namespace tilegpt::bundle

#endif // TILEGPT_BUNDLE_FORMAT_H
