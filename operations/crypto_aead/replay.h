/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Part of measure.c: packets timed between others of a workload's mix, so that
 * caches and branch predictors hold what the mix leaves there.
 *
 * For each series a deck of packets is drawn from the mix, with their keys in the
 * order of the mix, and received ones are encrypted. Between two timings some of
 * them are processed, untimed, in that order; then the timed packet comes, under a
 * key of its own. So every packet of the mix is timed equally well, however rare. */

#define DECK 32             /* packets */
#define DECK_BYTES 16777216 /* of long packets there are fewer */
#define BETWEEN 8           /* packets between two timings, on average */

struct card {
    const struct mix_packet *packet;
    uint64_t key;
    uint8_t *nonce;
    uint8_t *bytes; /* as received, NULL if it is to be encrypted */
};

static struct {
    struct card cards[DECK];
    uint8_t *bytes[DECK];
    unsigned count, next;
    uint64_t last_key;
} deck;

static uint64_t packet_bytes(uint64_t length)
{
    return crypto_aead_PADDEDBYTES(length) + crypto_aead_TAGBYTES;
}

static void deck_open(void)
{
    const uint64_t each = packet_bytes(max_length()) + 1;
    deck.count = DECK;
    while (deck.count > 2 && deck.count * each > DECK_BYTES) deck.count /= 2;
    uint8_t *nonces = allocate(DECK * (crypto_aead_NONCEBYTES + 1), 448);
    for (unsigned i = 0; i < deck.count; i++) {
        deck.bytes[i] = allocate((size_t)each, 0);
        deck.cards[i].nonce = nonces + i * (crypto_aead_NONCEBYTES + 1);
    }
}

static uint64_t draw_key(uint64_t keys)
{
    if (!mix_continues()) deck.last_key = mix_next_key(deck.last_key, keys);
    return deck.last_key;
}

static void encrypt_as(const struct mix_packet *packet, unsigned alignment, uint64_t key)
{
    next_nonce();
    if (crypto_aead_encrypt(m.packet + alignment, m.plaintext + alignment, packet->length, m.ad, packet->ad_length,
                            m.nonce, pool_key(key)))
        harness_fail(VALID_REJECTED, "encrypt rejects valid input");
}

static void draw_card(struct card *card, uint8_t *bytes, const struct sample *s)
{
    card->packet = mix_draw();
    card->key = draw_key(s->keys);
    card->bytes = NULL;
    if (!strcmp(card->packet->measure, "encrypt")) return;
    encrypt_as(card->packet, s->alignment, card->key);
    memcpy(card->nonce, m.nonce, crypto_aead_NONCEBYTES);
    card->bytes = bytes;
    memcpy(bytes, m.packet + s->alignment, (size_t)packet_bytes(card->packet->length));
    if (!strcmp(card->packet->measure, "reject")) bytes[0] ^= 1;
}

static void play_card(const struct card *card, unsigned alignment)
{
    const struct mix_packet *packet = card->packet;
    if (!card->bytes) {
        encrypt_as(packet, alignment, card->key);
        return;
    }
    const uint64_t length = packet_bytes(packet->length);
    memcpy(m.packet + alignment, card->bytes, (size_t)length);
    (void)crypto_aead_decrypt(m.opened + alignment, m.packet + alignment, length, m.ad, packet->ad_length, card->nonce,
                              pool_key(card->key));
}

/* Processes some packets of the mix; the last one is under the key of the packet to come if a burst goes on. */
static void play_some(const struct sample *s, uint64_t key)
{
    for (uint64_t left = 1 + prng_word() % (2 * BETWEEN - 1); left > 0; left--)
        play_card(&deck.cards[deck.next++ % deck.count], s->alignment);
    if (mix_continues()) encrypt_as(deck.cards[deck.next % deck.count].packet, s->alignment, key);
}

static void deck_draw(const struct sample *s)
{
    if (!deck.count) deck_open();
    deck.last_key = 0;
    for (unsigned i = 0; i < deck.count; i++) draw_card(&deck.cards[i], deck.bytes[i], s);
}

/* Opens what a timed call has encrypted: no other process meets the same packets in the same order. */
static void open_packet(const struct sample *s, const crypto_aead_key *key)
{
    close_again(s);
    opened(s,
           crypto_aead_decrypt(m.opened + s->output_alignment, m.packet + s->alignment, packet_bytes(s->length), m.ad,
                               s->ad_length, m.nonce, key),
           0);
    timed_nothing();
}

static void replay_encrypt(struct sample *s)
{
    const uint8_t *in = m.plaintext + s->alignment;
    uint8_t *out = m.packet + s->alignment;
    const crypto_aead_key *key = m.pool;
    const uint8_t *const nonce = m.nonce;
    deck_draw(s);
    pool_touch(s->keys);
    TIME_CHECKED(s,
                 (deck.last_key = mix_next_key(deck.last_key, s->keys), key = pool_key(deck.last_key),
                  play_some(s, deck.last_key), next_nonce()),
                 crypto_aead_encrypt(out, in, s->length, m.ad, s->ad_length, nonce, key),
                 if (timing_is_audited()) open_packet(s, key));
}

/* Makes one of the packets that a series decrypts, under its own key. */
static void seal_under_next_key(const struct sample *s, uint64_t length, uint8_t damage)
{
    const unsigned i = m.packets.count;
    deck.last_key = mix_next_key(deck.last_key, s->keys);
    m.packet_key[i] = deck.last_key;
    seal(s, pool_key(m.packet_key[i]), damage);
    memcpy(packet_nonce(i), m.nonce, crypto_aead_NONCEBYTES);
    inputs_keep(&m.packets, m.packet + s->alignment, length);
}

static void replay_decrypt(struct sample *s, uint8_t damage)
{
    uint8_t *packet = m.packet + s->alignment, *out = m.opened + s->output_alignment;
    const uint64_t length = packet_bytes(s->length);
    const crypto_aead_key *key = m.pool;
    const uint8_t *nonce = m.nonce;
    int verdict = 0;
    unsigned i;
    deck_draw(s);
    if (damage) series_with_decoy(s);
    MAKE_INPUTS(&m.packets, s, seal_under_next_key(s, length, damage));
    pool_touch(s->keys);
    TIME_CHECKED(s,
                 (i = inputs_index(&m.packets), key = pool_key(m.packet_key[i]), nonce = packet_nonce(i),
                  play_some(s, m.packet_key[i]), (void)take_packet(packet), packet[0] ^= timing_is_decoy ? damage : 0,
                  close_again(s)),
                 verdict = crypto_aead_decrypt(out, packet, length, m.ad, s->ad_length, nonce, key),
                 (opened(s, verdict, damage), timed_nothing()));
}

/* The measure replay-NAME-encrypt, -decrypt or -reject; NAME tells one mix from another. */
static int replay(struct sample *s)
{
    const char *kind = strrchr(s->measure, '-') + 1;
    mix_choose(s->measure);
    if (!strcmp(kind, "encrypt"))
        replay_encrypt(s);
    else if (!strcmp(kind, "decrypt"))
        replay_decrypt(s, 0);
    else if (!strcmp(kind, "reject"))
        replay_decrypt(s, 1);
    else
        return -1;
    return 0;
}
