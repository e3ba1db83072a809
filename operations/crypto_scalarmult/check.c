/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of crypto_scalarmult: multiplications commute; the base behaves like any
 * other group element; nothing is written outside the buffers. */
#include <string.h>

#include "crypto_scalarmult.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_scalarmult checked_call(crypto_scalarmult)
#define crypto_scalarmult_base checked_call(crypto_scalarmult_base)

#include "check_kept.h"

#define SCALAR crypto_scalarmult_SCALARBYTES
#define ELEMENT crypto_scalarmult_BYTES
#define MIN_CASES 8
#define MAX_CASES 300
#define EXTRA_CASES_SECONDS 1.0

static struct guard scalars, elements, products;

static int multiply(uint8_t *q_out, const uint8_t *n_given, const uint8_t *p_given, enum guard_edge edge)
{
    const uint8_t *n = guarded_copy(&scalars, n_given, SCALAR, GUARD_ANY, edge);
    const uint8_t *p = p_given ? guarded_copy(&elements, p_given, ELEMENT, GUARD_ANY, edge) : NULL;
    uint8_t *q = guard_place(&products, ELEMENT, GUARD_ANY, edge);
    memset(q, 0xa5, ELEMENT);
    const int result = p_given ? crypto_scalarmult(q, n, p) : crypto_scalarmult_base(q, n);
    guard_check(&scalars, "scalar");
    guard_check(&products, "product");
    if (p_given) guard_check(&elements, "element");
    if (memcmp(n, n_given, SCALAR)) harness_fail(INPUT_MODIFIED, "modifies the scalar");
    if (p_given && memcmp(p, p_given, ELEMENT)) harness_fail(INPUT_MODIFIED, "modifies the group element");
    memcpy(q_out, q, ELEMENT);
    return result;
}

static void must_multiply(uint8_t *q, const uint8_t *n, const uint8_t *p, enum guard_edge edge)
{
    if (multiply(q, n, p, edge)) harness_fail(VALID_REJECTED, "rejects a group element that it computed");
}

static void commutes(void)
{
    uint8_t n[SCALAR], k[SCALAR], np[ELEMENT], kp[ELEMENT], knp[ELEMENT], nkp[ELEMENT];
    prng_fill(n, SCALAR);
    prng_fill(k, SCALAR);
    must_multiply(np, n, NULL, GUARD_BACK);
    must_multiply(kp, k, NULL, GUARD_FRONT);
    must_multiply(knp, k, np, GUARD_BACK);
    must_multiply(nkp, n, kp, GUARD_FRONT);
    if (memcmp(knp, nkp, ELEMENT)) harness_fail(WRONG_OUTPUT, "k (n base) is not n (k base)");
    if (!memcmp(np, kp, ELEMENT) && !harness_lenient)
        harness_fail(WRONG_OUTPUT, "two different scalars have the same product");
    harness_digest(np, ELEMENT), harness_digest(knp, ELEMENT);
}

/* Scalars that are reduced or completed, of which all implementations make the same. */
static void special_scalars(void)
{
    uint8_t n[SCALAR], q[ELEMENT];
    for (unsigned i = 0; i < 2; i++) {
        harness_case("scalar of %s", i ? "ff" : "00");
        memset(n, i ? 0xff : 0, SCALAR);
        const uint8_t rejected = multiply(q, n, NULL, GUARD_BACK) != 0;
        harness_digest(&rejected, 1);
        if (!rejected) harness_digest(q, ELEMENT);
    }
}

/* Tries strings that are not group elements: they may be rejected but must not crash. */
static void nonsense(void)
{
    uint8_t n[SCALAR], p[ELEMENT], q[ELEMENT];
    prng_fill(n, SCALAR);
    for (unsigned i = 0; i < 6; i++) {
        harness_case("invalid group element %u", i);
        if (i < 2)
            memset(p, i ? 0xff : 0, ELEMENT);
        else
            prng_fill(p, ELEMENT);
        (void)multiply(q, n, p, GUARD_BACK);
    }
}

static uint8_t scalar[SCALAR], element[ELEMENT], product[ELEMENT];

static void multiply_similar(void)
{
    if (crypto_scalarmult(product, scalar, element)) memset(product, 0, ELEMENT);
}

static void multiply_base(void)
{
    if (crypto_scalarmult_base(product, scalar)) memset(product, 0, ELEMENT);
}

static void fixed_scalar(void)
{
    memset(scalar, 0x5c, SCALAR);
    multiply_base();
    memcpy(element, product, ELEMENT);
}

static void similar_inputs(void)
{
    prng_fill(scalar, SCALAR);
    multiply_base();
    memcpy(element, product, ELEMENT);
    EXPECT_NOTHING_KEPT("scalar", scalar, SCALAR, multiply_similar, product, ELEMENT);
    EXPECT_NOTHING_KEPT("scalar for the base", scalar, SCALAR, multiply_base, product, ELEMENT);
    EXPECT_NOTHING_KEPT("element", element, ELEMENT, multiply_similar, product, ELEMENT);
}

void operation_check(void)
{
    guard_open(&scalars, SCALAR, "scalar");
    guard_open(&elements, ELEMENT, "element");
    guard_open(&products, ELEMENT, "product");
    call_first(fixed_scalar, multiply_similar, product, ELEMENT);
    if (!harness_lenient) special_scalars();
    cpu_budget_start(EXTRA_CASES_SECONDS);
    for (unsigned i = 0; i < MAX_CASES && (i < MIN_CASES || cpu_budget_left()); i++) {
        harness_case("scalars %u", i);
        commutes();
    }
    if (!harness_lenient) nonsense();
    if (!harness_lenient) similar_inputs();
    repeat_first_call(repeat_cycle);
}

int operation_answer(const char *verb)
{
    static const uint8_t zero[ELEMENT];
    uint8_t q[ELEMENT];
    const int base = !strcmp(verb, "base"), weak = !strcmp(verb, "multiply_weak");
    if (!base && !weak && strcmp(verb, "multiply")) return -1;
    const uint8_t *n = request_exactly(SCALAR, "scalar"), *p = base ? NULL : request_exactly(ELEMENT, "point");
    if (!(base ? crypto_scalarmult_base(q, n) : crypto_scalarmult(q, n, p)))
        answer_bytes(q, ELEMENT);
    else if (weak)
        answer_bytes(zero, ELEMENT);
    else
        answer_word("rejected");
    return 0;
}

static uint8_t used_n[SCALAR], used_p[ELEMENT], used_q[ELEMENT];

static void one_base(void)
{
    (void)crypto_scalarmult_base(used_p, used_n);
}

static void one_multiplication(void)
{
    (void)crypto_scalarmult(used_q, used_n, used_p);
}

void operation_info(void)
{
    record_info("element_bytes", ELEMENT);
    record_info("scalar_bytes", SCALAR);
    prng_fill(used_n, SCALAR);
    record_info("base_stack_bytes", stack_bytes(one_base));
    record_info("multiply_stack_bytes", stack_bytes(one_multiplication));
}
