// What the library and the compiler do with the memory of a program, compiled with -std=c++17 -O2.
// One thread does it while another does something else; the first argument names the case.
#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstring>
#include <cwchar>
#include <functional>
#include <iomanip>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <typeinfo>
#include <unordered_map>
#include <vector>

namespace {

std::map<int, int> table{{1, 1}, {2, 2}, {3, 3}};
std::set<int> numbers{1, 2, 3};
std::list<int> items{1, 2};
std::unordered_map<std::string, int> by_name{{"a", 1}};
std::string text = "a";
char bytes[64], other_bytes[64], word[] = "1234";
wchar_t wide[16] = L"1234", other_wide[16];
volatile bool seen;

// Looks up elements, while another thread may change the values of existing ones.
void maps() {
  assert(table.find(1)->second == 1 && table.rbegin()->first == 3 && table.count(9) == 0);
  int sum = 0;
  for (const auto& element : table) sum += element.first;
  assert(sum == 6);
}
void change_elements() {
  table.at(2) = 5;
  items.back() = 5;
}
void insert() { table.emplace(4, 4); }
void erase() { table.erase(2); }
void look_up() { assert(table.find(9) == table.end()); }
void look_up_all() {
  int sum = 0;
  for (const int n : numbers) sum += n;
  assert(sum != 0);
}
void change_set() { numbers.erase(2); }
std::set<int>::const_iterator position = numbers.begin();
void step() { ++position; }
void erase_last() { numbers.erase(3); }
void first_item() { assert(items.front() == 1); }
void all_items() {
  int sum = 0;
  for (const int n : items) sum += n;
  assert(sum != 0);
}
void push() { items.push_back(3); }
void turn_round() { items.reverse(); }
void hash() { assert(by_name.find("a") != by_name.end()); }
void hash_bytes() { seen = std::hash<std::string_view>()({bytes, 64}) == 0; }
void insert_hashed() { by_name["b"] = 1; }
void text_size() { assert(text.size() <= 3); }
void append() { text += "bc"; }
void change_byte() { bytes[17] = 1; }
void fill() { __builtin_memset(bytes, 0, sizeof bytes); }
void compare() { seen = std::memcmp(bytes, other_bytes, 32) == 0; }
void copy() { __builtin_memcpy(other_bytes, bytes, sizeof bytes); }
void set_to_text() { std::strcpy(bytes, "a text of twenty characters"); }
void change_word() { word[3] = 'x'; }
void length() { seen = std::strlen(word) == 0; }
void read_number() { seen = std::stoi(word) == 0; }
void read_by_from_chars() {
  double number = 0;
  seen = std::from_chars(word, word + 4, number).ec != std::errc();
}
void write_by_to_chars() { seen = std::to_chars(word, word + 4, 12.5).ec != std::errc(); }
void change_wide() { wide[3] = L'x'; }
void change_other_wide() { other_wide[3] = L'x'; }
void wide_length() { seen = std::wcslen(wide) == 0; }
void copy_wide() { std::wmemcpy(other_wide, wide, 4); }
void move_wide() { std::wmemmove(wide + 1, wide, 3); }
void fill_wide() { std::wmemset(wide, L'-', 4); }
void compare_wide() { seen = std::wmemcmp(other_wide, wide, 4) == 0; }
void find_wide() { seen = std::wmemchr(wide, L'?', 4) == nullptr; }
void find_wide_before() { seen = std::wmemchr(wide, wide[0], 4) == wide; }
void nothing() {}

struct test {
  std::string_view name;
  void (*body)();
  void (*beside)();
};
constexpr test tests[] = {{"found_while_elements_change", look_up, change_elements},
                          {"all_while_nothing_changes", maps, nothing},
                          {"found_while_one_is_inserted", look_up, insert},
                          {"found_while_one_is_erased", look_up, erase},
                          {"walked_while_one_is_erased", look_up_all, change_set},
                          {"stepped_while_one_is_erased", step, erase_last},
                          {"first_while_elements_change", first_item, change_elements},
                          {"walked_while_one_is_pushed", all_items, push},
                          {"walked_while_it_is_reversed", all_items, turn_round},
                          {"found_while_one_is_hashed", hash, insert_hashed},
                          {"hashed_while_one_changes", hash_bytes, change_byte},
                          {"size_while_it_is_appended_to", text_size, append},
                          {"filled_while_one_changes", fill, change_byte},
                          {"compared_while_one_changes", compare, change_byte},
                          {"copied_while_one_changes", copy, change_byte},
                          {"wide_measured_while_one_changes", wide_length, change_wide},
                          {"wide_copied_while_one_changes", copy_wide, change_wide},
                          {"wide_copied_to_what_changes", copy_wide, change_other_wide},
                          {"wide_moved_while_one_changes", move_wide, change_wide},
                          {"wide_filled_while_one_changes", fill_wide, change_wide},
                          {"wide_compared_while_one_changes", compare_wide, change_wide},
                          {"wide_searched_while_one_changes", find_wide, change_wide},
                          {"wide_found_before_one_that_changes", find_wide_before, change_wide},
                          {"wide_compared_beside_another", wide_length, change_other_wide},
                          {"set_to_text_while_one_changes", set_to_text, change_byte},
                          {"measured_while_one_changes", length, change_word},
                          {"read_as_a_number_while_it_changes", read_number, change_word},
                          {"read_by_from_chars_while_it_changes", read_by_from_chars, change_word},
                          {"written_by_to_chars_while_it_changes", write_by_to_chars, change_word}};

// Optimization inlines much of this.
void print(const char* text) {
  std::cout << text << std::setw(4) << std::setfill('.') << 7 << std::endl;
  std::cerr << std::fixed << std::setprecision(2) << 1.5 << '\n';
  std::clog << std::hex << std::setiosflags(std::ios_base::left) << 12 << std::flush;
}

struct own_category : std::error_category {
  const char* name() const noexcept override { return "own"; }
  std::string message(int) const override { return "own message"; }
};
template <class Exception, class Function>
bool throws(Function function) {
  try {
    function();
  } catch (const Exception& e) {
    return e.what()[0] != 0;
  }
  return false;
}
struct base {
  virtual ~base() = default;
};
struct derived : base {};

// The library's own exceptions, errors and small objects.
void use_errors() {
  base plain;
  base* volatile no_base = nullptr;
  assert(throws<std::bad_function_call>([] { std::function<void()>()(); }));
  assert(throws<std::bad_weak_ptr>([] { std::shared_ptr<int>(std::weak_ptr<int>()); }));
  assert(throws<std::bad_cast>([&] { (void)dynamic_cast<derived&>(plain); }));
  assert(throws<std::bad_typeid>([&] { seen = typeid(*no_base) == typeid(int); }));
  assert(throws<std::range_error>([] { throw std::range_error("range"); }));
  assert(throws<std::overflow_error>([] { throw std::overflow_error("overflow"); }));
  assert(throws<std::underflow_error>([] { throw std::underflow_error("underflow"); }));
  assert(throws<std::domain_error>([] { throw std::domain_error(std::string("domain")); }));
  assert(throws<std::length_error>([] { std::string().reserve(std::string().max_size() + 1); }));
  const own_category category;
  const std::error_code own(3, category), late = std::make_error_code(std::errc::timed_out);
  assert(own && own.message() == "own message" && own.category() == category);
  assert(late.default_error_condition() == std::errc::timed_out && late != own);
  const auto one_more = std::bind([](int n) { return n + 1; }, std::placeholders::_1);
  assert(one_more(2) == 3 && std::nextafter(1.0, 2.0) > 1);
  std::wstring w = L"a wide text that is too long to be kept in place";
  w = w.substr(2, 9) + std::wstring(3, L'!');
  assert(w == L"wide text!!!" && w.compare(L"wide") > 0);
  assert(w.find(L't') == 5 && w.find(L'?') == std::wstring::npos);
}

template <class Number>
void calculate_complex() {
  std::complex<Number> i(0, 1);
  i *= std::complex<Number>(2, 0);
  assert(i * i == Number(-4) && i / i == Number(1) && std::abs(std::sqrt(i * i) - i) < 0.001);
}

// What the compiler calls where the processor has no instruction, and the functions of types other
// than double.
void calculate() {
  calculate_complex<float>();
  calculate_complex<double>();
  calculate_complex<long double>();
  volatile __int128 wide_number = 3;
  volatile double number = 2.5;
  assert(static_cast<double>(wide_number) == 3 && static_cast<__int128>(number) == 2);
  assert(std::tgamma(3.0F) == 2 && std::log1p(0.0L) == 0);
}

// Each function of the library that changes lists and trees does what it is for.
void change_everything() {
  print("all");
  std::map<int, int> tree;
  for (int i = 0; i < 20; ++i) tree.emplace(i * 7 % 20, i);
  for (int i = 0; i < 20; i += 2) tree.erase(i);
  int expected = 1;
  for (const auto& [key, value] : tree) {
    assert(key == expected);
    expected += 2;
  }
  expected = 19;
  for (auto i = tree.rbegin(); i != tree.rend(); ++i, expected -= 2) assert(i->first == expected);
  std::list<int> a{3, 1, 2}, b{5, 4};
  a.sort();
  a.splice(a.end(), b);
  a.reverse();
  a.swap(b);
  b.remove(1);
  const auto is_too_large = [](const char* number) {
    try {
      return std::stoi(number) == 0;
    } catch (const std::out_of_range&) {
      return true;
    }
  };
  std::size_t end = 0;
  std::vector<int> sorted{3, 1, 2, 6, 5, 4};
  std::stable_sort(sorted.begin(), sorted.begin() + 3);
  std::stable_sort(sorted.begin() + 3, sorted.end());
  std::inplace_merge(sorted.begin(), sorted.begin() + 3, sorted.end());
  assert(std::is_sorted(sorted.begin(), sorted.end()));
  char number[16] = {};
  assert(std::to_chars(number, number + 16, 1.25F).ptr == number + 4);
  assert(std::to_chars(number, number + 16, 2.5, std::chars_format::fixed, 3).ptr == number + 5);
  float value = 0;
  assert(std::from_chars(number, number + 5, value).ptr == number + 5 && value == 2.5F);
  assert(std::to_chars(number, number + 2, 12.5).ec == std::errc::value_too_large);
  assert(std::from_chars("x", "x", value).ec == std::errc::invalid_argument && value == 2.5F);
  assert(std::hash<long double>()(0.0L) == std::hash<long double>()(-0.0L));
  assert(std::stol("12x", &end) == 12 && end == 2 && !is_too_large("3"));
  assert(is_too_large("99999999999999999999"));
  assert(a.empty() && (b == std::list<int>{4, 5, 3, 2}));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 9;
  if (std::string_view(argv[1]) == "changes_of_every_kind") {
    change_everything();
    return 0;
  }
  if (std::string_view(argv[1]) == "errors_of_every_kind") {
    use_errors();
    return 0;
  }
  if (std::string_view(argv[1]) == "calculations_of_every_kind") {
    calculate();
    return 0;
  }
  for (const test& t : tests) {
    if (t.name != argv[1]) continue;
    std::thread beside(t.beside);
    t.body();
    beside.join();
    return 0;
  }
  return 8;
}
