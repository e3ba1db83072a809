# SPDX-License-Identifier: MIT OR Apache-2.0
"""An operation whose functions have a placement that is known by construction.

Each function turns the first bytes of a message into eight bytes and costs what its name says:

    straight-line-N  N KiB of code without a branch, executed once
    look-ups-N       1024 look-ups, each at the place that the last one found, in a table of N KiB
    additions        a loop of 20,000 additions in registers
    loads            loads of 64 bytes, over and over the message, as aligned as the message is
"""

from __future__ import annotations

import random

from support.small_tree import SmallTree

OPERATION, MEASURE_NAME, LENGTH = "crypto_known", "turn", 8192

DECLARATION = f"""
    # SPDX-License-Identifier: MIT OR Apache-2.0
    title = "Functions whose placement is known"

    [sizes]

    [choose]
    grid = ["{MEASURE_NAME} length={LENGTH}"]

    [profiles.quick]
    rounds = 3
    grid = ["{MEASURE_NAME} length={LENGTH}"]

    [[view]]
    name = "length"
    title = "{{unit}} to {{measure}} a message"
    measures = ["{MEASURE_NAME}"]
    columns = "length"
"""

HEADER = """
    /* SPDX-License-Identifier: MIT OR Apache-2.0 */
    #ifndef CRYPTO_KNOWN_H
    #define CRYPTO_KNOWN_H
    #include <stdint.h>
    #include <string.h>
    /* out[0..7] = M(message); a message has at least 64 bytes, and a multiple of that */
    void crypto_known(uint8_t *out, const uint8_t *message, uint64_t length);
    #endif
"""

CHECK = f"""
    /* SPDX-License-Identifier: MIT OR Apache-2.0 */
    #include "crypto_known.h"
    #include "harness.h"

    void operation_info(void)
    {{
    }}

    void operation_check(void)
    {{
        uint8_t out[8];
        struct guard message;
        guard_open(&message, {LENGTH}, "message");
        harness_case("length {LENGTH}");
        uint8_t *bytes = guard_place(&message, {LENGTH}, GUARD_ANY, GUARD_BACK);
        prng_fill(bytes, {LENGTH});
        crypto_known(out, bytes, {LENGTH});
        guard_check(&message, "message");
        harness_digest(out, sizeof out);
    }}

    int operation_answer(const char *verb)
    {{
        (void)verb;
        return -1;
    }}
"""

MEASURE = """
    /* SPDX-License-Identifier: MIT OR Apache-2.0 */
    #include "crypto_known.h"
    #include "timing.h"

    int operation_measure(struct sample *sample)
    {
        static uint8_t *room, out[8];
        if (strcmp(sample->measure, "turn")) return -1;
        if (!room) room = allocate((size_t)max_length() + 64, 0);
        uint8_t *message = room + sample->alignment;
        prng_fill(message, sample->length);
        placed(PLACED_INPUT, message, (size_t)sample->length);
        placed(PLACED_OUTPUT, out, sizeof out);
        TIME_CHECKED(sample, freshen(message, sample->length), crypto_known(out, message, sample->length),
                     timed_output(out, sizeof out));
        return 0;
    }
"""

_FUNCTION = """
/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "crypto_known.h"
{before}
void crypto_known(uint8_t *out, const uint8_t *message, uint64_t length)
{{
    uint64_t x;
    (void)length;
    memcpy(&x, message, sizeof x);
    {body}
    memcpy(out, &x, sizeof x);
}}
"""

_ADD = """
#if defined(__x86_64__)
#define ADD "add $1, %0\\n"
#else
#define ADD "add %0, %0, #1\\n"
#endif
"""

_LOADS = """
__attribute__((target("{target}"))) static uint64_t sum(const uint8_t *message, uint64_t length)
{{
    uint64_t total = 0;
    for (int turn = 0; turn < 8; turn++)
        for (uint64_t i = 0; i + 1024 <= length; i += 1024)
            __asm__ volatile(
                ".set at, 0\\n.rept 16\\n{load}.set at, at + 64\\n.endr\\n"
                : : "r"(message + i) : "xmm0", "xmm1", "memory");
    memcpy(&total, message, sizeof total);
    __asm__ volatile("vzeroupper");
    return total;
}}
"""

LOAD_INSTRUCTIONS = {
    "avx512f": "vmovdqu64 at(%0), %%zmm0\\n",
    "avx2": "vmovdqu at(%0), %%ymm0\\nvmovdqu at+32(%0), %%ymm1\\n",
}
"""How 64 bytes are loaded, by the CPU feature that it needs; the widest first."""


def straight_line(kib: int) -> str:
    """Return the source of N KiB of additions: four bytes each, on x86-64 and aarch64."""
    return _FUNCTION.format(before=_ADD, body=f'__asm__ volatile(".rept {kib * 256}\\n" ADD ".endr\\n" : "+r"(x));')


def look_ups(kib: int) -> str:
    """Return the source of look-ups along one random cycle through a table of four-byte entries."""
    order = list(range(kib * 256))
    random.Random(kib).shuffle(order)
    table = dict(zip(order, [*order[1:], order[0]], strict=True))
    entries = ", ".join(str(table[index]) for index in range(len(table)))
    return _FUNCTION.format(
        before=f"static const uint32_t table[{kib * 256}] = {{{entries}}};",
        body=f"x %= {kib * 256}; for (int i = 0; i < 1024; i++) x = table[x];",
    )


def additions() -> str:
    """Return the source of a short loop."""
    loop = 'for (int i = 0; i < 20000; i++) __asm__ volatile(ADD : "+r"(x));'
    return _FUNCTION.format(before=_ADD, body=loop)


def loads(feature: str) -> str:
    """Return the source of loads of 64 bytes with the instructions of a CPU feature."""
    before = _LOADS.format(target=feature, load=LOAD_INSTRUCTIONS[feature])
    return _FUNCTION.format(before=before, body="x = sum(message, length);")


def write_operation(tree: SmallTree, sources: dict[str, str]) -> None:
    """Add the operation with a system for each source."""
    files = {"operation.toml": DECLARATION, "crypto_known.h": HEADER, "check.c": CHECK, "measure.c": MEASURE}
    for name, text in files.items():
        tree.write(f"operations/{OPERATION}/{name}", text)
    for system, source in sources.items():
        folder = f"primitives/{OPERATION}/{system}"
        tree.write(f"{folder}/primitive.toml", f'description = "{system}"\n')
        tree.write(f"{folder}/ref/known.c", source)
