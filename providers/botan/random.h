/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef PROVIDER_RANDOM_H
#define PROVIDER_RANDOM_H

/* randombytes() as one of Botan's generators, and the kernel's generator for blinding, which
 * changes no result. Botan's own generator opens a device for writing, which the harness forbids. */

#include <botan/rng.h>
#include <stdexcept>
#include <sys/random.h>

extern "C" {
#include "randombytes.h"
}

namespace
{

template <void (*FILL)(uint8_t *, size_t)> class Generator final : public Botan::RandomNumberGenerator
{
  public:
    void randomize(uint8_t out[], size_t length) override
    {
        FILL(out, length);
    }
    bool accepts_input() const override
    {
        return false;
    }
    void add_entropy(const uint8_t[], size_t) override
    {
    }
    std::string name() const override
    {
        return "cyclometer";
    }
    void clear() override
    {
    }
    bool is_seeded() const override
    {
        return true;
    }
};

inline void fill_visible(uint8_t *out, size_t length)
{
    randombytes(out, length);
}

inline void fill_blinding(uint8_t *out, size_t length)
{
    while (length > 0) {
        const ssize_t given = getrandom(out, length, 0);
        if (given <= 0) throw std::runtime_error("no random bytes");
        out += given;
        length -= static_cast<size_t>(given);
    }
}

inline Botan::RandomNumberGenerator &visible()
{
    static Generator<fill_visible> generator;
    return generator;
}

inline Botan::RandomNumberGenerator &blinding()
{
    static Generator<fill_blinding> generator;
    return generator;
}

} // namespace

#endif
