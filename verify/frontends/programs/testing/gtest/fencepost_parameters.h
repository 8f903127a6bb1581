// The values for TEST_P().
#ifndef FENCEPOST_GTEST_PARAMETERS_H
#define FENCEPOST_GTEST_PARAMETERS_H

#pragma GCC system_header

#include <cstddef>
#include <deque>
#include <initializer_list>
#include <iterator>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

// For functions that no thread of a test observes: they are not part of the execution.
#define FENCEPOST_UNSEEN_ __attribute__((no_sanitize("thread")))

namespace testing {

template <class T>
class WithParamInterface {
 public:
  using ParamType = T;
  virtual ~WithParamInterface() = default;
  FENCEPOST_UNSEEN_ static const T& GetParam() { return *fencepost_parameter(); }
  FENCEPOST_UNSEEN_ static const T*& fencepost_parameter() {
    static const T* parameter = nullptr;
    return parameter;
  }
};

template <class T>
struct TestParamInfo {
  T param;
  std::size_t index;
};

namespace fencepost {

// An address for each type.
template <class T>
inline constexpr char tag = 0;

template <class T>
struct parameter {
  T value;
  std::string name;  // if empty, its number
};
template <class T>
using parameters = std::deque<parameter<T>>;

// An INSTANTIATE_TEST_SUITE_P().
struct instance {
  const char* prefix;
  const void* suite;
  void (*fill)(void* parameters);
};

template <class T, class Generator>
void fill(void* to, const Generator& generator) {
  auto& all = *static_cast<parameters<T>*>(to);
  const std::deque<T> values = generator;
  for (const T& value : values) all.push_back({value, {}});
}

template <class T, class Generator, class Name>
void fill(void* to, const Generator& generator, Name name) {
  auto& all = *static_cast<parameters<T>*>(to);
  const std::deque<T> values = generator;
  for (const T& value : values)
    all.push_back({value, name(TestParamInfo<T>{value, all.size()})});
}

template <class... V>
struct these {
  std::tuple<V...> all;
  template <class T>
  operator std::deque<T>() const {
    return std::apply(
        [](const auto&... one) { return std::deque<T>{static_cast<T>(one)...}; }, all);
  }
};

template <class V>
struct these_in {
  std::deque<V> all;
  template <class T>
  operator std::deque<T>() const {
    return std::deque<T>(all.begin(), all.end());
  }
};

template <class... G>
struct product {
  std::tuple<G...> all;
  template <class... T>
  operator std::deque<std::tuple<T...>>() const {
    std::deque<std::tuple<T...>> to;
    add<std::tuple<T...>>(to);
    return to;
  }

 private:
  template <class T, class... First>
  void add(std::deque<T>& to, const First&... first) const {
    constexpr std::size_t next = sizeof...(First);
    if constexpr (next == sizeof...(G)) {
      to.push_back(T(first...));
    } else {
      const std::deque<std::tuple_element_t<next, T>> values = std::get<next>(all);
      for (const auto& value : values) add(to, first..., value);
    }
  }
};

}  // namespace fencepost

template <class... V>
fencepost::these<V...> Values(V... values) {
  return {std::tuple<V...>(std::move(values)...)};
}

template <class Iterator>
auto ValuesIn(Iterator begin, Iterator end) {
  using value = typename std::iterator_traits<Iterator>::value_type;
  return fencepost::these_in<value>{std::deque<value>(begin, end)};
}
template <class Container>
auto ValuesIn(const Container& all) {
  return ValuesIn(std::begin(all), std::end(all));
}
template <class T>
auto ValuesIn(std::initializer_list<T> all) {
  return ValuesIn(all.begin(), all.end());
}

template <class T, class Step = int>
fencepost::these_in<T> Range(T begin, T end, Step step = 1) {
  fencepost::these_in<T> all;
  for (T value = begin; value < end; value = static_cast<T>(value + step))
    all.all.push_back(value);
  return all;
}

inline fencepost::these<bool, bool> Bool() { return Values(false, true); }

template <class... G>
fencepost::product<G...> Combine(const G&... generators) {
  return {std::tuple<G...>(generators...)};
}

}  // namespace testing

#endif
