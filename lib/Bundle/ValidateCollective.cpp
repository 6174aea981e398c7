// Collectives: rows of numbers and the arguments that the runtime supplies.
#include "ValidateCollective.h"
#include <algorithm>

using namespace tilegpt;
using namespace tilegpt::bundle;

/// Whether the arguments of a peer collective, except the element counts, are
/// the ones that the runtime supplies.
static bool isPeer(const Kernel &kernel, std::span<const Parameter> formals) {
  const auto isView = [&](size_t number, ElementType type) {
    const Parameter &formal = formals[number];
    return formal.kind == ArgumentKind::View && formal.rank == 1 &&
           formal.type == type;
  };
  const size_t scalars = kernel.collective == Collective::PeerAllReduce ? 2 : 3;
  constexpr size_t views = 5;
  if (formals.size() != views + scalars || kernel.device.tensorMaps.count)
    return false;
  const auto isScalar = [](const Parameter &formal) {
    return formal.kind == ArgumentKind::Scalar &&
           formal.type == ElementType::I64;
  };
  return isView(1, ElementType::I64) && isView(2, ElementType::I32) &&
         std::ranges::all_of(formals.subspan(3, scalars), isScalar) &&
         isView(views + scalars - 1, ElementType::I64);
}

std::string bundle::collectiveProblem(const Bundle &bundle,
                                      const Kernel &kernel) {
  if (uint8_t(kernel.collective) >= collectiveCount)
    return runtime::concat("unknown collective ", uint8_t(kernel.collective));
  if (kernel.collective == Collective::None)
    return {};
  const auto formals = bundle.parameters(kernel);
  const auto isNumbers = [&](const Parameter &formal, uint8_t rank) {
    return formal.kind == ArgumentKind::View && formal.rank == rank &&
           formal.type == formals[0].type &&
           (formal.type == ElementType::F32 ||
            formal.type == ElementType::BF16 ||
            formal.type == ElementType::F16);
  };
  if (!isExchange(kernel.collective))
    return isPeer(kernel, formals) && isNumbers(formals[0], 1) &&
                   isNumbers(formals[formals.size() - 2], 1)
               ? ""
               : "expected an exchange through peers' memory to take the "
                 "arguments of peer_all_reduce or peer_all_gather";
  const auto isRows = [&](const Parameter &formal) {
    return isNumbers(formal, 2);
  };
  return formals.size() == 2 && isRows(formals[0]) && isRows(formals[1])
             ? ""
             : "expected a collective to take two views of rank 2 of f32, "
               "bf16 or f16";
}
