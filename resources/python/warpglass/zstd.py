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
    library.ZSTD_createDCtx.restype = ctypes.c_void_p
    library.ZSTD_freeDCtx.argtypes = [ctypes.c_void_p]
    library.ZSTD_decompress_usingDict.restype = ctypes.c_size_t
    library.ZSTD_decompress_usingDict.argtypes = [ctypes.c_void_p] + 3 * [ctypes.c_char_p, ctypes.c_size_t]
    library.ZSTD_isError.argtypes = [ctypes.c_size_t]

    def decompress(data, base):
        size = library.ZSTD_getFrameContentSize(data, len(data))
        if size > MOST:  # or not told, or no frame
            raise ValueError("a damaged chunk")
        plain = ctypes.create_string_buffer(max(size, 1))
        context = library.ZSTD_createDCtx()
        found = library.ZSTD_decompress_usingDict(context, plain, size, data, len(data), base, len(base))
        library.ZSTD_freeDCtx(context)
        if library.ZSTD_isError(found) or found != size:
            raise ValueError("a damaged chunk")
        return plain.raw[:size]

    return decompress


def _find():
    try:
        from compression import zstd  # from Python 3.14 on
        return lambda data, base: zstd.decompress(data, zstd.ZstdDict(base, is_raw=True) if base else None)
    except ImportError:
        pass
    try:
        import zstandard

        def by_package(data, base):
            known = zstandard.ZstdCompressionDict(base, dict_type=zstandard.DICT_TYPE_RAWCONTENT) if base else None
            return zstandard.ZstdDecompressor(dict_data=known).decompress(data, max_output_size=MOST)

        return by_package
    except ImportError:
        return _by_library()


_decompress = None


def decompress(data, base=b""):
    """The frame's contents, as bytes. base: of a frame that was packed behind other bytes, those.

    Raises ValueError for a damaged frame, ImportError where no zstd is found.
    """
    global _decompress
    if _decompress is None:
        _decompress = _find()
    try:
        return _decompress(bytes(data), base)
    except ImportError:
        raise
    except Exception as error:  # each of them has an error of its own
        raise ValueError(f"a damaged chunk: {error}") from error
