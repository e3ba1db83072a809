# SPDX-License-Identifier: MIT OR Apache-2.0
"""A counter for tests that advances in steps, on any x86 machine.

tree.write("harness/counters/coarse.h", coarse_counter("coarse", step=1000))
"""

from __future__ import annotations


def coarse_counter(name: str, step: int) -> str:
    """Make the file of a counter that rounds the time-stamp counter down to steps of so many ticks."""
    return f"""
    /* SPDX-License-Identifier: MIT OR Apache-2.0 */
    #define COUNTER_NAME "{name}"
    #define COUNTER_UNIT "TSC ticks"
    static int counter_open(const char **why)
    {{
        (void)why;
        return 0;
    }}
    static inline int64_t counter_read(void)
    {{
        int64_t ticks = counter_fence(0) + (int64_t)__builtin_ia32_rdtsc();
        return counter_fence(ticks - ticks % {step});
    }}
    """
