# Reads the .npy files our tools write. Standard library only.
import array
import ast
import struct


def read_npy(path):
    """Returns shape and f32 values."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
    (length,) = struct.unpack_from("<H", data, 8)
    header = ast.literal_eval(data[10 : 10 + length].decode())
    assert header["descr"] == "<f4" and not header["fortran_order"], header
    return list(header["shape"]), array.array("f", data[10 + length :])
