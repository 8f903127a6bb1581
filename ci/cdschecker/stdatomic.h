/* CDSChecker's header of this name serves both C and C++. */
#ifdef __cplusplus
#include <atomic>
using std::atomic_bool;
using std::atomic_int;
using std::atomic_load_explicit;
using std::atomic_store_explicit;
using std::atomic_thread_fence;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;
#else
#include_next <stdatomic.h>
#endif
