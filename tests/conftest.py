# SPDX-License-Identifier: MIT OR Apache-2.0
"""Being here, this file lets every test import the helper modules beside it, such as `synthetic`."""
