// All that the audit looks at, in one: the headers that they share are read once.
#include "deques.cpp"
#include "fork_join.cpp"
#include "queues.cpp"
#include "waiting.cpp"
