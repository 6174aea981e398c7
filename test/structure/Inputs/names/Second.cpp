#define UNITS 8
#define SHORT 2
#undef SHORT
namespace upper {
class Forward;
using Number = int;
using Text = const char *;
inline constexpr int shared = 2;
static constexpr int columns = 4;
namespace detail {
namespace {
template <typename T>
class Search final : Base<T> {
  int half, rows, words;
};
struct Axis;
using Names = int;
std::pair<int, int> lengthOf(Search<int> &search) { return {1, 2}; }
} // namespace
} // namespace detail
[[maybe_unused]] static auto half(double n) -> double { return n / 2; }
static constexpr std::array words = {1, 2};
int Search::size() { return 2; }
int exported(int calls) { return calls; }
} // namespace upper
