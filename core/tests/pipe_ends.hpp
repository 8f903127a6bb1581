// A pipe whose ends can be watched.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

namespace fencepost {

class pipe_ends {
 public:
  pipe_ends() { EXPECT_EQ(::pipe(ends_), 0); }
  ~pipe_ends() {
    close_read();
    close_write();
  }
  pipe_ends(const pipe_ends&) = delete;
  pipe_ends& operator=(const pipe_ends&) = delete;
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void write(char byte = 'x') const { EXPECT_EQ(::write(ends_[1], &byte, 1), 1); }
  char read() const {
    char byte = 0;
    EXPECT_EQ(::read(ends_[0], &byte, 1), 1);
    return byte;
  }
  void close_read() { close(ends_[0]); }
  void close_write() { close(ends_[1]); }

 private:
  static void close(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
  int ends_[2]{-1, -1};
};

}  // namespace fencepost
