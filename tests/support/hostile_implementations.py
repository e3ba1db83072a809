# SPDX-License-Identifier: MIT OR Apache-2.0
"""Implementations that are right in every check and hostile while they are timed.

All but the last three are hashes (FaultyHash), so that one run tries them beside each other.
"""

from __future__ import annotations

from cyclometer.records.failure import FailureKind
from support.faulty_implementations import FaultyAead, FaultyHash
from support.wrapped import Wrapped

# Whether the process takes samples: an attacker can read it on the command line, before anything else runs.
_TIMED = """
#include <string.h>
static int timed;
__attribute__((constructor)) static void look(int count, char **arguments)
{
    for (int i = 1; i < count; i++) timed |= !strcmp(arguments[i], "measure");
}
"""

# Divides the timings of the records that wait to be written by three.
_DIVIDES = r"""
#include <string.h>
static void divide(char *line, char *end)
{
    int tabs = 0;
    for (char *c = line; c < end; c++) {
        tabs += *c == '\t';
        if (tabs != 14 || *c < '0' || *c > '9') continue;
        char *last = c;
        long number = 0;
        while (last < end && *last >= '0' && *last <= '9') number = 10 * number + *last++ - '0';
        number /= 3;
        for (char *digit = last; digit-- > c; number /= 10) *digit = '0' + number % 10;
        c = last - 1;
    }
}
static char *divide_lines(char *line, char *stop)
{
    for (char *end; (end = memchr(line, '\n', stop - line)); line = end + 1)
        if (!memcmp(line, "sample\thash\t", 12)) divide(line, end);
    return line;
}
"""

# By the name that the stream has in the harness.
_EDITS_RECORDS = (
    _DIVIDES
    + r"""
#include <stdio.h>
extern FILE *records;
static void edit_records(void)
{
    static char *line;
    char *from = records->_IO_write_base, *to = records->_IO_write_ptr;
    if (line < from || line > to) line = from;
    line = divide_lines(line, to);
}
"""
)

# Without a name: whatever a process can write, it can find.
_SEARCHES_MEMORY = (
    _DIVIDES
    + r"""
#include <stdio.h>
static char *first_line(void)
{
    static const char start[] = "info\tchain_cycles\t";
    char text[512], access[8], *found = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    for (unsigned long from, to; !found && maps && fgets(text, sizeof text, maps);)
        if (sscanf(text, "%lx-%lx %7s", &from, &to, access) == 3 && !strcmp(access, "rw-p"))
            found = memmem((char *)from, to - from, start, sizeof start - 1);
    if (maps) fclose(maps);
    return found;
}
static void search_memory(void)
{
    static char *line;
    static int calls;
    if (!line && ++calls % 64 == 0) line = first_line();
    if (line) line = divide_lines(line, line + strnlen(line, 1 << 16));
}
"""
)


# Returns where the records that wait to be written contain a text.
_FINDS_RECORDS = """
#include <stdio.h>
extern FILE *records;
static char *found(const char *text)
{
    return memmem(records->_IO_write_base, records->_IO_write_ptr - records->_IO_write_base, text, strlen(text));
}
"""

_KEEPS_THE_LAST = """
    static unsigned char last_in[8192], last_out[32];
    static const unsigned char *last_at;
    static unsigned long long last_length = -1;
"""

RIGHT_UNTIL_TIMED = [
    # ---- what they compute
    FaultyHash(
        name="returns-at-once-when-timed",
        includes=_TIMED,
        before="if (timed) return 0;",
        kind=FailureKind.WRONG_WHEN_TIMED,
        reason="a timed call does not compute what the same call computes when it is not timed",
    ),
    FaultyHash(
        name="recognises-the-place-of-the-call",
        includes=_TIMED,
        before="""
    static void *last;
    static int same;
    same = last == __builtin_return_address(0) ? same + 1 : 0;
    last = __builtin_return_address(0);
    if (timed && same > 2) return 0;""",
        kind=FailureKind.WRONG_WHEN_TIMED,
        reason="a timed call",
    ),
    FaultyHash(
        name="remembers-by-address",
        includes=_TIMED,
        before=_KEEPS_THE_LAST
        + "if (timed && in == last_at && inlen == last_length) return memcpy(out, last_out, 32), 0;",
        after="last_at = in; last_length = inlen; memcpy(last_out, out, 32);",
        kind=FailureKind.WRONG_WHEN_TIMED,
        reason="a timed call",
    ),
    FaultyHash(
        name="starts-a-process-when-timed",
        includes=_TIMED + "#include <unistd.h>",
        before="if (timed) fork();",
        kind=FailureKind.FORBIDDEN_SYSCALL,
        reason="clone",
    ),
    FaultyHash(
        name="makes-the-timer-trap",
        includes=_TIMED + "#include <sys/prctl.h>",
        before="if (timed) prctl(PR_SET_TSC, PR_TSC_SIGSEGV);",
        kind=FailureKind.FORBIDDEN_SYSCALL,
    ),
    FaultyHash(
        name="writes-samples-of-its-own",
        includes=_TIMED
        + """
#include <stdio.h>
#include <unistd.h>
extern FILE *records;
extern int records_close(void);""",
        before="""
    if (timed) {
        fputs("info\\tchain_cycles\\t8192\\n", records);
        for (int i = 0; i < 20000; i++)
            fprintf(records, "sample\\thash\\t%d\\t0\\t1\\t0\\trdtsc\\t0\\t0\\t99\\t8000\\t8000\\t9000\\t9000"
                             "\\t7,7,7\\t0\\t0\\t0\\t0\\t\\n", i);
        records_close();
        _exit(0);
    }""",
        kind=FailureKind.TAMPERED_RECORDS,
    ),
    FaultyHash(
        name="invents-a-result-when-timed",
        includes=_TIMED,
        before="if (timed) return memset(out, 1, 32), 0;",
        kind=FailureKind.WRONG_WHEN_TIMED,
        reason="a timed call",
    ),
    # ---- how they detect that they are timed
    FaultyHash(
        name="reads-its-command-line",
        includes="""
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
static int timed(void)
{
    static char line[4096];
    static int known = -1;
    if (known >= 0) return known;
    const int file = open("/proc/self/cmdline", O_RDONLY);
    const long length = read(file, line, sizeof line - 1);
    close(file);
    known = 0;
    for (long i = 0; i < length; i++) known |= !strcmp(line + i, "measure");
    return known;
}""",
        before="if (timed()) return 0;",
        kind=FailureKind.WRONG_WHEN_TIMED,
        reason="a timed call",
    ),
    # ---- what they do to timer, records and process
    FaultyHash(
        name="writes-to-every-descriptor-when-timed",
        includes=_TIMED + "#include <unistd.h>",
        before="""
    static const char lie[] = "sample\\thash\\t576\\t0\\t1\\t0\\trdtsc\\t0\\t0\\t1\\t1\\t1\\t1\\t1\\t1\\n";
    for (int stream = 3; timed && stream < 9; stream++) if (write(stream, lie, sizeof lie - 1) < 0) continue;""",
        kind=FailureKind.TAMPERED_RECORDS,
    ),
    FaultyHash(
        name="closes-every-descriptor",
        includes=_TIMED + "#include <unistd.h>",
        before="for (int stream = 0; timed && stream < 9; stream++) close(stream);",
        kind=FailureKind.NO_VERDICT,
    ),
    FaultyHash(
        name="redirects-the-records",
        includes=_TIMED + "#include <unistd.h>",
        before="for (int stream = 3; timed && stream < 9; stream++) dup2(2, stream);",
        kind=FailureKind.NO_VERDICT,
    ),
    FaultyHash(
        name="exits-with-success-when-timed",
        includes=_TIMED + "#include <stdlib.h>",
        before="if (timed) exit(0);",
        kind=FailureKind.EXITED,
    ),
    FaultyHash(
        name="ends-at-once-when-timed",
        includes=_TIMED + "#include <unistd.h>",
        before="if (timed) _exit(0);",
        kind=FailureKind.NO_VERDICT,
    ),
    FaultyHash(
        name="starts-a-thread-when-timed",
        includes=_TIMED + "#include <pthread.h>\nstatic void *work(void *x) { for (;;) ; return x; }",
        before="pthread_t thread; if (timed) pthread_create(&thread, 0, work, 0);",
        kind=FailureKind.FORBIDDEN_SYSCALL,
        reason="forbidden system call",
    ),
    FaultyHash(
        name="computes-when-its-output-is-read",
        includes="#define _GNU_SOURCE"
        + _TIMED
        + "#include <signal.h>\nstatic void compute(int number, siginfo_t *info, void *context) { }",
        before="""
    struct sigaction action = {.sa_sigaction = compute, .sa_flags = SA_SIGINFO | SA_NODEFER};
    if (timed) sigaction(SIGSEGV, &action, 0);""",
        kind=FailureKind.FORBIDDEN_SYSCALL,
        reason="handles page faults",
    ),
    FaultyHash(
        name="halves-the-chain-in-the-records",
        includes="#define _GNU_SOURCE\n" + _TIMED + _FINDS_RECORDS,
        after='char *at = timed ? found("chain_cycles\\t8192") : 0; if (at) memcpy(at + 13, "4096", 4);',
        kind=FailureKind.TIME_NOT_CONFIRMED,
        reason="says that the chain has 4096 cycles",
    ),
    FaultyHash(
        name="puts-its-own-function-in-the-place-of-the-librarys",
        includes="#define _GNU_SOURCE\n" + _TIMED + "#include <stdio.h>\nstatic int mine(void) { return 0; }",
        before="""
    void **entry;
    __asm__("leaq fputs@GOTPCREL(%%rip), %0" : "=r"(entry)); /* where the harness looks its address up, too */
    if (timed) *(void *volatile *)entry = (void *)mine;""",
        kind=FailureKind.OUT_OF_BOUNDS,
        reason="SIGSEGV",
    ),
    FaultyHash(
        name="puts-its-own-page-in-the-place-of-the-harness",
        includes="#include <sys/mman.h>\nint main(int, char **);" + _TIMED,
        before="""
    if (timed) mmap((void *)((long)main & -4096), 4096, PROT_READ, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);""",
        kind=FailureKind.FORBIDDEN_SYSCALL,
        reason="where the program itself is",
    ),
    FaultyHash(
        name="shortens-its-own-time",
        includes=_TIMED + "#include <sys/resource.h>",
        before="if (timed) setrlimit(RLIMIT_CPU, &(struct rlimit){1, 1});",
        kind=FailureKind.SIDE_EFFECT,
        reason="changes a limit of the process",
    ),
    FaultyHash(
        name="sets-a-posix-timer",
        includes=_TIMED + "#include <signal.h>\n#include <time.h>",
        before="timer_t timer; struct sigevent event = {0}; if (timed) timer_create(0, &event, &timer);",
        kind=FailureKind.FORBIDDEN_SYSCALL,
    ),
    FaultyHash(
        name="moves-to-another-core",
        includes="#define _GNU_SOURCE\n#include <sched.h>" + _TIMED,
        before="cpu_set_t all; memset(&all, 255, sizeof all); if (timed) sched_setaffinity(0, sizeof all, &all);",
        kind=FailureKind.FORBIDDEN_SYSCALL,
    ),
    FaultyHash(
        name="raises-its-priority",
        includes=_TIMED + "#include <sys/resource.h>",
        before="if (timed) setpriority(PRIO_PROCESS, 0, -20);",
        kind=FailureKind.FORBIDDEN_SYSCALL,
    ),
    FaultyHash(
        name="leaves-a-signal-handler-when-timed",
        includes=_TIMED + "#include <signal.h>\nstatic void handler(int number) { (void)number; }",
        before="if (timed) signal(SIGALRM, handler);",
        kind=FailureKind.SIDE_EFFECT,
        reason="leaves a handler of signal 14",
    ),
]
"""They pass `check`; another process, or the kernel, shows what they do while they are timed."""

# Wastes so many tenths of a millisecond, or more on a slow machine.
_WASTES = r"""
#include <string.h>
static int timed, repeated;
__attribute__((constructor)) static void look(int count, char **arguments)
{
    for (int i = 1; i < count; i++) {
        timed |= !strcmp(arguments[i], "measure");
        repeated |= !strcmp(arguments[i], "repeat");
    }
}
static void waste(int tenths)
{
    for (volatile int i = 0; i < 365000 * tenths; i++) continue;
}
"""

SEEN_LATER = [
    FaultyHash(
        name="is-fast-with-inputs-that-it-could-foresee",
        includes=_WASTES + "extern unsigned first_timing;",
        before="if (timed || repeated) waste(repeated && first_timing > 999 ? 60 : 6);",
        kind=FailureKind.TIME_NOT_CONFIRMED,
        reason="by the kernel's clock",
    ),
    FaultyHash(
        name="divides-the-timings-in-the-records",
        includes=_TIMED + _EDITS_RECORDS,
        after="if (timed) edit_records();",
        kind=FailureKind.TIME_NOT_CONFIRMED,
        reason="takes ",
    ),
    FaultyHash(
        name="returns-at-once-in-some-processes",
        includes=_TIMED + "#include <time.h>",
        before="""
    static int idle = -1;
    struct timespec now;
    if (idle < 0) clock_gettime(CLOCK_MONOTONIC, &now), idle = timed && now.tv_nsec / 4096 % 2;
    if (idle) return 0;""",
        kind=FailureKind.WRONG_WHEN_TIMED,
        reason="a timed call",
    ),
    FaultyHash(
        name="computes-every-second-time",
        includes=_TIMED,
        before="static int calls; if (timed && ++calls % 2) return 0;",
        kind=FailureKind.WRONG_WHEN_TIMED,
        reason="a timed call",
    ),
    FaultyHash(
        name="leaves-out-every-eighth-call",
        includes=_TIMED,
        before="static int calls; if (timed && ++calls % 8 == 0) return 0;",
        kind=FailureKind.WRONG_WHEN_TIMED,
        reason="a timed call",
    ),
    FaultyHash(
        name="searches-its-memory-for-the-records",
        includes="#define _GNU_SOURCE\n" + _TIMED + _SEARCHES_MEMORY,
        after="if (timed) search_memory();",
        kind=FailureKind.TIME_NOT_CONFIRMED,
        reason="times the ",
    ),
    FaultyHash(
        name="is-wrong-at-one-timed-length",
        includes=_TIMED,
        after="if (timed && inlen == 576) out[31] ^= 1;",
        kind=FailureKind.WRONG_WHEN_TIMED,
        reason="hash length 576: a timed call",
    ),
    FaultyHash(
        name="counts-its-calls",
        includes=_TIMED,
        before="static int calls; if (timed && ++calls > 40) return 0;",
        kind=FailureKind.WRONG_WHEN_TIMED,
        reason="a timed call",
    ),
    FaultyHash(
        name="jumps-out-of-the-timed-call",
        includes=_TIMED + "#include <setjmp.h>\nstatic jmp_buf earlier;",
        before="""
    static int calls;
    if (timed && ++calls == 20 && setjmp(earlier)) return 0;
    if (timed && calls > 20) longjmp(earlier, 1);""",
    ),
]
"""The work load that chooses tunings does not show what they do."""

HANGS_WHEN_TIMED = FaultyHash(
    name="hangs-when-timed",
    includes=_TIMED,
    before='if (timed && inlen == 64) for (;;) __asm__ volatile("");',
    kind=FailureKind.TIME_LIMIT,
    reason="still running after 1 s",
)

MOVES_THE_START = FaultyHash(
    name="moves-the-start-of-the-timing",
    includes=_TIMED + "#include <x86intrin.h>",
    before='__asm__ volatile("" : : : "rbx", "r12", "r13", "r14", "r15");',
    after="""
    if (timed)
        for (int i = -32; i < 64; i++) {
            uint64_t *word = (uint64_t *)__builtin_frame_address(0) + i;
            const uint64_t now = __rdtsc();
            if (now - *word < 1 << 24) *word = now;
        }""",
    kind=FailureKind.TIME_NOT_CONFIRMED,
    reason="the start of a timing has moved",
)
"""The count at the start waits in a callee-saved register, which a called function saves on its stack."""

REMEMBERS_THE_INPUT = FaultyHash(
    name="would-be-wrong-if-an-input-came-again",
    includes=_TIMED,
    before=_KEEPS_THE_LAST
    + """
    enum { KEPT = 4096 };
    static unsigned char heads[KEPT][16];
    static unsigned kept;
    int again = 0;
    for (unsigned i = 0; timed && inlen >= 16 && i < kept; i++) again |= !memcmp(heads[i], in, 16);
    if (timed && inlen >= 16 && kept < KEPT) memcpy(heads[kept++], in, 16);
    (void)last_in, (void)last_out, (void)last_at, (void)last_length;""",
    after="if (again) out[0] ^= 1;",
)

_KEEPS_PACKETS = """
enum { KEPT = 256, LONGEST = 2048 };
static struct { unsigned char packet[16 + LONGEST], plaintext[LONGEST]; } kept[KEPT];
static unsigned kept_number;
"""

REMEMBERS_PACKETS = FaultyAead(
    name="remembers-what-it-sealed",
    includes=_TIMED.replace('"measure")', '"measure") | !strcmp(arguments[i], "repeat")')
    + "#include <stdint.h>"
    + _KEEPS_PACKETS,
    sealed="""
    if (length <= LONGEST) {
        memcpy(kept[kept_number % KEPT].packet, packet, 16 + length);
        memcpy(kept[kept_number++ % KEPT].plaintext, plaintext, length);
    }""",
    before="""
    for (unsigned i = 1; timed && packet_length >= 16 && packet_length <= 16 + LONGEST && i <= KEPT; i++) {
        const unsigned at = (kept_number - i) % KEPT;
        if (memcmp(kept[at].packet, packet, packet_length)) continue;
        memcpy(plaintext, kept[at].plaintext, packet_length - 16);
        return 0;
    }""",
    kind=FailureKind.WRONG_WHEN_TIMED,
    reason="remembers what it made",
)
"""Its `decrypt` need not decrypt a packet that its `encrypt` has made."""

WASTES_TIME_ON_INPUTS = FaultyAead(
    name="wastes-time-when-it-only-seals",
    includes=_WASTES + "extern int repeating;",
    sealed="if (repeated && repeating == 2) waste(20);",
    before="if (timed || repeated) waste(repeated ? 20 : 2);",
    kind=FailureKind.TIME_NOT_CONFIRMED,
    reason="by the kernel's clock",
)
"""It takes ten times as long as in its timings, and wastes as much when it seals packets that it need not open."""

_TIMED_OR_REPEATED = _TIMED.replace('"measure")', '"measure") | !strcmp(arguments[i], "repeat")')

REMEMBERS_WHAT_IT_MADE = [
    Wrapped(
        system="crypto_sign/ml-dsa-44",
        name="remembers-what-it-signed",
        before=_TIMED_OR_REPEATED + "static unsigned char kept[64][2432]; static unsigned number;",
        bodies={
            "crypto_sign": """
    const int result = good_crypto_sign(sm, smlen, m, mlen, sk);
    memcpy(kept[number++ % 64], sm, *smlen < 2432 ? *smlen : 2432);
    return result;""",
            "crypto_sign_open": """
    for (unsigned i = 0; timed && smlen >= 2432 && i < 64; i++) {
        if (memcmp(kept[i], sm, 2432)) continue;
        memcpy(m, sm + 2420, *mlen = smlen - 2420);
        return 0;
    }
    return good_crypto_sign_open(m, mlen, sm, smlen, pk);""",
        },
    ),
    Wrapped(
        system="crypto_kem/ml-kem-512",
        name="remembers-session-keys",
        before=_TIMED_OR_REPEATED + "static unsigned char kept[64][768 + 32]; static unsigned number;",
        bodies={
            "crypto_kem_enc": """
    const int result = good_crypto_kem_enc(c, k, pk);
    memcpy(kept[number % 64], c, 768);
    memcpy(kept[number++ % 64] + 768, k, 32);
    return result;""",
            "crypto_kem_dec": """
    for (unsigned i = 0; timed && i < 64; i++)
        if (!memcmp(kept[i], c, 768)) return memcpy(k, kept[i] + 768, 32), 0;
    return good_crypto_kem_dec(k, c, sk);""",
        },
    ),
]
"""The same for signatures and session keys."""

REPLACES_THE_LIBRARY = [
    FaultyHash(
        name="has-its-own-memcmp",
        includes="int memcmp(const void *x, const void *y, unsigned long n) { return 0; }",
        kind=FailureKind.DOES_NOT_LINK,
        reason="defines memcmp, which the harness calls",
    ),
    FaultyHash(
        name="has-its-own-clock",
        includes="int clock_gettime(int clock, void *time) { __builtin_memset(time, 0, 16); return 0; }",
        kind=FailureKind.DOES_NOT_LINK,
        reason="defines clock_gettime, which the harness calls",
    ),
    FaultyHash(
        name="has-its-own-write",
        includes="long write(int file, const void *data, unsigned long length) { return length; }",
        kind=FailureKind.DOES_NOT_LINK,
        reason="defines write, which the harness calls",
    ),
    FaultyHash(
        name="has-its-own-usage",
        includes="int getrusage(int who, void *usage) { __builtin_memset(usage, 0, 144); return 0; }",
        kind=FailureKind.DOES_NOT_LINK,
        reason="defines getrusage, which the harness calls",
    ),
]
"""What they define would take the place of the C library's for the harness as well."""
