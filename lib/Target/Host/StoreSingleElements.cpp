#include "StoreSingleElements.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <optional>

using namespace llvm;

/// The index of the only true element of a constant `mask`.
static std::optional<unsigned> singleElementOf(const Value *mask) {
  auto *constant = dyn_cast<Constant>(mask);
  auto *type = dyn_cast<FixedVectorType>(mask->getType());
  if (!constant || !type)
    return std::nullopt;
  std::optional<unsigned> single;
  for (unsigned number = 0; number != type->getNumElements(); ++number) {
    Constant *element = constant->getAggregateElement(number);
    if (element && element->isNullValue())
      continue;
    if (!element || !element->isOneValue() || single)
      return std::nullopt;
    single = number;
  }
  return single;
}

static void storeSingleElement(IntrinsicInst &store, unsigned number) {
  IRBuilder<> builder(&store);
  Value *vector = store.getArgOperand(0), *address = store.getArgOperand(1);
  Value *element = builder.CreateExtractElement(vector, number);
  Type *type = element->getType();
  const uint64_t bytes = store.getDataLayout().getTypeStoreSize(type);
  const Align align =
      commonAlignment(store.getParamAlign(1).valueOrOne(), number * bytes);
  Value *place = builder.CreateConstInBoundsGEP1_32(type, address, number);
  StoreInst *single = builder.CreateAlignedStore(element, place, align);
  single->copyMetadata(store);
  store.eraseFromParent();
}

void tilegpt::target::storeSingleElements(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (auto *store = dyn_cast<IntrinsicInst>(&instruction);
          store && store->getIntrinsicID() == Intrinsic::masked_store)
        if (std::optional<unsigned> number =
                singleElementOf(store->getArgOperand(2)))
          storeSingleElement(*store, *number);
}
