// Functions by which a program tells ThreadSanitizer of its own synchronization, of accesses to
// ignore, and of names. Nothing of this is believed here: they do nothing, and have no parameters,
// since their arguments are in registers.

// NOLINTBEGIN(bugprone-reserved-identifier,cppcoreguidelines-macro-usage,readability-identifier-naming)
extern "C" {

#define FENCEPOST_SAYS_NOTHING(name) \
  void name() noexcept {}
// <sanitizer/tsan_interface.h>
FENCEPOST_SAYS_NOTHING(__tsan_acquire)
FENCEPOST_SAYS_NOTHING(__tsan_release)
FENCEPOST_SAYS_NOTHING(__tsan_mutex_create)
FENCEPOST_SAYS_NOTHING(__tsan_mutex_destroy)
FENCEPOST_SAYS_NOTHING(__tsan_mutex_pre_lock)
FENCEPOST_SAYS_NOTHING(__tsan_mutex_post_lock)
FENCEPOST_SAYS_NOTHING(__tsan_mutex_post_unlock)
FENCEPOST_SAYS_NOTHING(__tsan_mutex_pre_signal)
FENCEPOST_SAYS_NOTHING(__tsan_mutex_post_signal)
FENCEPOST_SAYS_NOTHING(__tsan_mutex_pre_divert)
FENCEPOST_SAYS_NOTHING(__tsan_mutex_post_divert)
int __tsan_mutex_pre_unlock() noexcept { return 0; }
// dynamic_annotations.h
FENCEPOST_SAYS_NOTHING(AnnotateBenignRace)
FENCEPOST_SAYS_NOTHING(AnnotateBenignRaceSized)
FENCEPOST_SAYS_NOTHING(AnnotateCondVarSignal)
FENCEPOST_SAYS_NOTHING(AnnotateCondVarSignalAll)
FENCEPOST_SAYS_NOTHING(AnnotateCondVarWait)
FENCEPOST_SAYS_NOTHING(AnnotateEnableRaceDetection)
FENCEPOST_SAYS_NOTHING(AnnotateExpectRace)
FENCEPOST_SAYS_NOTHING(AnnotateFlushExpectedRaces)
FENCEPOST_SAYS_NOTHING(AnnotateFlushState)
FENCEPOST_SAYS_NOTHING(AnnotateHappensAfter)
FENCEPOST_SAYS_NOTHING(AnnotateHappensBefore)
FENCEPOST_SAYS_NOTHING(AnnotateIgnoreReadsBegin)
FENCEPOST_SAYS_NOTHING(AnnotateIgnoreReadsEnd)
FENCEPOST_SAYS_NOTHING(AnnotateIgnoreSyncBegin)
FENCEPOST_SAYS_NOTHING(AnnotateIgnoreSyncEnd)
FENCEPOST_SAYS_NOTHING(AnnotateIgnoreWritesBegin)
FENCEPOST_SAYS_NOTHING(AnnotateIgnoreWritesEnd)
FENCEPOST_SAYS_NOTHING(AnnotateMutexIsNotPHB)
FENCEPOST_SAYS_NOTHING(AnnotateMutexIsUsedAsCondVar)
FENCEPOST_SAYS_NOTHING(AnnotateNewMemory)
FENCEPOST_SAYS_NOTHING(AnnotateNoOp)
FENCEPOST_SAYS_NOTHING(AnnotatePublishMemoryRange)
FENCEPOST_SAYS_NOTHING(AnnotateRWLockAcquired)
FENCEPOST_SAYS_NOTHING(AnnotateRWLockCreate)
FENCEPOST_SAYS_NOTHING(AnnotateRWLockCreateStatic)
FENCEPOST_SAYS_NOTHING(AnnotateRWLockDestroy)
FENCEPOST_SAYS_NOTHING(AnnotateRWLockReleased)
FENCEPOST_SAYS_NOTHING(AnnotateThreadName)
FENCEPOST_SAYS_NOTHING(AnnotateTraceMemory)
FENCEPOST_SAYS_NOTHING(AnnotateUnpublishMemoryRange)
FENCEPOST_SAYS_NOTHING(WTFAnnotateBenignRaceSized)
FENCEPOST_SAYS_NOTHING(WTFAnnotateHappensAfter)
FENCEPOST_SAYS_NOTHING(WTFAnnotateHappensBefore)
#undef FENCEPOST_SAYS_NOTHING
int RunningOnValgrind() noexcept { return 0; }

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,cppcoreguidelines-macro-usage,readability-identifier-naming)
