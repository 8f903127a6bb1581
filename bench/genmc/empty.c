// What GenMC takes for any program: to start, and to compile the headers that all of them include.
#include <pthread.h>
#include <stdatomic.h>

int main(void) { return 0; }
