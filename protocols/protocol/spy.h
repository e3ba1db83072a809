/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SPY_H
#define SPY_H

/* Parts that do the same and also tell: how long they took, and with which lengths they were called. */

#include <stdint.h>

enum spying {
    SPY_NONE,  /* layers call the parts themselves */
    SPY_TIMED, /* the time of each call is added to account->inside */
    SPY_ONCE,  /* only the way through the spy */
    SPY_TWICE, /* the same, and each call is made twice, one after the other: the difference is what one costs there */
};

/* Sets what layers call. Every call of a part takes `delay` counter units longer. */
void spy_set(enum spying spying, int64_t delay);

/* Starts to note calls instead; spy_stop ends it. */
void spy_note(void);
void spy_stop(void);

struct noted_call {
    const char *function; /* of the structure of a part, such as "cipher.encrypt" */
    uint64_t n, ad_n;
    uint64_t count;
};
const struct noted_call *spy_noted(unsigned *count);

#endif
