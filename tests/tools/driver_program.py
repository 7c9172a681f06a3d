# SPDX-License-Identifier: GPL-3.0-or-later
"""A CUDA program of the driver's interface in Python: two kernels, five launches, copies and a fill."""
import ctypes
import struct
import sys

PTX = b"""
.version 8.0
.target sm_75
.address_size 64
.visible .entry doubles(.param .u64 out, .param .u32 n)
{
  .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  setp.ge.u32 %p1, %r2, %r1;
  @%p1 bra done;
  shl.b32 %r3, %r2, 1;
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r3;
done:
  ret;
}
.visible .entry nothing() { ret; }
"""

cuda = ctypes.CDLL("libcuda.so.1")


def call(name, *words):
    status = getattr(cuda, name)(*words)
    if status != 0:
        sys.exit(f"{name} answers {status}")


device, context, module = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p()
doubles, nothing = ctypes.c_void_p(), ctypes.c_void_p()
call("cuInit", 0)
call("cuDeviceGet", ctypes.byref(device), 0)
call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
call("cuCtxSetCurrent", context)
call("cuModuleLoadData", ctypes.byref(module), PTX)
call("cuModuleGetFunction", ctypes.byref(doubles), module, b"doubles")
call("cuModuleGetFunction", ctypes.byref(nothing), module, b"nothing")
memory = ctypes.c_uint64()
call("cuMemAlloc_v2", ctypes.byref(memory), ctypes.c_size_t(4 * 64))
call("cuMemsetD8_v2", memory, ctypes.c_ubyte(0), ctypes.c_size_t(4 * 64))


def launch(function, grid, block, *parameters):
    pointers = (ctypes.c_void_p * max(len(parameters), 1))(*[ctypes.addressof(p) for p in parameters])
    call("cuLaunchKernel", function, grid, 1, 1, block, 1, 1, 0, None, pointers, None)


for n in (40, 64, 3):
    launch(doubles, 1, 64, memory, ctypes.c_uint32(n))
for grid in (2, 3):
    launch(nothing, grid, 96)
answer = (ctypes.c_ubyte * 256)()
call("cuMemcpyDtoH_v2", answer, memory, ctypes.c_size_t(256))
call("cuMemFree_v2", memory)
sys.exit(struct.unpack("<64I", bytes(answer)) != tuple(2 * i for i in range(64)))
