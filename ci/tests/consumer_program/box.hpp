// A number that is put into a box without synchronization.
#pragma once

void put(int n);
int got();
