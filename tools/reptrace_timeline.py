#!/usr/bin/env python3
"""Reads RepTrace timelines, as docs/timeline-format.md describes them.

An independent reader, written from that page alone with the standard library and numpy. It also
decompresses LZ4 blocks.

    python3 tools/reptrace_timeline.py FILE.blob              the structure
    python3 tools/reptrace_timeline.py FILE.blob --csv        the samples as CSV
    python3 tools/reptrace_timeline.py STORE.sqlite           every timeline of a history, verified
    python3 tools/reptrace_timeline.py STORE.sqlite --set KEY a stored set's structure; with --csv
                                                              its samples
    python3 tools/reptrace_timeline.py --summary PATH...      the content of timelines or histories,
                                                              values as bits or their SHA-256
    python3 tools/reptrace_timeline.py --check FOLDER         every *.blob against its *.values

As a module: `decode(bytes)` gives a Timeline whose `samples` are numpy arrays by channel;
`stored_timelines(path)` gives those of a history.
"""

import argparse
import hashlib
import re
import sqlite3
import struct
import sys
import unicodedata
import uuid
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

MAGIC = bytes([0x89, 0x52, 0x54, 0x4C, 0x0D, 0x0A, 0x1A, 0x0A])
MASK = (1 << 64) - 1
ROUNDING = 6755399441055744.0

SAMPLES, PHASES, COUNTED_SET, PROVENANCE, IDENTITY, CURVE, HEALTH = KNOWN = (1, 2, 4, 5, 6, 7, 8)

CHANNELS = [
    "timestamp", "accelerationX", "accelerationY", "accelerationZ", "rotationX", "rotationY",
    "rotationZ", "gravityX", "gravityY", "gravityZ", "roll", "pitch", "yaw", "magneticFieldX",
    "magneticFieldY", "magneticFieldZ", "quaternionW", "quaternionX", "quaternionY",
    "quaternionZ", "totalAccelerationX", "totalAccelerationY", "totalAccelerationZ",
]
UNITS_PER_SECOND = [1.0, 1e3, 1e6, 1e9]


class TimelineError(Exception):
    """The bytes are not a timeline, are damaged, or use features unknown to this reader."""


def require(condition, message):
    if not condition:
        raise TimelineError(message)


# Checksums ------------------------------------------------------------------------------------


def _crc_table():
    table = []
    for byte in range(256):
        value = byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


_CRC = _crc_table()


def crc32c(data):
    value = 0xFFFFFFFF
    for byte in data:
        value = _CRC[(value ^ byte) & 0xFF] ^ value >> 8
    return value ^ 0xFFFFFFFF


# Bytes ----------------------------------------------------------------------------------------


class Reader:
    def __init__(self, data, place):
        self.data = data
        self.position = 0
        self.place = place

    def remaining(self):
        return len(self.data) - self.position

    def take(self, count):
        require(count <= self.remaining(), f"{self.place} ends too early")
        self.position += count
        return self.data[self.position - count : self.position]

    def unpack(self, layout):
        return struct.unpack("<" + layout, self.take(struct.calcsize("<" + layout)))[0]

    def u8(self):
        return self.take(1)[0]

    def f64(self):
        return self.unpack("d")

    def leb128(self, bits):
        value = shift = 0
        while True:
            byte = self.u8()
            value |= (byte & 0x7F) << shift
            if not byte & 0x80:
                require(byte != 0 or shift == 0, f"{self.place}: an integer is too long")
                require(value < 1 << bits, f"{self.place}: an integer is too large")
                return value
            shift += 7
            require(shift < bits, f"{self.place}: an integer is too large")

    def varint(self):
        return self.leb128(63)

    def zigzag(self):
        return unzigzag(self.leb128(64))

    def text(self):
        try:
            return bytes(self.take(self.varint())).decode("utf-8")
        except UnicodeDecodeError as error:
            raise TimelineError(f"{self.place}: a text is not UTF-8") from error

    def rest(self):
        return self.take(self.remaining())

    def finish(self):
        require(self.remaining() == 0, f"{self.place}: {self.remaining()} bytes too many")


def unzigzag(value):
    return value >> 1 ^ -(value & 1)


def signed(value):
    """Converts an integer to a 64-bit two's complement integer."""
    value &= MASK
    return value - (1 << 64) if value >> 63 else value


class Bits:
    """A string of bits, starting with the least significant bit of the first byte."""

    def __init__(self, data):
        self.data = bytes(data) + bytes(24)
        self.length = 8 * len(data)
        self.position = 0

    def window(self):
        """Returns at least 120 bits from the position on, with zeros after the end."""
        start = self.position >> 3
        word = int.from_bytes(self.data[start : start + 16], "little")
        return word >> (self.position & 7)

    def read(self, count):
        require(self.position + count <= self.length, "bits end too early")
        result = self.window() & (1 << count) - 1
        self.position += count
        return result

    def ones(self):
        """Reads a run of at most 20 ones that a zero ends; returns its length."""
        window = self.window()
        ones = (~window & window + 1).bit_length() - 1
        require(ones <= 20, "a quotient is out of range")
        self.read(ones + 1)
        return ones

    def finish(self):
        left = self.length - self.position
        require(left < 8, "bits are left over")
        require(self.window() & (1 << left) - 1 == 0, "the last byte is not filled up with zeros")


def residuals(bits, count):
    result = []
    k = 8
    for start in range(0, count, 32):
        if bits.read(1):
            if not bits.read(1):
                k += 1
            elif not bits.read(1):
                k -= 1
            else:
                k = bits.read(6)
        require(0 <= k <= 56, "a parameter is out of range")
        group = range(min(32, count - start))
        lows = [bits.read(k) for _ in group]
        quotients = [bits.ones() for _ in group]
        for low, quotient in zip(lows, quotients):
            if quotient == 20:
                width = bits.read(6) + 1
                require(width + k <= 64, "an escape is too wide")
                quotient = bits.read(width)
            result.append(quotient << k | low)
    return result


# LZ4 ------------------------------------------------------------------------------------------


def lz4_block(data, size):
    output = bytearray()
    position = 0
    try:
        while True:
            token = data[position]
            position += 1
            length = token >> 4
            if length == 15:
                while True:
                    byte = data[position]
                    position += 1
                    length += byte
                    if byte != 255:
                        break
            require(position + length <= len(data), "an LZ4 block ends too early")
            output += data[position : position + length]
            position += length
            require(len(output) <= size, "an LZ4 block is too long")
            if position == len(data):
                break
            offset = data[position] | data[position + 1] << 8
            position += 2
            length = (token & 15) + 4
            if token & 15 == 15:
                while True:
                    byte = data[position]
                    position += 1
                    length += byte
                    if byte != 255:
                        break
            require(0 < offset <= len(output), "an LZ4 block refers to before its begin")
            require(len(output) + length <= size, "an LZ4 block is too long")
            for _ in range(length):
                output.append(output[-offset])
    except IndexError as error:
        raise TimelineError("an LZ4 block ends too early") from error
    require(len(output) == size, "an LZ4 block has another length")
    return bytes(output)


# Sine and cosine ------------------------------------------------------------------------------

SINE = [
    -1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04,
    2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10,
]
COSINE = [
    4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
    -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11,
]


def polynomial(coefficients, z):
    total = coefficients[-1]
    for coefficient in reversed(coefficients[:-1]):
        total = z * total + coefficient
    return total


def sine_and_cosine(x):
    """Returns sine and cosine of a float."""
    if not abs(x) <= 1048576.0:
        x = 0.0
    t = x * 0.636619772367581382 + ROUNDING
    n = t - ROUNDING
    q = struct.unpack("<Q", struct.pack("<d", t))[0] & 3
    r = (x - n * 1.57079632673412561417) - n * 6.07710050650619224932e-11
    z = r * r
    h = z * 0.5
    w = 1 - h
    sine = r + (r * z) * polynomial(SINE, z)
    cosine = w + (((1 - w) - h) + (z * z) * polynomial(COSINE, z))
    if q == 0:
        return sine, cosine
    if q == 1:
        return cosine, -sine
    if q == 2:
        return -sine, -cosine
    return -cosine, sine


def gravity_direction(roll, pitch):
    result = np.empty((3, len(roll)))
    for row, (r, p) in enumerate(zip(roll.tolist(), pitch.tolist())):
        s, c = sine_and_cosine(r)
        sine, cosine = sine_and_cosine(p)
        result[:, row] = (cosine * s, -sine, -(cosine * c))
    return result


def rint(value):
    return (value + ROUNDING) - ROUNDING


# Columns --------------------------------------------------------------------------------------


class Exceptions:
    def __init__(self, reader, rows):
        count = reader.varint()
        require(count <= rows and 9 * count <= reader.remaining(), "too many exceptions")
        self.rows = []
        row = -1
        for _ in range(count):
            row += 1 + reader.varint()
            require(row < rows, "an exception behind the last row")
            self.rows.append(row)
        self.values = np.frombuffer(reader.take(8 * count), "<f8")

    def apply(self, values):
        values[self.rows] = self.values
        return values


class PredictedIntegers:
    """The head of predicted integers."""

    def __init__(self, reader, rows):
        self.predictor = reader.u8()
        require(self.predictor <= 5, "unknown predictor")
        self.modulus = reader.varint()
        require(self.modulus <= 1 << 60, "a modulus is too large")
        self.base = reader.zigzag()
        self.bases = [self.base]
        if self.predictor == 5:
            self.bases += [reader.zigzag() for _ in range(3)]
        self.steps = []
        self.step_bits = 0
        if self.predictor == 4:
            self.step_bits = reader.u8()
            require(self.step_bits <= 3, "too many steps")
            self.steps = [reader.zigzag() for _ in range(1 << self.step_bits)]
        self.exceptions = Exceptions(reader, rows)

    def wrap(self, value):
        value = signed(value)
        if self.modulus == 0:
            return value
        value %= self.modulus
        return value - self.modulus if value > self.modulus // 2 else value

    def integers(self, data, rows):
        require(self.predictor != 5, "only a whole attitude is predicted by rotation")
        bits = Bits(data)
        codes = residuals(bits, rows)
        bits.finish()
        result = []
        a = b = c = self.base
        for u in codes:
            r = unzigzag(u >> self.step_bits)
            if self.predictor == 0:
                p = self.base
            elif self.predictor == 1:
                p = a
            elif self.predictor == 2:
                p = 2 * a - b
            elif self.predictor == 3:
                p = 3 * (a - b) + c
            else:
                p = a + self.steps[u & (1 << self.step_bits) - 1]
            value = self.wrap(p + r)
            result.append(value)
            a, b, c = value, a, b
        return result


class ScaledIntegers:
    """Codec 7."""

    def __init__(self, data, rows):
        reader = Reader(data, "scaled integers")
        kind = reader.u8()
        self.is_factor = kind in (1, 5)
        if kind in (0, 1):
            self.number = reader.f64()
            require(2.2250738585072014e-308 <= self.number < float("inf"), "a scale is no scale")
        elif 16 <= kind <= 31:
            self.number = float(10 ** (kind - 16))
        elif 64 <= kind <= 127:
            self.number = float(2 ** (kind - 64))
        else:
            named = {2: 5001.0, 3: 500100.0, 4: 5.001, 5: 1 / 24e6, 6: 24e6}
            require(kind in named, "unknown scale")
            self.number = named[kind]
        self.density = 1 / self.number if self.is_factor else self.number
        self.head = PredictedIntegers(reader, rows)
        self.residuals = reader.rest()

    def value(self, integer):
        return float(integer) * self.number if self.is_factor else float(integer) / self.number

    def values(self, rows):
        integers = self.head.integers(self.residuals, rows)
        return self.head.exceptions.apply(np.array([self.value(k) for k in integers]))

    def finish(self):
        pass


class SplitFloats:
    """Codec 8."""

    def __init__(self, data, rows):
        reader = Reader(data, "split floats")
        self.width = reader.u8()
        require(self.width <= 1, "unknown width")
        self.shift = reader.zigzag()
        require(-100 <= self.shift <= 200, "a shift is out of range")
        self.density = 2.0**self.shift
        self.head = PredictedIntegers(reader, rows)
        self.residuals = reader.take(reader.varint())
        self.bits = Bits(reader.rest())

    def value(self, integer):
        if integer == 0:
            if self.width == 0:
                return float(struct.unpack("<f", struct.pack("<I", self.bits.read(32)))[0])
            return struct.unpack("<d", struct.pack("<Q", self.bits.read(64)))[0]
        magnitude = abs(integer)
        count = max(0, (23, 52)[self.width] - (magnitude.bit_length() - 1))
        whole = magnitude << count & MASK | self.bits.read(count)
        value = float(whole) * 2.0 ** -(self.shift + count)
        return -value if integer < 0 else value

    def values(self, rows):
        integers = self.head.integers(self.residuals, rows)
        values = np.array([self.value(c) for c in integers])
        self.finish()
        return self.head.exceptions.apply(values)

    def finish(self):
        self.bits.finish()


def plain_column(codec, data, rows):
    """A column that depends on no other."""
    if codec == 0:
        require(len(data) == 8 * rows, "a raw column has eight bytes a row")
        return np.frombuffer(data, "<f8").copy()
    if codec == 1:
        require(len(data) == 8, "a constant column has eight bytes")
        return np.repeat(np.frombuffer(data, "<f8"), rows)
    if codec == 2:
        planes = np.frombuffer(lz4_block(data, 8 * rows), np.uint8).reshape(8, rows)
        return np.ascontiguousarray(planes.T).reshape(-1).view("<f8").copy()
    if codec == 7:
        return ScaledIntegers(data, rows).values(rows)
    if codec == 8:
        return SplitFloats(data, rows).values(rows)
    raise TimelineError(f"codec {codec} is unknown or has no place here")


class Block:
    """The columns of a block, decoded lazily."""

    def __init__(self, data, rows, layout):
        self.rows = rows
        self.layout = layout
        reader = Reader(data, "block of samples")
        heads = [(reader.u8(), reader.varint()) for _ in layout.columns]
        self.parts = {}
        for (channel, _), (codec, length) in zip(layout.columns, heads):
            self.parts[channel] = (codec, reader.take(length))
        reader.finish()
        self.decoded = {}
        self.direction = None

    def column(self, channel):
        require(channel in self.parts, f"a column depends on channel {channel}, which is missing")
        if channel not in self.decoded:
            codec, data = self.parts[channel]
            if codec == 5:
                require(7 <= channel <= 9, "derived gravity is not gravity")
                self.decoded[channel] = self.derived_gravity(data, channel - 7)
            elif codec == 9:
                require(1 <= channel <= 3, "an acceleration lattice is not acceleration")
                self.decoded[channel] = self.lattice(data, channel - 1)
            elif 10 <= channel <= 12 and self.is_rotated(codec, data):
                self.rotated_attitude()
            else:
                self.decoded[channel] = plain_column(codec, data, self.rows)
        return self.decoded[channel]

    def gravity(self, axis, unit_bit):
        require(not self.layout.units & (unit_bit | 16), "gravity by attitude is in g and radians")
        if self.direction is None:
            self.direction = gravity_direction(self.column(10), self.column(11))
        return self.direction[axis]

    def derived_gravity(self, data, axis):
        reader = Reader(data, "derived gravity")
        rounding = reader.u8()
        require(rounding <= 1, "unknown rounding")
        exceptions = Exceptions(reader, self.rows)
        reader.finish()
        values = self.gravity(axis, 4).copy()
        if rounding:
            values = values.astype(np.float32).astype(np.float64)
        return exceptions.apply(values)

    def lattice(self, data, axis):
        reader = Reader(data, "acceleration lattice")
        head = PredictedIntegers(reader, self.rows)
        integers = head.integers(reader.rest(), self.rows)
        direction = self.gravity(axis, 1)
        steps = rint(direction * 65536.0).astype(np.int64)
        total = np.array([signed(k + int(g)) for k, g in zip(integers, steps)], np.int64)
        with np.errstate(over="ignore"):
            exact = (total.astype(np.float64) / 65536.0 - direction).astype(np.float32)
        return head.exceptions.apply(exact.astype(np.float64))

    def is_rotated(self, codec, data):
        if codec == 7:
            return ScaledIntegers(data, self.rows).head.predictor == 5
        if codec == 8:
            return SplitFloats(data, self.rows).head.predictor == 5
        return False

    def rotated_attitude(self):
        require(not self.layout.units & (8 | 16), "an attitude by rotation is in radians")
        sources = []
        for channel in (10, 11, 12):
            require(channel in self.parts, "an attitude by rotation is not whole")
            codec, data = self.parts[channel]
            require(codec in (7, 8), "an attitude by rotation is not whole")
            sources.append((ScaledIntegers if codec == 7 else SplitFloats)(data, self.rows))
        require(all(s.head.predictor == 5 for s in sources), "an attitude is not whole")
        codes = []
        for source in sources:
            bits = Bits(source.residuals)
            codes.append(residuals(bits, self.rows))
            bits.finish()
        per_second = UNITS_PER_SECOND[self.layout.time_unit]
        time = self.column(0)
        time = (time if per_second == 1 else time / per_second).tolist()
        rates = [self.column(channel).tolist() for channel in (4, 5, 6)]
        values = [[0.0] * self.rows for _ in sources]
        integers = [[0] * self.rows for _ in sources]
        functions = [None] * self.rows
        length = -(-self.rows // 4)
        for row in (row for step in range(length) for row in range(step, self.rows, length)):
            lane, step = divmod(row, length)
            change = (0.0, 0.0, 0.0)
            if step:
                # The lane's first row also serves as the one before it.
                pair = functions[row - min(step, 2)], functions[row - 1]
                change = self.change(row, time, rates, pair)
            for index, source in enumerate(sources):
                expected = source.head.bases[lane]
                if step:
                    y = (values[index][row - 1] + change[index]) * source.density
                    expected = int(rint(y)) if abs(y) < 2.0**51 else integers[index][row - 1]
                integer = source.head.wrap(expected + unzigzag(codes[index][row]))
                integers[index][row] = integer
                values[index][row] = source.value(integer)
            s, c = sine_and_cosine(values[0][row])
            sine, cosine = sine_and_cosine(values[1][row])
            divisor = cosine if cosine > 0.015625 else 0.015625
            functions[row] = (s, c, sine / divisor, 1 / divisor)
        for channel, source, column in zip((10, 11, 12), sources, values):
            source.finish()
            self.decoded[channel] = source.head.exceptions.apply(np.array(column))

    @staticmethod
    def change(row, time, rates, functions):
        step = time[row] - time[row - 1]
        d = step * 0.5 if 0 < step <= 0.1 else 0.0
        s, c, t, q = (1.5 * a - 0.5 * b for a, b in zip(functions[1], functions[0]))
        x, y, z = (rate[row] + rate[row - 1] for rate in rates)
        across = c * z - s * x
        return (y - t * across) * d, (c * x + s * z) * d, (across * q) * d


# Sections -------------------------------------------------------------------------------------


class SampleLayout:
    """The begin of a samples section, and its blocks' bytes."""

    def __init__(self, data):
        reader = Reader(data, "samples")
        self.count = reader.varint()
        self.clock = reader.u8()
        self.time_unit = reader.u8()
        self.units = reader.u8()
        require(self.clock <= 1, "unknown clock")
        require(self.time_unit <= 3 and self.units < 32, "unknown units")
        self.precision = reader.u8()
        require(self.precision <= 2, "unknown precision")
        self.bounds = [reader.f64() for _ in range(6)] if self.precision == 2 else None
        rows_per_block = reader.varint()
        require(1 <= rows_per_block <= 65536, "a block's rows are out of range")
        self.columns = []
        for _ in range(reader.u8()):
            channel, flags = reader.u8(), reader.u8()
            require(not self.columns or channel > self.columns[-1][0], "columns out of order")
            require(flags <= 1, "unknown flags")
            self.columns.append((channel, bool(flags)))
        self.blocks = []
        if self.count == 0:
            return reader.finish()
        require(self.columns and self.columns[0][0] == 0, "there is no time")
        blocks = -(-self.count // rows_per_block)
        if blocks == 1:
            self.blocks.append((reader.rest(), self.count))
            return None
        require(24 * blocks <= reader.remaining(), "the index ends too early")
        index = [
            (reader.unpack("I"), reader.unpack("I"), reader.f64(), reader.f64())
            for _ in range(blocks)
        ]
        covered = data[: reader.position]
        require(reader.unpack("I") == crc32c(covered), "the index's checksum does not match")
        for number, (length, checksum, _, _) in enumerate(index):
            block = reader.take(length)
            require(crc32c(block) == checksum, f"the checksum of block {number} does not match")
            rows = min(rows_per_block, self.count - number * rows_per_block)
            self.blocks.append((block, rows))
        reader.finish()
        return None


@dataclass
class Timeline:
    """A decoded timeline. Times as stored; see the format's page for units."""

    samples: dict = field(default_factory=dict)
    estimated: set = field(default_factory=set)
    layout: SampleLayout = None
    phases: list = field(default_factory=list)
    set: dict = None
    provenance: dict = None
    identity: dict = field(default_factory=dict)
    curve: list = field(default_factory=list)
    health: list = field(default_factory=list)
    other_sections: list = field(default_factory=list)

    @property
    def count(self):
        return self.layout.count if self.layout else 0


def table(reader, columns):
    rows = reader.varint()
    runs = -(-rows // 65536)
    require(2 * columns * runs <= reader.remaining(), f"{reader.place} ends too early")
    result = [[] for _ in range(columns)]
    for start in range(0, rows, 65536):
        for column in result:
            codec = reader.u8()
            data = reader.take(reader.varint())
            column.extend(plain_column(codec, data, min(65536, rows - start)).tolist())
    return list(zip(*result))


def read_samples(data, timeline):
    layout = SampleLayout(data)
    timeline.layout = layout
    parts = {channel: [] for channel, _ in layout.columns if channel < len(CHANNELS)}
    for block_data, rows in layout.blocks:
        block = Block(block_data, rows, layout)
        for channel, columns in parts.items():
            columns.append(block.column(channel))
    for channel, estimated in layout.columns:
        if layout.count and channel < len(CHANNELS):
            timeline.samples[CHANNELS[channel]] = np.concatenate(parts[channel])
            if estimated:
                timeline.estimated.add(CHANNELS[channel])


def read_phases(reader, timeline):
    row = 0
    count = reader.varint()
    require(3 * count <= reader.remaining(), "phases end too early")
    for _ in range(count):
        phase = reader.u8()
        require(phase <= 1, "unknown phase")
        row += reader.varint()
        length = reader.varint()
        timeline.phases.append((("execution", "rest")[phase], row, row + length))
        row += length


def read_set(reader, timeline):
    cause = reader.u8()
    require(cause <= 1, "unknown cause")
    timeline.set = {
        "cause": ("declared", "detected")[cause],
        "start": reader.f64(), "end": reader.f64(), "confidence": reader.f64(),
        "reps": table(reader, 3), "partialReps": table(reader, 3),
    }


def same_names(names):
    """Returns whether two names are equal or canonically equivalent."""
    return len({unicodedata.normalize("NFC", name) for name in names}) < len(names)


def read_named(reader, count, read):
    values, last = {}, None
    for _ in range(count):
        name = reader.text()
        # Python strings compare like their UTF-8.
        require(last is None or last < name, "names out of order")
        last = name
        values[name] = read()
    require(not same_names(values), "a name comes twice")
    return values


def read_provenance(reader, timeline):
    timeline.provenance = {"writer": reader.text(), "detector": reader.text()}
    count = reader.varint()
    require(2 * count <= reader.remaining(), "provenance ends too early")
    timeline.provenance["settings"] = read_named(reader, count, reader.text)


def read_identity(reader, timeline):
    present = reader.u8()
    require(present < 16, "unknown fields")
    for bit, name in enumerate(("sessionId", "exerciseId", "setId")):
        if present >> bit & 1:
            kind = reader.u8()
            require(kind <= 2, "unknown kind of id")
            if kind == 0:
                timeline.identity[name] = reader.text()
            else:
                text = str(uuid.UUID(bytes=bytes(reader.take(16))))
                timeline.identity[name] = text.upper() if kind == 1 else text
    if present & 8:
        timeline.identity["unixTimeOfFirstSample"] = reader.f64()


def sections(data):
    """Returns the (type, payload) pairs of a timeline with verified checksums."""
    require(len(data) >= 8 and data[:8] == MAGIC, "not a timeline")
    reader = Reader(data, "header")
    reader.take(8)
    major, _, count = reader.u8(), reader.u8(), reader.unpack("H")
    checksum = reader.unpack("I")
    require(major == 1, f"version {major} of the format is not known")
    directory = reader.take(12 * count)
    require(crc32c(bytes(data[:12]) + bytes(directory)) == checksum, "the header is damaged")
    result = []
    for index in range(count):
        entry = directory[12 * index : 12 * index + 12]
        kind = int.from_bytes(entry[:2], "little")
        length = int.from_bytes(entry[2:8], "little")
        require(kind != 0, "a section of type 0")
        payload = reader.take(length)
        require(
            crc32c(payload) == int.from_bytes(entry[8:], "little"),
            f"the checksum of section {kind} does not match",
        )
        result.append((kind, payload))
    reader.finish()
    return result


def decode(data):
    """Decodes a whole timeline; raises TimelineError."""
    data = bytes(data)
    timeline = Timeline()
    seen = set()
    for kind, payload in sections(data):
        reader = Reader(payload, f"section {kind}")
        require(kind not in seen or kind not in KNOWN, f"two sections of type {kind}")
        seen.add(kind)
        if kind == SAMPLES:
            read_samples(payload, timeline)
            continue
        if kind == PHASES:
            read_phases(reader, timeline)
        elif kind == COUNTED_SET:
            read_set(reader, timeline)
        elif kind == PROVENANCE:
            read_provenance(reader, timeline)
        elif kind == IDENTITY:
            read_identity(reader, timeline)
        elif kind == CURVE:
            timeline.curve = table(reader, 3)
            whole = all(0 <= rep < 2**63 and rep == int(rep) for _, _, rep in timeline.curve)
            require(whole, "a rep's number is not one")
        elif kind == HEALTH:
            timeline.health = table(reader, 3)
        else:
            require(not kind & 0x8000, f"section {kind} has to be known")
            timeline.other_sections.append((kind, payload))
            continue
        reader.finish()
    last = timeline.phases[-1][2] if timeline.phases else 0
    require(last <= timeline.count, "a phase reaches past the last sample")
    return timeline


# Command line ---------------------------------------------------------------------------------


def describe(name, data):
    timeline = decode(data)
    print(f"{name}: {len(data)} bytes, {timeline.count} samples", end="")
    print(f", {len(data) / timeline.count:.2f} bytes a sample" if timeline.count else "")
    for kind, payload in sections(data):
        print(f"  section {kind}: {len(payload)} bytes")
    if timeline.layout:
        for block, rows in timeline.layout.blocks:
            parts = Block(block, rows, timeline.layout).parts
            columns = (f"{CHANNELS[c]} {codec}:{len(d)}" for c, (codec, d) in parts.items())
            print(f"  block of {rows} rows (codec:bytes): " + ", ".join(columns))
    if timeline.set:
        print(f"  set: {len(timeline.set['reps'])} reps, {timeline.set['cause']}")


def check(folder):
    failures = 0
    blobs = sorted(Path(folder).glob("*.blob"))
    for path in blobs:
        timeline = decode(path.read_bytes())
        values = b"".join(column.astype("<f8").tobytes() for column in timeline.samples.values())
        same = values == path.with_suffix(".values").read_bytes()
        failures += not same
        print(f"{path.name}: {timeline.count} samples, {'same' if same else 'DIFFERENT'}")
    return 1 if failures or not blobs else 0


def stored_segments(path):
    """Yields (segment's id, key of its set or None, number of samples, bytes or None) of a history.

    Bytes are None if SQLite cannot read them from a damaged file.
    """
    database = sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro", uri=True)
    try:
        segments = database.execute(
            "SELECT g.id, s.key, g.sampleCount FROM segment g"
            " LEFT JOIN workout_set s ON s.id = g.setId ORDER BY g.recordingId, g.position"
        ).fetchall()
        for segment in segments:
            try:
                row = database.execute(
                    "SELECT data FROM blob WHERE segmentId = ?", segment[:1]
                ).fetchone()
            except sqlite3.DatabaseError:
                row = None
            yield (*segment, row and row[0])
    finally:
        database.close()


def shortest_prefix(text):
    """Returns the shortest prefix of a key that identifies it."""
    return 8 if text.isdigit() else 4


def may_mean(reference, key):
    """Returns whether a printed name of a set, a prefix or a shortened form, may mean this key."""
    short = re.fullmatch(r"([0-9a-f]{4,64})(-\d+)", reference, re.I)
    if short and re.fullmatch(f"{short[1]}[0-9a-f]{{{64 - len(short[1])}}}{short[2]}", key, re.I):
        return True
    parts = [re.escape(part) for part in reference.replace("...", "…").split("…")]
    if len(parts) == 1:
        return len(reference) >= shortest_prefix(reference) and re.match(parts[0], key, re.I)
    return any(parts) and re.fullmatch(".*".join(parts), key, re.I)


def stored_set(path, reference):
    """Returns the key of the set identified by a number, a key, its prefix or its shortened form."""
    reference = reference.removeprefix("'")
    database = sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro", uri=True)
    try:
        keys = [key for (key,) in database.execute("SELECT key FROM workout_set ORDER BY id")]
    finally:
        database.close()
    if reference in keys:
        return reference
    if reference.isdigit() and 1 <= int(reference) <= len(keys):
        return keys[int(reference) - 1]
    found = [key for key in keys if may_mean(reference, key)]
    require(found, f"there is no set {reference}")
    require(len(found) == 1, f"{reference} may be {len(found)} sets: {', '.join(found[:4])}")
    return found[0]


def stored_timelines(path):
    """Yields (key of the set, or None for rest; Timeline) of a history, in order."""
    for segment, key, expected, data in stored_segments(path):
        require(data is not None, f"segment {segment} has no timeline")
        timeline = decode(data)
        require(timeline.count == expected, f"segment {segment} has another number of samples")
        yield key, timeline


def check_store(path):
    """Verifies every timeline of a history; an error in one does not hide the others."""
    count = failures = samples = 0
    for segment, key, expected, data in stored_segments(path):
        count += 1
        try:
            require(data is not None, "its timeline is missing or cannot be read")
            timeline = decode(data)
            require(timeline.count == expected, "another number of samples")
            samples += timeline.count
        except TimelineError as error:
            failures += 1
            print(f"{path}: segment {segment} ({f'set {key}' if key else 'rest'}): {error}")
    state = f"{failures} damaged" if failures else "all intact"
    print(f"{path}: {count} timelines, {samples} samples, {state}")
    return 1 if failures else 0


def bits_of(value):
    return struct.pack(">d", value).hex()


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def summary(timeline):
    """Returns the content of a timeline as lines of text, for comparison with another reader."""
    lines = []
    if timeline.layout:
        layout = timeline.layout
        lines.append(f"samples {layout.count} {layout.clock} {layout.time_unit} {layout.units}")
    for name, values in timeline.samples.items():
        digest = sha256(values.astype("<f8").tobytes())
        lines.append(f"column {name} {int(name in timeline.estimated)} {digest}")
    lines += [f"phase {phase} {start} {end}" for phase, start, end in timeline.phases]
    if timeline.set:
        numbers = (timeline.set[name] for name in ("start", "end", "confidence"))
        lines.append(f"set {timeline.set['cause']} " + " ".join(map(bits_of, numbers)))
        lines += ["rep " + " ".join(map(bits_of, rep)) for rep in timeline.set["reps"]]
        lines += ["partial " + " ".join(map(bits_of, rep)) for rep in timeline.set["partialReps"]]
    if timeline.provenance:
        lines.append(f"writer {timeline.provenance['writer']}")
        lines.append(f"detector {timeline.provenance['detector']}")
        lines += [f"setting {k} {v}" for k, v in timeline.provenance["settings"].items()]
    for name, value in timeline.identity.items():
        lines.append(f"{name} {bits_of(value) if isinstance(value, float) else value}")
    lines += ["curve " + " ".join(map(bits_of, point)) for point in timeline.curve]
    # An absent reading may be any NaN.
    for reading in timeline.health:
        lines.append("health " + " ".join("-" if v != v else bits_of(v) for v in reading))
    lines += [f"section {kind} {sha256(data)}" for kind, data in timeline.other_sections]
    return lines


def print_summaries(paths):
    for path in paths:
        data = Path(path).read_bytes()
        parts = [(path, data)]
        if is_store(data):
            parts = [(f"{path}#{segment[0]}", segment[3]) for segment in stored_segments(path)]
        for name, blob in parts:
            print(f"= {name}")
            try:
                print("\n".join(summary(decode(blob or b""))))
            except TimelineError:
                print("refused")


def is_store(data):
    return data[:16] == b"SQLite format 3\0"


def print_csv(timeline):
    print(",".join(timeline.samples))
    for row in zip(*(column.tolist() for column in timeline.samples.values())):
        print(",".join("" if value != value else repr(value) for value in row))


def main():
    parser = argparse.ArgumentParser(description="Reads RepTrace timelines.")
    parser.add_argument("paths", nargs="+", help="timelines, or history databases")
    parser.add_argument("--csv", action="store_true", help="print the samples as CSV")
    parser.add_argument("--set", help="a stored set's id as `reptrace history list` gives it")
    parser.add_argument("--check", action="store_true", help="compare *.blob with *.values")
    parser.add_argument("--summary", action="store_true", help="print all that is in there")
    options = parser.parse_args()
    status = 0
    try:
        if options.summary:
            print_summaries(options.paths)
            return 0
        for path in options.paths:
            status = max(status, read(path, options))
    except (TimelineError, OSError, sqlite3.Error) as error:
        print(f"{options.paths[0]}: {error}", file=sys.stderr)
        return 65
    return status


def read(path, options):
    if options.check:
        return check(path)
    data = Path(path).read_bytes()
    if is_store(data):
        if options.set is None:
            return check_store(path)
        wanted = stored_set(path, options.set)
        blobs = [blob for _, key, _, blob in stored_segments(path) if key == wanted]
        require(blobs and blobs[0] is not None, f"there is no set {options.set}")
        data = blobs[0]
    if options.csv:
        print_csv(decode(data))
    else:
        describe(path, data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
