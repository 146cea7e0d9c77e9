"""The C interface (`reptrace.h`) through ctypes. Calls release the interpreter lock."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from ctypes import (
    POINTER,
    Structure,
    byref,
    c_char,
    c_char_p,
    c_double,
    c_int,
    c_int8,
    c_int32,
    c_size_t,
    c_ssize_t,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
    sizeof,
    string_at,
)
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import CLASSES, RepTraceError

FloatArray = npt.NDArray[np.float64]

INTERFACE_VERSION = 1

#: The names of the channels, by their numbers in the C interface.
CHANNELS = (
    "timestamp",
    "accelerationX", "accelerationY", "accelerationZ",
    "rotationX", "rotationY", "rotationZ",
    "gravityX", "gravityY", "gravityZ",
    "roll", "pitch", "yaw",
    "magneticFieldX", "magneticFieldY", "magneticFieldZ",
    "quaternionW", "quaternionX", "quaternionY", "quaternionZ",
    "totalAccelerationX", "totalAccelerationY", "totalAccelerationZ",
)  # fmt: skip

PHASES = (None, "execution", "rest")
CAUSES = ("declared", "detected")


class _Sized(Structure):
    """A struct that begins with its own size."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(struct_size=sizeof(type(self)), **fields)


class Error(_Sized):
    _fields_ = [("struct_size", c_size_t), ("status", c_int32), ("message", c_char * 1012)]


class Units(Structure):
    _fields_ = [
        ("time", c_uint8),
        ("user_acceleration", c_uint8),
        ("total_acceleration", c_uint8),
        ("gravity", c_uint8),
        ("rotation_rate", c_uint8),
        ("attitude", c_uint8),
        ("clock", c_uint8),
        ("reserved", c_uint8),
    ]


class Column(Structure):
    _fields_ = [
        ("values", c_void_p),
        ("stride", c_ssize_t),
        ("channel", c_uint8),
        ("reserved", c_uint8 * 7),
    ]


class Samples(_Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("count", c_size_t),
        ("columns", POINTER(Column)),
        ("column_count", c_size_t),
        ("units", Units),
        ("phases", c_void_p),
    ]


class RepStruct(Structure):
    _fields_ = [("start", c_double), ("end", c_double), ("confidence", c_double)]


class SetStruct(_Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("cause", c_uint8),
        ("reserved", c_uint8 * 7),
        ("start", c_double),
        ("end", c_double),
        ("confidence", c_double),
        ("reps", POINTER(RepStruct)),
        ("rep_count", c_size_t),
        ("partial_reps", POINTER(RepStruct)),
        ("partial_rep_count", c_size_t),
    ]


class HintsStruct(_Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("expected_period", c_double),
        ("target_reps", c_uint32),
        ("minimum_reps", c_uint32),
        ("alternating", c_int8),
        ("reserved", c_uint8 * 7),
        ("exercise", c_char_p),
        ("set_probability", c_double),
        ("set_prior", c_double),
    ]


class EventStruct(_Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("kind", c_uint8),
        ("cause", c_uint8),
        ("from_phase", c_uint8),
        ("to_phase", c_uint8),
        ("reserved", c_uint8 * 4),
        ("time", c_double),
        ("start", c_double),
        ("count", c_uint64),
        ("rep", RepStruct),
        ("set", SetStruct),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.set.struct_size = sizeof(SetStruct)


class Reading(_Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("format", c_char_p),
        ("dates", c_char_p),
        ("columns", c_char_p),
    ]


class EvaluationOptions(_Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("mode", c_uint8),
        ("reserved", c_uint8 * 7),
        ("rate", c_double),
        ("margin", c_double),
    ]


def _library_path() -> Path:
    override = os.environ.get("REPTRACE_LIBRARY")
    if override:
        return Path(override)
    suffix = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
    return Path(__file__).parent / f"libreptrace{suffix}"


def _load() -> ctypes.CDLL:
    path = _library_path()
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise ImportError(
            f"the native library of reptrace cannot be loaded from {path}: {error}. "
            "Install a wheel, or build it from source (python/README.md)"
        ) from error
    handle, error_pointer = c_void_p, POINTER(Error)
    handle_result = POINTER(c_void_p)
    double_result = POINTER(POINTER(c_double))
    functions: dict[str, tuple[Any, list[Any]]] = {
        "version": (c_char_p, []),
        "interface_version": (c_uint32, []),
        "sets_count": (
            c_int32,
            [POINTER(Samples), c_int, POINTER(HintsStruct), handle_result, error_pointer],
        ),
        "sets_size": (c_size_t, [handle]),
        "sets_get": (c_int32, [handle, c_size_t, POINTER(SetStruct), error_pointer]),
        "sets_analyze": (c_int32, [handle, c_size_t, handle_result, error_pointer]),
        "sets_destroy": (None, [handle]),
        "detector_create": (c_int32, [c_int, POINTER(HintsStruct), handle_result, error_pointer]),
        "detector_destroy": (None, [handle]),
        "detector_append": (c_int32, [handle, POINTER(Samples), error_pointer]),
        "detector_begin_set": (c_int32, [handle, POINTER(HintsStruct), error_pointer]),
        "detector_end_set": (c_int32, [handle, error_pointer]),
        "detector_finish": (c_int32, [handle, error_pointer]),
        "detector_take_event": (
            c_int32,
            [handle, POINTER(EventStruct), POINTER(c_int), error_pointer],
        ),
        "detector_snapshot": (c_int32, [handle, handle_result, error_pointer]),
        "detector_restore": (c_int32, [c_char_p, c_size_t, handle_result, error_pointer]),
        "bytes_data": (c_void_p, [handle]),
        "bytes_size": (c_size_t, [handle]),
        "bytes_destroy": (None, [handle]),
        "recordings_open": (c_int32, [c_char_p, POINTER(Reading), handle_result, error_pointer]),
        "recordings_size": (c_size_t, [handle]),
        "recordings_metadata": (c_char_p, [handle]),
        "recording_metadata": (c_char_p, [handle, c_size_t]),
        "recording_column": (
            c_int32,
            [handle, c_size_t, c_uint8, double_result, POINTER(c_size_t), error_pointer],
        ),
        "recording_count": (
            c_int32,
            [handle, c_size_t, c_int, POINTER(HintsStruct), handle_result, error_pointer],
        ),
        "recordings_destroy": (None, [handle]),
        "inputs_open": (
            c_int32,
            [POINTER(c_char_p), c_size_t, POINTER(Reading), handle_result, error_pointer],
        ),
        "inputs_size": (c_size_t, [handle]),
        "inputs_load": (c_int32, [handle, c_size_t, handle_result, error_pointer]),
        "inputs_destroy": (None, [handle]),
        "evaluation_open": (
            c_int32,
            [
                c_char_p,
                c_char_p,
                POINTER(EvaluationOptions),
                POINTER(HintsStruct),
                POINTER(Reading),
                handle_result,
                error_pointer,
            ],
        ),
        "evaluation_size": (c_size_t, [handle]),
        "evaluation_count": (c_int32, [handle, c_size_t, error_pointer]),
        "evaluation_report": (
            c_int32,
            [handle, POINTER(c_char_p), c_size_t, handle_result, error_pointer],
        ),
        "evaluation_destroy": (None, [handle]),
        "timeline_encode": (
            c_int32,
            [POINTER(Samples), POINTER(SetStruct), c_int, handle_result, error_pointer],
        ),
        "timeline_decode": (c_int32, [c_char_p, c_size_t, handle_result, error_pointer]),
        "timeline_metadata": (c_char_p, [handle]),
        "timeline_column": (
            c_int32,
            [handle, c_uint8, double_result, POINTER(c_size_t), error_pointer],
        ),
        "timeline_set": (c_int32, [handle, POINTER(SetStruct), POINTER(c_int), error_pointer]),
        "timeline_destroy": (None, [handle]),
    }
    bind(functions, library)
    found = library.reptrace_interface_version()
    if found != INTERFACE_VERSION:
        raise ImportError(
            f"{path} has version {found} of RepTrace's C interface; "
            f"this package needs version {INTERFACE_VERSION}"
        )
    return library


def bind(functions: Mapping[str, tuple[Any, list[Any]]], library: ctypes.CDLL) -> None:
    """Declares results and arguments of functions."""
    for name, (result, arguments) in functions.items():
        function = getattr(library, f"reptrace_{name}")
        function.restype = result
        function.argtypes = arguments


library = _load()


def version() -> str:
    """Returns the version of the native library."""
    return str(library.reptrace_version().decode())


def call(name: str, *arguments: Any) -> None:
    """Calls a function that can fail, and raises the reported error."""
    error = Error()
    status = getattr(library, f"reptrace_{name}")(*arguments, byref(error))
    if status:
        message = error.message.decode(errors="replace")
        raise CLASSES.get(status, RepTraceError)(message)


def text(value: str | os.PathLike[str] | None) -> bytes | None:
    """Converts a text or path for the library, which ends texts at their first zero byte."""
    encoded = None if value is None else os.fsencode(value)
    if encoded is not None and b"\0" in encoded:
        raise ValueError("embedded null byte")
    return encoded


def texts(values: Sequence[str | os.PathLike[str]]) -> Any:
    """Converts texts or paths to an array for the library."""
    return (c_char_p * len(values))(*map(text, values))


class Handle:
    """An object of the library, destroyed with its last reference."""

    def __init__(self, destroy: str) -> None:
        self.pointer = c_void_p()
        self._destroy = getattr(library, f"reptrace_{destroy}_destroy")

    def __del__(self) -> None:
        if getattr(self, "pointer", None):
            self._destroy(self.pointer)
            self.pointer = c_void_p()


def content(lent: Handle) -> bytes:
    """Copies the content of an object of the type ``bytes``."""
    size = library.reptrace_bytes_size(lent.pointer)
    return string_at(library.reptrace_bytes_data(lent.pointer), size)


class _Lent:
    """Keeps the owner of memory alive as long as an array refers to it."""

    def __init__(self, address: int, count: int, owner: Handle) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "shape": (count,),
            "typestr": "<f8" if sys.byteorder == "little" else ">f8",
            "data": (address, True),
            "version": 3,
        }


def lent_columns(owner: Handle, function: str, *index: int) -> Iterator[tuple[str, FloatArray]]:
    """Returns the columns of an object as read-only arrays that refer to the library's memory."""
    for channel, name in enumerate(CHANNELS):
        values, count = POINTER(c_double)(), c_size_t()
        call(function, owner.pointer, *index, channel, byref(values), byref(count))
        if values:
            address = ctypes.cast(values, c_void_p).value or 0
            yield name, np.asarray(_Lent(address, count.value, owner))


class SampleStruct:
    """Columns in the library's format; keeps the arrays alive.

    Float64 columns are not copied, whatever their stride; others are converted.
    """

    def __init__(
        self,
        columns: Mapping[str, npt.ArrayLike],
        units: Units,
        phases: npt.NDArray[np.uint8] | None = None,
    ) -> None:
        arrays = {name: np.asarray(values, dtype=np.float64) for name, values in columns.items()}
        lengths = {name: len(array) for name, array in arrays.items() if array.ndim == 1}
        if len(lengths) != len(arrays):
            wrong = next(name for name in arrays if name not in lengths)
            raise ValueError(f"{wrong} has {arrays[wrong].ndim} dimensions; expected one")
        if len(set(lengths.values())) > 1:
            raise ValueError(f"columns differ in length: {lengths}")
        count = next(iter(lengths.values()), 0)
        self._kept: list[Any] = list(arrays.values())
        structs = (Column * len(arrays))()
        for struct, (name, array) in zip(structs, arrays.items(), strict=True):
            # The library accepts only aligned values, and interprets a stride of 0 as no stride.
            if array.strides[0] % 8 or array.ctypes.data % 8 or array.strides[0] == 0:
                array = array.copy()
                self._kept.append(array)
            struct.values = array.ctypes.data
            struct.stride = array.strides[0]
            struct.channel = CHANNELS.index(name)
        self._kept.append(structs)
        self.struct = Samples(count=count, columns=structs, column_count=len(arrays), units=units)
        if phases is not None:
            if len(phases) != count:
                raise ValueError(f"{len(phases)} phases for {count} samples")
            self._kept.append(phases)
            self.struct.phases = phases.ctypes.data

    @property
    def pointer(self) -> Any:
        return byref(self.struct)
