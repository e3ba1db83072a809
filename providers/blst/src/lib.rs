// SPDX-License-Identifier: MIT OR Apache-2.0
//! blst's BLS signatures behind C functions: public keys in G1, signatures in G2, compressed;
//! every input point is checked to be in its group. Functions return 0 on success.
use blst::min_pk::{PublicKey, SecretKey, Signature};
use blst::{blst_scalar, BLST_ERROR};

/// The basic scheme: the caller ensures that the messages of a batch are distinct.
const SUITE: &[u8] = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_";
const PUBLIC: usize = 48;
const SIGNATURE: usize = 96;
const RANDOM_BITS: usize = 64;

extern "C" {
    fn randombytes(x: *mut u8, xlen: u64);
}

/// The bytes that C points at; the pointer may be null only if there are none.
unsafe fn input<'a>(bytes: *const u8, length: usize) -> &'a [u8] {
    if length == 0 {
        return &[];
    }
    core::slice::from_raw_parts(bytes, length)
}

unsafe fn output(out: *mut u8, bytes: &[u8]) {
    core::ptr::copy_nonoverlapping(bytes.as_ptr(), out, bytes.len());
}

/// Key generation of the draft: 32 random bytes through HKDF.
#[no_mangle]
pub unsafe extern "C" fn blst_min_pk_keypair(pk: *mut u8, sk: *mut u8) -> i32 {
    let mut material = [0; 32];
    randombytes(material.as_mut_ptr(), material.len() as u64);
    let Ok(key) = SecretKey::key_gen(&material, &[]) else {
        return -1;
    };
    output(pk, &key.sk_to_pk().compress());
    output(sk, &key.to_bytes());
    0
}

#[no_mangle]
pub unsafe extern "C" fn blst_min_pk_sign(s: *mut u8, m: *const u8, mlen: u64, sk: *const u8) -> i32 {
    let Ok(key) = SecretKey::from_bytes(input(sk, 32)) else {
        return -1;
    };
    output(s, &key.sign(input(m, mlen as usize), SUITE, &[]).compress());
    0
}

unsafe fn points(s: *const u8, pk: *const u8) -> Option<(Signature, PublicKey)> {
    let signature = Signature::uncompress(input(s, SIGNATURE)).ok()?;
    Some((signature, PublicKey::uncompress(input(pk, PUBLIC)).ok()?))
}

#[no_mangle]
pub unsafe extern "C" fn blst_min_pk_verify(s: *const u8, m: *const u8, mlen: u64, pk: *const u8) -> i32 {
    let Some((signature, key)) = points(s, pk) else {
        return -1;
    };
    let said = signature.verify(true, input(m, mlen as usize), SUITE, &[], &key, true);
    -i32::from(said != BLST_ERROR::BLST_SUCCESS)
}

/// Whether all signatures are valid, except with probability 2^-64: verifies a random linear combination.
/// If the result is false, the caller has to find out which signature is invalid.
#[no_mangle]
pub unsafe extern "C" fn blst_min_pk_verify_batch(
    s: *const *const u8,
    m: *const *const u8,
    mlen: *const u64,
    pk: *const *const u8,
    num: u64,
) -> i32 {
    let num = num as usize;
    let mut pairs = Vec::with_capacity(num);
    let mut messages = Vec::with_capacity(num);
    let mut factors = Vec::with_capacity(num);
    for i in 0..num {
        let Some(pair) = points(*s.add(i), *pk.add(i)) else {
            return -1;
        };
        pairs.push(pair);
        messages.push(input(*m.add(i), *mlen.add(i) as usize));
        let mut factor = blst_scalar::default();
        randombytes(factor.b.as_mut_ptr(), (RANDOM_BITS / 8) as u64);
        factor.b[0] |= 1; // a zero factor would accept anything
        factors.push(factor);
    }
    let signatures: Vec<&Signature> = pairs.iter().map(|(signature, _)| signature).collect();
    let keys: Vec<&PublicKey> = pairs.iter().map(|(_, key)| key).collect();
    let said = Signature::verify_multiple_aggregate_signatures(
        &messages, SUITE, &keys, true, &signatures, true, &factors, RANDOM_BITS,
    );
    -i32::from(said != BLST_ERROR::BLST_SUCCESS)
}
