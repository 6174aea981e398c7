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
/// Raised with every change of a struct below or of its meaning; a runtime
/// reads exactly one version.
inline constexpr uint32_t version = 1;
inline constexpr unsigned maxRank = 6;
/// Alignment of every buffer in an arena, and of all memory kernels see.
inline constexpr uint64_t bufferAlignment = 64;
/// Alignment of the host code in the image.
inline constexpr uint64_t hostCodeAlignment = 4096;

/// Entries [first, first + count) of a table; for text, bytes of the string
/// table.
struct Range {
  uint32_t first = 0;
  uint32_t count = 0;

  friend constexpr bool operator==(const Range &, const Range &) = default;
};
static_assert(sizeof(Range) == 8);

/// A size, an offset or a stride known but for the step it is used in: constant
/// + perRow·N + perSequence·B.
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
         ///< "pos" i32 [B]
  Output, ///< belongs to a plan; read by the caller after it: "logits" f32
  Weight, ///< global and constant; found by name in the checkpoint
  State,  ///< global, zero at first, kept from step to step: a KV cache, e.g.
          ///< "h.0.k" [B, H, S, D]
  Arena,  ///< belongs to a plan; lives at a fixed offset of the arena
};
inline constexpr uint8_t bufferKindCount = 5;

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
/// No expression may need a deeper stack.
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

enum class ArgumentKind : uint8_t {
  View,   ///< 1 + 2·rank words: pointer, sizes, strides in elements
  Scalar, ///< one word
};
inline constexpr uint8_t argumentKindCount = 2;

/// What a kernel does with a view; a launch may bind a weight or an input only
/// to Read.
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

/// A compiled kernel: `int32_t symbol(const uint64_t *words, const int64_t
/// grid[3], int64_t begin, int64_t end)`.
struct Kernel {
  Range name; ///< name in the kernel library, e.g. "linear"; need not be unique
  Range symbol;     ///< unique, exported by the host code
  Range parameters; ///< in the parameter table
  Range messages;   ///< in the message table: text of the kernel's asserts; a
                    ///< kernel returning k > 0 failed number k - 1
};
static_assert(sizeof(Kernel) == 32);

/// One launch of a kernel over a grid of grid[0]·grid[1]·grid[2] blocks, x =
/// grid[0] fastest.
struct Launch {
  uint32_t kernel = 0;
  uint32_t reserved = 0;
  Range label; ///< where in the model, e.g. "h.3.attn.c_attn"; for traces and
               ///< errors, may be empty
  Range arguments;
  Range grid[3]; ///< in the expression table; each yields one size >= 0
};
static_assert(sizeof(Launch) == 48);

enum class PlanKind : uint8_t {
  Decode,  ///< T = 1, N = B: one new token for each sequence; logits [B, V]
  Prefill, ///< logits of the last token of each sequence, [B, V]
  Score,   ///< logits of all rows, [N, V]
};
inline constexpr uint8_t planKindCount = 3;

/// One function of the model compiled for a range of row counts: launches to
/// run in order on one arena.
struct Plan {
  Range name;
  PlanKind kind = PlanKind::Decode;
  uint8_t reserved[7] = {};
  int64_t minRows = 1;      ///< smallest N the plan may be run with
  int64_t maxRows = 1;      ///< largest N
  int64_t maxSequences = 1; ///< largest B; Decode has B = N
  Range launches;
  Range buffers; ///< its Input, Output and Arena buffers
  uint64_t arenaBytes = 0;
};
static_assert(sizeof(Plan) == 64);

/// What a runner must know of the model besides its plans.
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
  uint8_t reserved[7] = {};
};
static_assert(sizeof(ModelInfo) == 72);

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

/// What the host code was compiled for.
struct Target {
  Range architecture;    ///< "x86_64"
  Range cpu;             ///< LLVM's name, e.g. "sapphirerapids"; for people
  uint64_t features = 0; ///< featureBit()s the code needs
};
static_assert(sizeof(Target) == 24);

/// Sections of an image, in this order; each starts at a multiple of 8 (the
/// host code: of hostCodeAlignment).
enum class SectionKind : uint8_t {
  Strings,     ///< UTF-8, not terminated
  Messages,    ///< Range in Strings
  Parameters,  ///< Parameter
  Kernels,     ///< Kernel
  Expressions, ///< Expression
  Arguments,   ///< Argument
  Launches,    ///< Launch
  Buffers,     ///< Buffer; weights and states first
  Plans,       ///< Plan
  Model,       ///< one ModelInfo
  Target,      ///< one Target
  HostCode,    ///< an ELF shared object
};
inline constexpr uint32_t sectionCount = 12;

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
