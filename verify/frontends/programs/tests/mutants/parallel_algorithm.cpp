// A race that is only found if the policy is refused.
#include <algorithm>
#include <execution>

int main() {
  int sum = 0, all[3] = {};
  std::for_each(std::execution::par, all, all + 3, [&](int n) { sum += n; });
}
