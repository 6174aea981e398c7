// Any text is either a chat template or an error; rendering a conversation with
// it gives text or an error.
#include "TileGPT/Runtime/Chat/ChatTemplate.h"

using namespace tilegpt::runtime;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  const auto parsed = ChatTemplate::parse(
      text, "fuzz", {{"bos_token", "<s>"}, {"eos_token", "</s>"}});
  const ChatMessage messages[] = {
      {"system", "Be brief. "}, {"user", " Hi\n"}, {"assistant", "\xc3\xa9"}};
  if (parsed)
    static_cast<void>(parsed->render(messages));
  return 0;
}
