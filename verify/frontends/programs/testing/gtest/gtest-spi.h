#error "fencepost: gtest/gtest-spi.h: a failure is a violation, which ends the execution: it cannot be expected"
