/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Instructions that the emulator has executed, counted by plugin.c inside it.
 *
 * The plugin shares a page with the program: an open file with a fixed number,
 * whose first eight bytes are the count, in the byte order of the host, which is little-endian. An
 * instruction costs one, whatever it does: this is no time and no cycles. */
#define COUNTER_NAME "qemu_instructions"
#define COUNTER_UNIT "instructions"
#include <sys/mman.h>
#define COUNTER_FILE 1000 /* as in plugin.c */
__attribute__((weak)) const volatile uint64_t *cyclometer_instruction_count; /* one for all files that read it */
static int counter_open(const char **why)
{
    void *page = mmap(0, 4096, PROT_READ, MAP_SHARED, COUNTER_FILE, 0);

    *why = "no emulator counts instructions here; use qemu-user with plugins";
    if (page == MAP_FAILED) return -1;
    cyclometer_instruction_count = page;
    return 0;
}
/* Never inlined and always aligned alike, so that it costs the same everywhere. */
__attribute__((noinline, aligned(64), unused)) static int64_t instructions_now(void)
{
#if UINTPTR_MAX > UINT32_MAX
    uint64_t count = *cyclometer_instruction_count;
#else
    const volatile uint32_t *half = (const volatile uint32_t *)cyclometer_instruction_count;
    uint32_t low = half[0], high = half[1];
    uint64_t count;

    if (half[0] < low) high = half[1], low = half[0]; /* a carry came between the two */
    count = (uint64_t)high << 32 | low;
#endif
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    count = __builtin_bswap64(count);
#endif
    return (int64_t)count;
}
static inline int64_t counter_read(void)
{
    (void)counter_fence(0);
    return counter_fence(instructions_now());
}
