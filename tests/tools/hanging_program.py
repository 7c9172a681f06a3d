# SPDX-License-Identifier: GPL-3.0-or-later
"""A CUDA program whose only launch hangs: an mbarrier made for two arrivals gets one."""
import ctypes

PTX = b"""
.version 8.0
.target sm_80
.address_size 64
.visible .entry stuck()
{
  .shared .align 8 .b64 bar;
  .reg .b64 %rd<2>; .reg .pred %p<2>;
  mbarrier.init.shared.b64 [bar], 2;
  mbarrier.arrive.shared.b64 %rd1, [bar];
again:
  mbarrier.test_wait.shared.b64 %p1, [bar], %rd1;
  @!%p1 bra again;
  ret;
}
"""

cuda = ctypes.CDLL("libcuda.so.1")
device, context, module, stuck = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
cuda.cuInit(0)
cuda.cuDeviceGet(ctypes.byref(device), 0)
cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device)
cuda.cuCtxSetCurrent(context)
cuda.cuModuleLoadData(ctypes.byref(module), PTX)
cuda.cuModuleGetFunction(ctypes.byref(stuck), module, b"stuck")
cuda.cuLaunchKernel(stuck, 1, 1, 1, 1, 1, 1, 0, None, None, None)
cuda.cuCtxSynchronize()
