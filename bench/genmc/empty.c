// The time that GenMC needs for any program: to start, and to compile the headers that all include.
#include <pthread.h>
#include <stdatomic.h>

int main(void) { return 0; }
