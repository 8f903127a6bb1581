// A number that is put into a box, without any order.
#pragma once

void put(int n);
int got();
