#define UNITS 4
#define SHORT 1
#undef SHORT
namespace upper {
class Forward;
using Number = int;
using Text = std::string;
namespace {
constexpr int rows = 16, columns = 8;
template <typename T, int N = 4>
struct Search {
  T at[N];
};
enum class Axis { Row, Column };
using Names = std::map<std::string, int>;
int lengthOf(const char *text) { return own(text, "static int quoted;"); }
} // namespace
static int half(int n) { return n / 2; }
static double third(double n) { return n / 3; }
static double fifth(double n) { return n / 5; }
struct Range {
  int quarter(int n);
};
static const char *const words[] = {"one", "two"};
int exported() {
  static int calls = 0;
  return ++calls;
}
Search &Search::operator=(Search other) { return *this; }
int Search::size() const { return 1; }
} // namespace upper
