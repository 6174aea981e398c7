// Tries the fastest implementations, and reports why one is unavailable.
#include "Ranks/ChooseCollectives.h"
#include <algorithm>
#include <cstdio>
#include <vector>

using namespace tilegpt;
using namespace tilegpt::run;
using cuda::CollectiveLibrary;
using runtime::Result;
using Made = Result<std::unique_ptr<cuda::Collectives>>;

/// The type of the values that the ranks sum in every layer: the narrowest one,
/// since embeddings are summed in f32 regardless of the activation type.
static bundle::ElementType summedType(const bundle::Bundle &bundle) {
  auto type = bundle::ElementType::F32;
  for (const bundle::Kernel &kernel : bundle.kernels())
    if (kernel.collective == bundle::Collective::AllReduce)
      type = std::ranges::min(type, bundle.parameters(kernel)[0].type, {},
                              bundle::byteWidth);
  return type;
}

/// Discards an implementation that does not work on all ranks: all must use the
/// same.
static Made onAll(Made made, runtime::Communicator &ranks) {
  const auto mine = std::byte(made ? 1 : 0);
  std::vector<std::byte> all(size_t(ranks.rank().count));
  if (auto told = ranks.allGather(&mine, all.data(), 1); !told)
    return tl::unexpected(told.error());
  const auto failed = std::ranges::find(all, std::byte(0));
  if (!made || failed == all.end())
    return made;
  return runtime::makeError(runtime::ErrorCode::Device,
                            "ranks: it does not work on rank ",
                            failed - all.begin());
}

/// Both implementations, if both work.
/// \param why  the other one does not.
static Made makeBest(const bundle::Bundle &bundle,
                     const std::shared_ptr<cuda::Device> &gpu,
                     runtime::Communicator &ranks, std::string &why) {
  Made peer = onAll(cuda::makePeerCollectives(gpu, ranks, bundle), ranks);
  Made nccl = onAll(cuda::makeNcclCollectives(gpu, ranks), ranks);
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
