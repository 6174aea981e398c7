// Clones the ops that a value is computed from next to its uses. They start
// from the thread's number, read again by an op that no pass moves or merges.
#include "Rematerialize.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

class Rematerialization {
public:
  explicit Rematerialization(Function &function)
      : function(function), dominators(function), loops(dominators) {}

  bool run();

private:
  bool isRecomputable(llvm::Value *value);
  bool isAfterLoop(Instruction *value, BasicBlock *block);
  BasicBlock *placeOf(Use &use, Instruction *value);
  llvm::Value *recompute(llvm::Value *value, BasicBlock *block);

  Function &function;
  DominatorTree dominators;
  LoopInfo loops;
  llvm::DenseMap<llvm::Value *, bool> known;
  // For each block, the copies at its front.
  llvm::DenseMap<std::pair<BasicBlock *, llvm::Value *>, llvm::Value *> copies;
};

} // namespace

static bool isThreadNumber(llvm::Value *value) {
  auto *call = dyn_cast<IntrinsicInst>(value);
  return call && call->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_tid_x;
}

/// Whether a value is the same for all threads of a warp, which takes no
/// register of each.
static bool isWarpUniform(llvm::Value *value) {
  auto *call = dyn_cast<IntrinsicInst>(value);
  return call &&
         (call->getIntrinsicID() == Intrinsic::nvvm_shfl_sync_idx_i32 ||
          call->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_ctaid_x ||
          call->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_nctaid_x);
}

/// Whether a value is computed by a few cheap integer instructions from leaves
/// that are always available.
bool Rematerialization::isRecomputable(llvm::Value *value) {
  if (isa<Constant, Argument>(value))
    return true;
  auto *op = dyn_cast<Instruction>(value);
  if (!op)
    return false;
  auto [entry, isNew] = known.try_emplace(value, false);
  if (!isNew)
    return entry->second;
  bool isCheap = isThreadNumber(op) || isWarpUniform(op);
  if (!isCheap && !op->getType()->isVectorTy() &&
      (op->getType()->isIntegerTy() || op->getType()->isPointerTy()) &&
      isa<BinaryOperator, CastInst, GetElementPtrInst, SelectInst, ICmpInst,
          FreezeInst>(op) &&
      !op->isIntDivRem())
    isCheap = all_of(op->operands(),
                     [&](llvm::Value *of) { return isRecomputable(of); });
  return known[value] = isCheap;
}

/// Whether a loop that neither defines nor uses a value runs between its
/// definition and a block.
bool Rematerialization::isAfterLoop(Instruction *value, BasicBlock *block) {
  return any_of(loops.getLoopsInPreorder(), [&](Loop *loop) {
    return !loop->contains(value) && !loop->contains(block) &&
           dominators.dominates(value->getParent(), loop->getHeader()) &&
           none_of(value->users(),
                   [&](User *user) {
                     return loop->contains(cast<Instruction>(user));
                   }) &&
           isPotentiallyReachable(loop->getHeader(), block, nullptr,
                                  &dominators, &loops);
  });
}

/// The block that recomputes a value for a use: outside of loops that do not
/// contain the loop that the value would live through.
BasicBlock *Rematerialization::placeOf(Use &use, Instruction *value) {
  auto *user = cast<Instruction>(use.getUser());
  BasicBlock *block = user->getParent();
  if (auto *phi = dyn_cast<PHINode>(user))
    block = phi->getIncomingBlock(use);
  for (Loop *loop = loops.getLoopFor(block); loop && !loop->contains(value);
       loop = loop->getParentLoop()) {
    BasicBlock *front = loop->getLoopPreheader();
    if (!front || !isAfterLoop(value, front))
      break;
    block = front;
  }
  return block;
}

/// A copy of a value at the front of a block, or the value itself if it takes
/// no register.
llvm::Value *Rematerialization::recompute(llvm::Value *value,
                                          BasicBlock *block) {
  auto *op = dyn_cast<Instruction>(value);
  if (!op || isWarpUniform(op))
    return value;
  if (llvm::Value *copy = copies.lookup({block, value}))
    return copy;
  IRBuilder<> builder(block, block->getFirstInsertionPt());
  llvm::Value *copy;
  if (isThreadNumber(op)) {
    auto *read = InlineAsm::get(
        llvm::FunctionType::get(op->getType(), /*isVarArg=*/false),
        "mov.u32 $0, %tid.x;", "=r", /*hasSideEffects=*/true);
    copy = builder.CreateCall(read);
  } else {
    SmallVector<llvm::Value *> operands;
    for (llvm::Value *operand : op->operands())
      operands.push_back(recompute(operand, block));
    // Behind the copies of its operands.
    BasicBlock::iterator at = block->getFirstInsertionPt();
    for (llvm::Value *operand : operands)
      if (auto *source = dyn_cast<Instruction>(operand);
          source && source->getParent() == block && !isa<PHINode>(source) &&
          (at == source->getIterator() || at->comesBefore(source)))
        at = std::next(source->getIterator());
    Instruction *clone = op->clone();
    clone->insertBefore(at);
    for (auto [number, operand] : enumerate(operands))
      clone->setOperand(number, operand);
    copy = clone;
  }
  return copies[{block, value}] = copy;
}

bool Rematerialization::run() {
  bool changed = false;
  SmallVector<Instruction *> values;
  for (Instruction &op : instructions(function))
    if (isRecomputable(&op) && !isThreadNumber(&op) && !isWarpUniform(&op))
      values.push_back(&op);
  // Users first, so that only what they leave is live.
  for (Instruction *value : reverse(values)) {
    SmallVector<std::pair<Use *, BasicBlock *>> uses;
    for (Use &use : value->uses()) {
      BasicBlock *block = placeOf(use, value);
      if (block != value->getParent() && isAfterLoop(value, block))
        uses.push_back({&use, block});
    }
    for (auto [use, block] : uses)
      use->set(recompute(value, block));
    changed |= !uses.empty();
  }
  for (Instruction *value : reverse(values))
    if (value->use_empty())
      value->eraseFromParent();
  return changed;
}

bool tilegpt::target::rematerialize(Module &module) {
  bool changed = false;
  for (Function &function : module)
    if (!function.isDeclaration())
      changed |= Rematerialization(function).run();
  return changed;
}
