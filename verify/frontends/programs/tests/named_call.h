// A program that calls the function that its first argument names. With a second argument, another
// thread does at the same time what may race with the call.
#pragma once

#include <pthread.h>
#include <stddef.h>
#include <string.h>

struct named_call {
  const char* name;
  void (*body)(void);
  void (*beside)(void);
};
#define NAMED(body, beside) \
  { #body "/" #beside, body, beside }

static void* run_beside(void* call) {
  ((const struct named_call*)call)->beside();
  return NULL;
}

// Returns the exit status.
static int run_named(const struct named_call* all, size_t count, int argc, char** argv) {
  if (argc < 2) return 9;
  for (size_t i = 0; i < count; ++i) {
    if (strcmp(all[i].name, argv[1]) != 0) continue;
    pthread_t thread;
    if (argc > 2) pthread_create(&thread, NULL, run_beside, (void*)&all[i]);
    all[i].body();
    return argc > 2 ? pthread_join(thread, NULL) : 0;
  }
  return 8;
}
