#!/usr/bin/env python3
"""Encodes the columns of timelines with other codecs.

`encode METHOD FILE` and `decode METHOD FILE`. A file contains sets one after the other: the numbers of
columns and of rows as 64-bit integers, then the columns as Doubles. Each set is encoded separately,
as in a history. Decoded values are compared with the input each time, bit for bit or within the
bound, outside the measured time.

Methods that begin with `bounded` keep every value within 1e-4 (times within 1 µs). Values are first
converted to steps of twice the bound; this conversion and its inverse are part of the work.
"""

import io
import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(__file__))
from rival import load, optional, serve, versions  # noqa: E402

# A method whose library is missing fails when it is requested; the others work.
lz4, pcodec, pa, zstandard = map(optional, ("lz4", "pcodec", "pyarrow", "zstandard"))
pq, standalone = optional("pyarrow.parquet"), optional("pcodec.standalone")
optional("lz4.block")

GRAVITY = slice(7, 10)
if pa:
    pa.set_cpu_count(1)


# Lossless: a matrix of columns to bytes and back -----------------------------------------------


def shuffle(matrix):
    return matrix.view(np.uint8).reshape(*matrix.shape, matrix.itemsize).transpose(0, 2, 1).tobytes()


def unshuffle(data, shape, dtype):
    size = np.dtype(dtype).itemsize
    planes = np.frombuffer(data, np.uint8).reshape(shape[0], size, shape[1])
    return np.ascontiguousarray(planes.transpose(0, 2, 1)).view(dtype).reshape(shape)


class Raw:
    def encode(self, m):
        return m.tobytes()

    def decode(self, data, shape):
        return np.frombuffer(data, np.float64).reshape(shape).copy()


class LZ4:
    def encode(self, m):
        return lz4.block.compress(m.tobytes(), store_size=True)

    def decode(self, data, shape):
        return np.frombuffer(lz4.block.decompress(data), np.float64).reshape(shape)


class ShuffledLZ4:
    def encode(self, m):
        return lz4.block.compress(shuffle(m), store_size=True)

    def decode(self, data, shape, dtype=np.float64):
        return unshuffle(lz4.block.decompress(data), shape, dtype)


class ShuffledZstd:
    def __init__(self, level):
        self.compressor = zstandard.ZstdCompressor(level=level)
        self.decompressor = zstandard.ZstdDecompressor()

    def encode(self, m):
        return self.compressor.compress(shuffle(m))

    def decode(self, data, shape):
        return unshuffle(self.decompressor.decompress(data), shape, np.float64)


class Parquet:
    """Byte stream split and zstd, without dictionaries and statistics."""

    def encode(self, m):
        table = pa.table({str(i): column for i, column in enumerate(m)})
        sink = io.BytesIO()
        pq.write_table(
            table, sink, compression="zstd", compression_level=9, use_dictionary=False,
            use_byte_stream_split=True, write_statistics=False, store_schema=False,
        )  # fmt: skip
        return sink.getvalue()

    def decode(self, data, shape):
        table = pq.read_table(io.BytesIO(data), use_threads=False)
        return np.stack([table.column(i).to_numpy() for i in range(shape[0])])


class Pcodec:
    def __init__(self, level):
        self.config = pcodec.ChunkConfig(compression_level=level)

    def encode(self, m):
        return [standalone.simple_compress(column, self.config) for column in m]

    def decode(self, data, shape):
        return np.stack([standalone.simple_decompress(column) for column in data])


# Bounded ---------------------------------------------------------------------------------------


def steps_of(m):
    """Returns just below twice the bound, so that rounding errors stay within it."""
    return np.where(np.arange(len(m)) == 0, 1.9999e-6, 1.9999e-4)[:, None]


def counted(m):
    return np.rint(m / steps_of(m)).astype(np.int64)


def valued(integers):
    return integers * steps_of(integers)


class BoundedShuffledLZ4:
    inner = ShuffledLZ4()

    def encode(self, m):
        integers = counted(m)
        integers[:, 1:] -= integers[:, :-1].copy()
        # Zigzag, so that small differences of both signs have empty high bytes.
        return self.inner.encode((integers << 1) ^ (integers >> 63))

    def decode(self, data, shape):
        coded = self.inner.decode(data, shape, np.int64)
        return valued(np.cumsum((coded >> 1) ^ -(coded & 1), axis=1))


class BoundedPcodec(Pcodec):
    def encode(self, m):
        return super().encode(counted(m))

    def decode(self, data, shape):
        return valued(super().decode(data, shape))


class BoundedPcodecWithoutGravity(BoundedPcodec):
    """Omits gravity and computes it from roll and pitch."""

    def encode(self, m):
        integers = counted(m)
        return Pcodec.encode(self, np.delete(integers, GRAVITY, axis=0))

    def decode(self, data, shape):
        integers = Pcodec.decode(self, data, shape)
        values = integers * np.delete(steps_of(np.empty(shape)), GRAVITY, axis=0)
        roll, pitch = values[7], values[8]
        gravity = np.stack(
            [np.cos(pitch) * np.sin(roll), -np.sin(pitch), -np.cos(pitch) * np.cos(roll)]
        )
        return np.concatenate([values[:7], gravity, values[7:]])


METHODS = {
    "raw": Raw,
    "lz4": LZ4,
    "shuffled-lz4": ShuffledLZ4,
    "shuffled-zstd-3": lambda: ShuffledZstd(3),
    "shuffled-zstd-19": lambda: ShuffledZstd(19),
    "parquet": Parquet,
    "pcodec-8": lambda: Pcodec(8),
    "pcodec-12": lambda: Pcodec(12),
    "bounded-shuffled-lz4": BoundedShuffledLZ4,
    "bounded-pcodec-8": lambda: BoundedPcodec(8),
    "bounded-pcodec-8-without-gravity": lambda: BoundedPcodecWithoutGravity(8),
}


def codec_of(method, made={}):
    """Returns a method's codec; raises an error that names the missing library."""
    if method not in made:
        made[method] = METHODS[method]()
    return made[method]


def size(blob):
    return len(blob) if isinstance(blob, bytes) else sum(map(len, blob))


def check(method, original, decoded):
    if not method.startswith("bounded"):
        assert np.array_equal(original.view(np.uint64), decoded.view(np.uint64)), method
        return
    bound = np.where(np.arange(len(original)) == 0, 1e-6, 1e-4)[:, None]
    # Computed gravity has the errors of both angles.
    bound = np.repeat(bound, original.shape[1], axis=1)
    if "without-gravity" in method:
        bound[GRAVITY] = 2e-4
    assert (np.abs(original - decoded) <= bound).all(), method


def encode(method, path):
    codec, sets = codec_of(method), load(path)

    def judge(blobs):
        mean = np.mean([size(blob) / m.shape[1] for blob, m in zip(blobs, sets)])
        for blob, m in zip(blobs, sets):
            check(method, m, codec.decode(blob, m.shape))
        return sum(m.shape[1] for m in sets), {"bytesPerSample": float(mean)}

    return lambda: [codec.encode(m) for m in sets], judge


def decode(method, path, cache={}):
    codec, sets = codec_of(method), load(path)
    if (method, path) not in cache:
        cache[method, path] = [codec.encode(m) for m in sets]
    blobs = cache[method, path]

    def judge(decoded):
        for a, b in zip(sets, decoded):
            check(method, a, b)
        return sum(m.shape[1] for m in sets), {}

    return lambda: [codec.decode(blob, m.shape) for blob, m in zip(blobs, sets)], judge


if __name__ == "__main__":
    serve(
        versions(lz4=lz4, zstandard=zstandard, pyarrow=pa, pcodec=pcodec, numpy=np),
        {"encode": encode, "decode": decode},
    )
