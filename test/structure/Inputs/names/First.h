namespace upper {
int fifth(int n);
} // namespace upper
