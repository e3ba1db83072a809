/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "calibration.h"

#ifdef CHAIN_ADD
void calibration_call_0(void)
{
    CHAIN(0);
}

void calibration_call_20(void)
{
    CHAIN(20);
}

void calibration_call_200(void)
{
    CHAIN(200);
}
#endif
