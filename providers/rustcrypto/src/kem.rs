// SPDX-License-Identifier: MIT OR Apache-2.0
//! ML-KEM.
use crate::{output, Harness};
use ml_kem::kem::{Decapsulate, Encapsulate, Generate, KeyExport};
use ml_kem::{Ciphertext, DecapsulationKey, EncapsulationKey, ExpandedDecapsulationKey, Key};

macro_rules! ml_kem {
    ($set:ty, $keypair:ident, $enc:ident, $dec:ident) => {
        #[no_mangle]
        pub unsafe extern "C" fn $keypair(pk: *mut u8, sk: *mut u8) -> i32 {
            let key = DecapsulationKey::<$set>::generate_from_rng(&mut Harness);
            output(pk, &key.encapsulation_key().to_bytes());
            output(sk, &ml_kem::ExpandedKeyEncoding::to_expanded_bytes(&key));
            0
        }

        #[no_mangle]
        pub unsafe extern "C" fn $enc(c: *mut u8, k: *mut u8, pk: *const u8) -> i32 {
            let encoded = &*(pk as *const Key<EncapsulationKey<$set>>);
            let Ok(key) = EncapsulationKey::<$set>::new(encoded) else {
                return -1;
            };
            let (ciphertext, shared) = key.encapsulate_with_rng(&mut Harness);
            output(c, &ciphertext);
            output(k, &shared);
            0
        }

        #[no_mangle]
        pub unsafe extern "C" fn $dec(k: *mut u8, c: *const u8, sk: *const u8) -> i32 {
            let encoded = &*(sk as *const ExpandedDecapsulationKey<$set>);
            let Ok(key) = DecapsulationKey::<$set>::from_expanded(encoded) else {
                return -1;
            };
            let ciphertext = &*(c as *const Ciphertext<$set>);
            output(k, &key.decapsulate(ciphertext));
            0
        }
    };
}

ml_kem!(ml_kem::MlKem512, rustcrypto_ml_kem_512_keypair, rustcrypto_ml_kem_512_enc, rustcrypto_ml_kem_512_dec);
ml_kem!(ml_kem::MlKem768, rustcrypto_ml_kem_768_keypair, rustcrypto_ml_kem_768_enc, rustcrypto_ml_kem_768_dec);
ml_kem!(ml_kem::MlKem1024, rustcrypto_ml_kem_1024_keypair, rustcrypto_ml_kem_1024_enc, rustcrypto_ml_kem_1024_dec);
