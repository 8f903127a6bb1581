long sum_up_to(long n);

int main() { return sum_up_to(1000) == 500500 ? 0 : 1; }
