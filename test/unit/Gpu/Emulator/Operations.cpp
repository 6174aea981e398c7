// Fragments of matrix instructions as PTX's manual lays them out.
#include "Operations.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"
#include <cstring>
#include <regex>

using namespace mlir;

namespace tilegpt::emulator {

template <typename T>
static T *pointer(uint64_t slot) {
  return reinterpret_cast<T *>(slot);
}

//===----------------------------------------------------------------------===//
// Places and barriers
//===----------------------------------------------------------------------===//

static Operation place(std::function<int32_t(Thread &)> value) {
  return [value](Thread &thread, Slots slots) {
    slots[0] = uint32_t(value(thread));
  };
}

static Operation barrier(bool hasNumber, bool hasCount) {
  return [=](Thread &thread, Slots slots) {
    const int number = hasNumber ? int32_t(slots[0]) : 0;
    const int count = hasCount ? int32_t(slots[hasNumber]) : 0;
    thread.block->barrier(thread, number, count ? count : thread.block->size());
  };
}

/// An operation of all lanes of a warp at once.
static Operation together(std::function<void(const Block::Lanes &)> work) {
  return [work](Thread &thread, Slots slots) {
    thread.block->together(thread, slots, work);
  };
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static Operation copy(NVVM::CpAsyncOp op) {
  const size_t bytes = op.getSize();
  const bool isCut = bool(op.getCpSize());
  return [=](Thread &thread, Slots slots) {
    thread.addCopy({pointer<std::byte>(slots[0]), pointer<std::byte>(slots[1]),
                    bytes, isCut ? uint32_t(slots[2]) : bytes});
  };
}

/// "@$0 st.global.v2.b32 [$1+64], {$2, $3};", the only text in PTX there is.
static Operation storeIf(LLVM::InlineAsmOp op) {
  const std::string text = op.getAsmString().str();
  static const std::regex form(
      R"(@\$0 st\.global(?:\.v(\d))?\.b(\d+) \[\$1\+(\d+)\].*)");
  std::smatch match;
  if (!std::regex_match(text, match, form))
    return nullptr;
  const int count = match[1].matched ? std::stoi(match[1]) : 1;
  const int bytes = std::stoi(match[2]) / 8, offset = std::stoi(match[3]);
  return [=](Thread &, Slots slots) {
    if (slots[0] & 1)
      for (int i = 0; i < count; ++i)
        std::memcpy(pointer<std::byte>(slots[1]) + offset + i * bytes,
                    &slots[2 + i], bytes);
  };
}

/// Half words of the 8 × 8 matrices whose rows the lanes point at.
/// \param isTransposed  a lane holds two neighbours of a column.
static uint16_t *halfWord(const Block::Lanes &lanes, int lane, int matrix,
                          int half, bool isTransposed) {
  int row = lane / 4, column = lane % 4 * 2 + half;
  if (isTransposed)
    std::swap(row, column);
  return pointer<uint16_t>(lanes[matrix * 8 + row][0]) + column;
}

static Operation loadMatrices(NVVM::LdMatrixOp op) {
  const int count = int(op.getNum());
  const bool isTransposed = op.getLayout() == NVVM::MMALayout::col;
  return together([=](const Block::Lanes &lanes) {
    std::array<std::array<uint32_t, 4>, warpSize> read{};
    for (int lane = 0; lane < warpSize; ++lane)
      for (int i = 0; i < count; ++i)
        for (int half : {0, 1})
          read[lane][i] |=
              uint32_t(*halfWord(lanes, lane, i, half, isTransposed))
              << 16 * half;
    for (int lane = 0; lane < warpSize; ++lane)
      for (int i = 0; i < count; ++i)
        lanes[lane][i] = read[lane][i];
  });
}

static Operation storeMatrices(NVVM::StMatrixOp op) {
  const int count = int(op.getSources().size());
  const bool isTransposed = op.getLayout() == NVVM::MMALayout::col;
  return together([=](const Block::Lanes &lanes) {
    for (int lane = 0; lane < warpSize; ++lane)
      for (int i = 0; i < count; ++i)
        for (int half : {0, 1})
          *halfWord(lanes, lane, i, half, isTransposed) =
              uint16_t(lanes[lane][1 + i] >> 16 * half);
  });
}

//===----------------------------------------------------------------------===//
// Between the lanes of a warp
//===----------------------------------------------------------------------===//

/// The lane a value comes from; the lane itself beyond the segment's end.
static int sourceLane(NVVM::ShflKind kind, int lane, int offset, int clamp) {
  const int segment = clamp >> 8 & 31;
  const int last = (lane & segment) | (clamp & 31 & ~segment);
  const int first = lane & segment;
  switch (kind) {
  case NVVM::ShflKind::bfly:
    return (lane ^ offset) <= last ? lane ^ offset : lane;
  case NVVM::ShflKind::up:
    return lane - offset >= last ? lane - offset : lane;
  case NVVM::ShflKind::down:
    return lane + offset <= last ? lane + offset : lane;
  case NVVM::ShflKind::idx:
    return (first | (offset & ~segment)) <= last ? first | (offset & ~segment)
                                                 : lane;
  }
  llvm_unreachable("not a kind of shuffle");
}

static Operation shuffle(NVVM::ShflOp op) {
  const NVVM::ShflKind kind = op.getKind();
  // Slots: mask, value, offset, clamp.
  return together([=](const Block::Lanes &lanes) {
    std::array<uint64_t, warpSize> found;
    for (int lane = 0; lane < warpSize; ++lane)
      found[lane] = lanes[sourceLane(kind, lane, int(lanes[lane][2]),
                                     int(lanes[lane][3]))][1];
    for (int lane = 0; lane < warpSize; ++lane)
      lanes[lane][0] = found[lane];
  });
}

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

static double valueOf(uint32_t bits, NVVM::MMATypes type) {
  const auto as = [&](const llvm::fltSemantics &semantics) {
    return llvm::APFloat(semantics, llvm::APInt(16, bits & 0xFFFF))
        .convertToDouble();
  };
  switch (type) {
  case NVVM::MMATypes::f16:
    return as(llvm::APFloat::IEEEhalf());
  case NVVM::MMATypes::bf16:
    return llvm::bit_cast<float>(bits << 16);
  case NVVM::MMATypes::tf32: // the low bits are not looked at
    return llvm::bit_cast<float>(bits & ~0x1FFFU);
  case NVVM::MMATypes::s8:
    return int8_t(bits);
  case NVVM::MMATypes::u8:
    return uint8_t(bits);
  default:
    llvm_unreachable("not a type that is emulated");
  }
}

static Operation roundToTF32(NVVM::ConvertFloatToTF32Op op) {
  const bool tiesToEven = op.getRnd() == NVVM::FPRoundingMode::RN;
  return [=](Thread &, Slots slots) {
    const auto bits = uint32_t(slots[0]);
    const uint32_t half = tiesToEven ? 0xFFF + (bits >> 13 & 1) : 0x1000;
    if ((bits & 0x7F800000) != 0x7F800000)
      slots[0] = (bits + half) & ~0x1FFFU;
  };
}

/// Elements of this type in a register; 0 if it is not emulated.
static int elementsOf(std::optional<NVVM::MMATypes> type) {
  switch (type.value_or(NVVM::MMATypes::b1)) {
  case NVVM::MMATypes::f16:
  case NVVM::MMATypes::bf16:
    return 2;
  case NVVM::MMATypes::tf32:
    return 1;
  case NVVM::MMATypes::s8:
  case NVVM::MMATypes::u8:
    return 4;
  default:
    return 0;
  }
}

/// m16n8 of any depth: registers of A, then of B, then four sums.
static Operation multiply(NVVM::MmaOp op) {
  constexpr int rows = 16, columns = 8;
  const auto leftType = op.getMultiplicandAPtxType(),
             rightType = op.getMultiplicandBPtxType();
  const int each = elementsOf(leftType);
  if (each == 0 || elementsOf(rightType) != each)
    return nullptr;
  const int left = int(op.getOperandA().size()),
            right = int(op.getOperandB().size());
  const bool isFloat = each < 4;
  const int depth = 4 * each * right;
  return together([=](const Block::Lanes &lanes) {
    std::vector<double> a(rows * depth), b(depth * columns);
    const auto element = [&](uint64_t slot, int i, NVVM::MMATypes type) {
      return valueOf(uint32_t(slot) >> (32 / each * i), type);
    };
    for (int lane = 0; lane < warpSize; ++lane) {
      const int group = lane / 4, member = lane % 4;
      for (int i = 0; i < each; ++i) {
        for (int r = 0; r < left; ++r)
          a[(group + 8 * (r % 2)) * depth + member * each + r / 2 * 4 * each +
            i] = element(lanes[lane][r], i, *leftType);
        for (int r = 0; r < right; ++r)
          b[(member * each + r * 4 * each + i) * columns + group] =
              element(lanes[lane][left + r], i, *rightType);
      }
    }
    for (int lane = 0; lane < warpSize; ++lane) {
      std::array<uint64_t, 4> sums;
      for (int i = 0; i < 4; ++i) {
        const int row = lane / 4 + 8 * (i / 2), column = lane % 4 * 2 + i % 2;
        const auto before = uint32_t(lanes[lane][left + right + i]);
        double sum = isFloat ? double(llvm::bit_cast<float>(before))
                             : double(int32_t(before));
        for (int k = 0; k < depth; ++k)
          sum += a[row * depth + k] * b[k * columns + column];
        sums[i] = isFloat ? llvm::bit_cast<uint32_t>(float(sum))
                          : uint32_t(int64_t(sum));
      }
      std::copy(sums.begin(), sums.end(), lanes[lane]);
    }
  });
}

Operation operationOf(mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, Operation>(op)
      .Case([](NVVM::ThreadIdXOp) {
        return place([](Thread &thread) { return thread.id; });
      })
      .Case([](NVVM::BlockIdXOp) {
        return place([](Thread &thread) { return thread.block->number[0]; });
      })
      .Case([](NVVM::BlockIdYOp) {
        return place([](Thread &thread) { return thread.block->number[1]; });
      })
      .Case([](NVVM::BlockIdZOp) {
        return place([](Thread &thread) { return thread.block->number[2]; });
      })
      .Case([](NVVM::GridDimXOp) {
        return place([](Thread &thread) { return thread.block->grid[0]; });
      })
      .Case([](LLVM::AddressOfOp op) -> Operation {
        // The one global there is: shared memory.
        return [](Thread &thread, Slots slots) {
          slots[0] = reinterpret_cast<uint64_t>(thread.block->shared());
        };
      })
      .Case([](NVVM::Barrier0Op) { return barrier(false, false); })
      .Case([](NVVM::BarrierOp op) {
        return barrier(bool(op.getBarrierId()), bool(op.getNumberOfThreads()));
      })
      .Case([](NVVM::SyncWarpOp) { return together([](const auto &) {}); })
      .Case([](NVVM::CpAsyncOp op) { return copy(op); })
      .Case([](NVVM::CpAsyncCommitGroupOp) -> Operation {
        return [](Thread &thread, Slots) { thread.commitCopies(); };
      })
      .Case([](NVVM::CpAsyncWaitGroupOp op) -> Operation {
        return [left = op.getN()](Thread &thread, Slots) {
          thread.waitForCopies(left);
        };
      })
      .Case([](LLVM::InlineAsmOp op) { return storeIf(op); })
      .Case([](NVVM::LdMatrixOp op) { return loadMatrices(op); })
      .Case([](NVVM::StMatrixOp op) { return storeMatrices(op); })
      .Case([](NVVM::ConvertFloatToTF32Op op) { return roundToTF32(op); })
      .Case([](NVVM::ShflOp op) { return shuffle(op); })
      .Case([](NVVM::MmaOp op) { return multiply(op); })
      .Default([](auto *) -> Operation { return nullptr; });
}

} // namespace tilegpt::emulator
