func.func @empty() { return }
