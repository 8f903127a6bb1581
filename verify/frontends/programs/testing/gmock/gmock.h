#error "fencepost: GoogleMock is not modelled: use gtest/gtest.h alone"
