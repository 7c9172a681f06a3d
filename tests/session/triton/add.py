# SPDX-License-Identifier: GPL-3.0-or-later
import torch, triton, triton.language as tl  # noqa: E401
@triton.autotune([triton.Config({"BLOCK": 1024}, num_warps=4)], key=[])
@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    y = tl.load(y_ptr + offs, mask=mask)
    tl.store(out_ptr + offs, x + y, mask=mask)


x = torch.rand(10000, device="cuda")
add_kernel[(10,)](x, x, x, 10000)  # needs a GPU: never run here
raise SystemExit("this is run by nobody")
