// SPDX-License-Identifier: MIT OR Apache-2.0
//! ML-DSA and SLH-DSA: pure, no context, hedged.
use crate::{input, output, Harness};
use ml_dsa::{EncodedVerifyingKey, ExpandedSigningKey, Keypair, SigningKey, VerifyingKey};
use rand_core::TryRng;

macro_rules! ml_dsa {
    ($set:ty, $keypair:ident, $sign:ident, $verify:ident) => {
        #[no_mangle]
        pub unsafe extern "C" fn $keypair(pk: *mut u8, sk: *mut u8) -> i32 {
            let mut seed = ml_dsa::Seed::default();
            let Ok(()) = Harness.try_fill_bytes(&mut seed);
            let key = SigningKey::<$set>::from_seed(&seed);
            output(pk, &key.verifying_key().encode());
            output(sk, &key.expanded_key().to_expanded());
            0
        }

        #[no_mangle]
        pub unsafe extern "C" fn $sign(s: *mut u8, m: *const u8, mlen: u64, sk: *const u8) -> i32 {
            let encoded = &*(sk as *const ml_dsa::ExpandedSigningKeyBytes<$set>);
            let key = ExpandedSigningKey::<$set>::from_expanded(encoded);
            let Ok(signature) = key.sign_randomized(input(m, mlen as usize), &[], &mut Harness) else {
                return -1;
            };
            output(s, &signature.encode());
            0
        }

        #[no_mangle]
        pub unsafe extern "C" fn $verify(s: *const u8, m: *const u8, mlen: u64, pk: *const u8) -> i32 {
            let encoded = &*(s as *const ml_dsa::EncodedSignature<$set>);
            let Some(signature) = ml_dsa::Signature::<$set>::decode(encoded) else {
                return -1;
            };
            let key = VerifyingKey::<$set>::decode(&*(pk as *const EncodedVerifyingKey<$set>));
            key.verify_with_context(input(m, mlen as usize), &[], &signature) as i32 - 1
        }
    };
}

ml_dsa!(ml_dsa::MlDsa44, rustcrypto_ml_dsa_44_keypair, rustcrypto_ml_dsa_44_sign, rustcrypto_ml_dsa_44_verify);
ml_dsa!(ml_dsa::MlDsa65, rustcrypto_ml_dsa_65_keypair, rustcrypto_ml_dsa_65_sign, rustcrypto_ml_dsa_65_verify);
ml_dsa!(ml_dsa::MlDsa87, rustcrypto_ml_dsa_87_keypair, rustcrypto_ml_dsa_87_sign, rustcrypto_ml_dsa_87_verify);

macro_rules! slh_dsa {
    ($set:ty, $n:literal, $signature_bytes:literal, $keypair:ident, $sign:ident, $verify:ident) => {
        #[no_mangle]
        pub unsafe extern "C" fn $keypair(pk: *mut u8, sk: *mut u8) -> i32 {
            let key = slh_dsa::SigningKey::<$set>::new(&mut Harness);
            let verifying: &slh_dsa::VerifyingKey<$set> = key.as_ref();
            output(pk, &verifying.to_bytes());
            output(sk, &key.to_bytes());
            0
        }

        #[no_mangle]
        pub unsafe extern "C" fn $sign(s: *mut u8, m: *const u8, mlen: u64, sk: *const u8) -> i32 {
            let Ok(key) = slh_dsa::SigningKey::<$set>::try_from(input(sk, 4 * $n)) else {
                return -1;
            };
            let mut opt_rand = [0; $n];
            let Ok(()) = Harness.try_fill_bytes(&mut opt_rand);
            let Ok(signature) = key.try_sign_with_context(input(m, mlen as usize), &[], Some(&opt_rand)) else {
                return -1;
            };
            output(s, &signature.to_bytes());
            0
        }

        #[no_mangle]
        pub unsafe extern "C" fn $verify(s: *const u8, m: *const u8, mlen: u64, pk: *const u8) -> i32 {
            let Ok(signature) = slh_dsa::Signature::<$set>::try_from(input(s, $signature_bytes)) else {
                return -1;
            };
            let Ok(key) = slh_dsa::VerifyingKey::<$set>::try_from(input(pk, 2 * $n)) else {
                return -1;
            };
            key.try_verify_with_context(input(m, mlen as usize), &[], &signature).map_or(-1, |()| 0)
        }
    };
}

// FIPS 205, table 2: n, bytes of a signature.
slh_dsa!(slh_dsa::Sha2_128s, 16, 7856, rustcrypto_slh_dsa_sha2_128s_keypair, rustcrypto_slh_dsa_sha2_128s_sign,
    rustcrypto_slh_dsa_sha2_128s_verify);
slh_dsa!(slh_dsa::Sha2_128f, 16, 17088, rustcrypto_slh_dsa_sha2_128f_keypair, rustcrypto_slh_dsa_sha2_128f_sign,
    rustcrypto_slh_dsa_sha2_128f_verify);
slh_dsa!(slh_dsa::Shake128f, 16, 17088, rustcrypto_slh_dsa_shake_128f_keypair, rustcrypto_slh_dsa_shake_128f_sign,
    rustcrypto_slh_dsa_shake_128f_verify);
