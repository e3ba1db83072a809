/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CAUGHT_H
#define CAUGHT_H

/* For C++: what `work` gives, -1 where it throws.  An exception must not pass into C. */

#include <exception>

template <typename Work> static int caught(Work work)
{
    try {
        return work();
    } catch (const std::exception &) {
        return -1;
    }
}

#endif
