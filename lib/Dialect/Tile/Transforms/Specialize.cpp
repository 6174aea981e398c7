// Creates one instance of a kernel for each distinct launch signature.
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/Tile/Transforms/ApplyChoice.h"
#include "TileGPT/Dialect/Tile/Transforms/BindKernel.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace tilegpt::tile {
#define GEN_PASS_DEF_SPECIALIZEPASS
#include "TileGPT/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilegpt::tile

using namespace tilegpt::tile;

namespace {

/// The key of an instance: the kernel, the bound argument types and sizes,
/// whether to keep it apart, and the requested plan.
using Signature = std::pair<Operation *, ArrayAttr>;

static Signature signatureOf(LaunchOp launch, KernelOp kernel,
                             const LaunchBinding &binding) {
  Builder builder(kernel.getContext());
  SmallVector<Attribute> key;
  for (Type type : binding.arguments)
    key.push_back(TypeAttr::get(type));
  for (auto [name, size] : binding.sizes)
    key.push_back(builder.getI64IntegerAttr(size));
  for (StringRef name : {apartAttr, wantedPlanAttr})
    if (Attribute value = launch->getAttr(name))
      key.push_back(value);
  return {kernel, builder.getArrayAttr(key)};
}

/// Emits a remark that an instance uses a tuning record (`--explain`).
static void explainRecord(LaunchOp launch, KernelOp instance) {
  if (auto record = launch->getAttrOfType<StringAttr>(recordAttr))
    remark::passed(
        instance.getLoc(),
        remark::RemarkOpts::name("tuning").category("tuning").function(
            instance.getSymName()))
        << record.getValue();
}

/// The instances of one module.
class Instances {
public:
  /// Redirects `launch` to the instance for its signature, created on demand
  /// next to the kernel.
  LogicalResult specialize(LaunchOp launch) {
    KernelOp kernel =
        lookupKernel(tables, launch, launch.getKernelAttr().getAttr());
    if (!kernel)
      return launch.emitOpError("names the kernel '")
             << launch.getKernel()
             << "', which is neither in the module nor in the kernel library";
    FailureOr<LaunchBinding> binding =
        deduceLaunch(kernel, launch.getOperandTypes(), launch.getParamsAttr(),
                     [&] { return launch.emitOpError(); });
    if (failed(binding) || failed(completeBinding(kernel, *binding)))
      return failure();
    KernelOp &instance = instances[signatureOf(launch, kernel, *binding)];
    if (!instance) {
      instance = makeInstance(kernel);
      if (failed(bindKernel(instance, *binding)))
        return failure();
      if (Attribute plan = launch->getAttr(wantedPlanAttr))
        instance->setAttr(wantedPlanAttr, plan);
      explainRecord(launch, instance);
    }
    launch->removeAttr(wantedPlanAttr);
    launch->removeAttr(recordAttr);
    launch.setKernel(instance.getSymName());
    launch.removeParamsAttr();
    return success();
  }

  bool contains(KernelOp kernel) const { return instanceSet.contains(kernel); }
  size_t size() const { return instanceSet.size(); }

private:
  /// Clones `kernel` after itself under the first free name `kernel_0`,
  /// `kernel_1`, …
  KernelOp makeInstance(KernelOp kernel) {
    SymbolTable &table =
        tables.getSymbolTable(SymbolTable::getNearestSymbolTable(kernel));
    KernelOp instance = kernel.clone();
    int64_t &number = instanceCount[kernel];
    std::string name;
    do
      name = (kernel.getSymName() + "_" + Twine(number++)).str();
    while (table.lookup(name));
    instance.setSymName(name);
    table.insert(instance, std::next(kernel->getIterator()));
    instanceSet.insert(instance);
    return instance;
  }

  llvm::MapVector<Signature, KernelOp> instances;
  llvm::DenseSet<Operation *> instanceSet;
  llvm::DenseMap<Operation *, int64_t> instanceCount;
  SymbolTableCollection tables;
};

class Specialize : public tilegpt::tile::impl::SpecializePassBase<Specialize> {
public:
  using SpecializePassBase::SpecializePassBase;

  void runOnOperation() override {
    SmallVector<LaunchOp> launches;
    getOperation().walk([&](LaunchOp launch) { launches.push_back(launch); });
    if (launches.empty()) {
      if (failed(bindInPlace()))
        signalPassFailure();
      return;
    }
    Instances instances;
    for (LaunchOp launch : launches)
      if (failed(instances.specialize(launch)))
        return signalPassFailure();
    getOperation().walk([&](KernelOp kernel) {
      if (!instances.contains(kernel))
        kernel.erase();
    });
    numInstances += instances.size();
  }

private:
  LogicalResult bindInPlace() {
    SmallVector<KernelOp> kernels;
    getOperation().walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    for (KernelOp kernel : kernels) {
      LaunchBinding binding;
      binding.arguments = llvm::to_vector(kernel.getBody().getArgumentTypes());
      EqualSizes(kernel).refine(binding.arguments);
      if (failed(completeBinding(kernel, binding)))
        return failure();
      for (Type &type : binding.arguments)
        if (auto view = dyn_cast<ViewType>(type))
          if (auto variable = dyn_cast<EltType>(view.getElementType()))
            type = ViewType::get(&getContext(), view.getShape(),
                                 binding.types.lookup(StringAttr::get(
                                     &getContext(), variable.getName())),
                                 view.getStrides());
      if (failed(bindKernel(kernel, binding)))
        return failure();
    }
    return success();
  }
};

} // namespace
