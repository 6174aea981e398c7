// Tries what is fast, and says why it is not there.
#include "Ranks/ChooseCollectives.h"
#include <algorithm>
#include <cstdio>

using namespace tilegpt;
using namespace tilegpt::run;
using cuda::CollectiveLibrary;
using runtime::Result;
using Made = Result<std::unique_ptr<cuda::Collectives>>;

/// The type of the numbers that the model's ranks add up.
static bundle::ElementType summedType(const bundle::Bundle &bundle) {
  const auto kernels = bundle.kernels();
  const auto sums = std::ranges::find(kernels, bundle::Collective::AllReduce,
                                      &bundle::Kernel::collective);
  return sums == kernels.end() ? bundle::ElementType::F32
                               : bundle.parameters(*sums)[0].type;
}

/// Both ways where both work.
/// \param why  the other one does not.
static Made makeBest(const bundle::Bundle &bundle,
                     const std::shared_ptr<cuda::Device> &gpu,
                     runtime::Communicator &ranks, std::string &why) {
  Made peer = cuda::makePeerCollectives(gpu, ranks, bundle);
  Made nccl = cuda::makeNcclCollectives(gpu, ranks);
  if (nccl && peer)
    return cuda::makeMeasuredCollectives(gpu, ranks, summedType(bundle),
                                         std::move(*peer), std::move(*nccl));
  if (!peer)
    why = peer.error().message;
  else
    why = nccl.error().message;
  return peer ? std::move(peer) : std::move(nccl);
}

Made run::chooseCollectives(const Options &options,
                            const bundle::Bundle &bundle,
                            const std::shared_ptr<cuda::Device> &gpu,
                            runtime::Communicator &ranks) {
  switch (options.collectives) {
  case CollectiveLibrary::Nccl:
    return cuda::makeNcclCollectives(gpu, ranks);
  case CollectiveLibrary::Peer:
    return cuda::makePeerCollectives(gpu, ranks, bundle);
  case CollectiveLibrary::Host:
    return cuda::makeHostCollectives(gpu, ranks);
  case CollectiveLibrary::Auto:
    break;
  }
  std::string why;
  Made made = makeBest(bundle, gpu, ranks, why);
  if (made && ranks.rank().number == 0)
    std::fprintf(stderr, "ranks exchange through %s%s%s%s\n",
                 (*made)->describe().c_str(), why.empty() ? "" : " (",
                 why.c_str(), why.empty() ? "" : ")");
  return made;
}
