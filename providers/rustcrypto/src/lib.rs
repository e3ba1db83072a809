// SPDX-License-Identifier: MIT OR Apache-2.0
//! RustCrypto behind C functions: keys and signatures as FIPS 203, 204 and 205 encode them, random bytes
//! from the harness. Functions return 0 on success. Secret keys are the expanded ones of FIPS 203 and 204, not the seeds
//! that RustCrypto prefers: decapsulating and signing then do not include key generation.
#![allow(deprecated)] // the expanded keys

mod kem;
mod sign;

use core::convert::Infallible;
use rand_core::{TryCryptoRng, TryRng};

extern "C" {
    fn randombytes(x: *mut u8, xlen: u64);
}

/// The harness's random bytes.
pub(crate) struct Harness;

impl TryRng for Harness {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut word = [0; 4];
        self.try_fill_bytes(&mut word)?;
        Ok(u32::from_le_bytes(word))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut word = [0; 8];
        self.try_fill_bytes(&mut word)?;
        Ok(u64::from_le_bytes(word))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        unsafe { randombytes(bytes.as_mut_ptr(), bytes.len() as u64) };
        Ok(())
    }
}

impl TryCryptoRng for Harness {}

/// The bytes that C points at; the pointer may be null only if there are none.
pub(crate) unsafe fn input<'a>(bytes: *const u8, length: usize) -> &'a [u8] {
    if length == 0 {
        return &[];
    }
    core::slice::from_raw_parts(bytes, length)
}

pub(crate) unsafe fn output(out: *mut u8, bytes: &[u8]) {
    core::ptr::copy_nonoverlapping(bytes.as_ptr(), out, bytes.len());
}
