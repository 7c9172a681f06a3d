# SPDX-License-Identifier: GPL-3.0-or-later
"""Unpacking zstd frames with what is there: Python's own module (3.14), the zstandard package, or the system's library."""
import ctypes
import ctypes.util

MOST = 1 << 30  # bytes that a frame may have unpacked; ours have far fewer


def _by_library():
    name = ctypes.util.find_library("zstd") or "libzstd.so.1"
    try:
        library = ctypes.CDLL(name)
    except OSError as error:
        raise ImportError("no zstd: install the package zstandard, or the system's libzstd") from error
    library.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
    library.ZSTD_getFrameContentSize.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    library.ZSTD_decompress.restype = ctypes.c_size_t
    library.ZSTD_decompress.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    library.ZSTD_isError.argtypes = [ctypes.c_size_t]

    def decompress(data):
        size = library.ZSTD_getFrameContentSize(data, len(data))
        if size > MOST:  # or not told, or no frame
            raise ValueError("a damaged chunk")
        plain = ctypes.create_string_buffer(max(size, 1))
        found = library.ZSTD_decompress(plain, size, data, len(data))
        if library.ZSTD_isError(found) or found != size:
            raise ValueError("a damaged chunk")
        return plain.raw[:size]

    return decompress


def _find():
    try:
        from compression import zstd  # from Python 3.14 on
        return zstd.decompress
    except ImportError:
        pass
    try:
        import zstandard
        return lambda data: zstandard.ZstdDecompressor().decompress(data, max_output_size=MOST)
    except ImportError:
        return _by_library()


_decompress = None


def decompress(data):
    """The frame's contents, as bytes.

    Raises ValueError for a damaged frame, ImportError where no zstd is found.
    """
    global _decompress
    if _decompress is None:
        _decompress = _find()
    try:
        return _decompress(bytes(data))
    except ImportError:
        raise
    except Exception as error:  # each of them has an error of its own
        raise ValueError(f"a damaged chunk: {error}") from error
