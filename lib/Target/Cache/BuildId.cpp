// Reads the notes of the loaded files from memory, where the dynamic linker
// mapped them.
#include "TileGPT/Target/Cache/BuildId.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Alignment.h"
#include "llvm/TargetParser/Host.h"
#include <cstring>
#include <link.h>

using namespace tilegpt;

namespace {
/// The loaded file that contains an address.
struct Search {
  uintptr_t address;
  std::string buildId;
};
} // namespace

/// The description of the note of type NT_GNU_BUILD_ID among `notes`.
static std::string findBuildId(llvm::StringRef notes) {
  ElfW(Nhdr) note;
  while (notes.size() >= sizeof(note)) {
    std::memcpy(&note, notes.data(), sizeof(note));
    notes = notes.drop_front(sizeof(note));
    const llvm::StringRef name = notes.take_front(note.n_namesz);
    notes = notes.drop_front(
        std::min(notes.size(), size_t(llvm::alignTo(note.n_namesz, 4))));
    const llvm::StringRef description = notes.take_front(note.n_descsz);
    notes = notes.drop_front(
        std::min(notes.size(), size_t(llvm::alignTo(note.n_descsz, 4))));
    if (note.n_type == NT_GNU_BUILD_ID && name == llvm::StringRef("GNU\0", 4))
      return llvm::toHex(description, /*LowerCase=*/true);
  }
  return {};
}

static int visitFile(dl_phdr_info *file, size_t, void *data) {
  Search &search = *static_cast<Search *>(data);
  const llvm::ArrayRef headers(file->dlpi_phdr, file->dlpi_phnum);
  const bool covers = llvm::any_of(headers, [&](const ElfW(Phdr) & header) {
    const uintptr_t start = file->dlpi_addr + header.p_vaddr;
    return header.p_type == PT_LOAD && search.address >= start &&
           search.address - start < header.p_memsz;
  });
  if (!covers)
    return 0;
  for (const ElfW(Phdr) &header : headers)
    if (header.p_type == PT_NOTE && search.buildId.empty())
      search.buildId = findBuildId(
          {reinterpret_cast<const char *>(file->dlpi_addr + header.p_vaddr),
           header.p_memsz});
  return 1;
}

static std::string buildIdOfFileWith(uintptr_t address) {
  Search search{address, {}};
  ::dl_iterate_phdr(visitFile, &search);
  return search.buildId;
}

const std::string &target::compilerBuildId() {
  // One function each of TileGPT, MLIR and LLVM; in a static build all three
  // are in one file.
  static const std::string text = []() -> std::string {
    std::string ids;
    for (uintptr_t address :
         {reinterpret_cast<uintptr_t>(&compilerBuildId),
          reinterpret_cast<uintptr_t>(&mlir::verify),
          reinterpret_cast<uintptr_t>(&llvm::sys::getHostCPUName)}) {
      const std::string id = buildIdOfFileWith(address);
      if (id.empty())
        return {};
      ids += id;
    }
    return ids;
  }();
  return text;
}
