// All audited operations in one source, so that the shared headers are read once.
#include "deques.cpp"
#include "fork_join.cpp"
#include "queues.cpp"
#include "waiting.cpp"
