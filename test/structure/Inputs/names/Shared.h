namespace upper {
class Range;
using Text = std::string;
int third(int n);
inline int quarter(int n) { return n / 4; }
} // namespace upper
