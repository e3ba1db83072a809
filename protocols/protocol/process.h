/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef PROCESS_H
#define PROCESS_H

/* Context switches between these two calls belong to what is measured, so they do not count as a disturbance. */
void switches_begin(void);
void switches_end(void);

#endif
