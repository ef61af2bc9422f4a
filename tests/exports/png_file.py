"""Reads PNG files for tests: 8 or 16 bits, RGB or RGBA, not interlaced."""
import struct
import zlib


def read_png(data):
    """(width, height, rows); a row is a list of (r, g, b), 0 ... 255."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + size]
        assert zlib.crc32(kind + body) == struct.unpack_from(">I", data, at + 8 + size)[0]
        if kind == b"IHDR":
            width, height, bits, color, _, _, interlaced = struct.unpack(">IIBBBBB", body)
            assert bits in (8, 16) and color in (2, 6) and not interlaced, (bits, color)
        if kind == b"IDAT":
            packed += body
        at += 12 + size
    raw = zlib.decompress(packed)
    channels, width_of = (3 if color == 2 else 4), bits // 8
    step = channels * width_of
    stride, rows, before = width * step, [], bytearray(width * step)
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        unfilter(kind, line, before, step)
        rows.append([tuple(line[i + c * width_of] for c in range(3)) for i in range(0, stride, step)])
        before = line
    return width, height, rows


def unfilter(kind, line, before, step):
    if kind == 1:
        for i in range(step, len(line)):
            line[i] = (line[i] + line[i - step]) & 255
    elif kind == 2:
        for i in range(len(line)):
            line[i] = (line[i] + before[i]) & 255
    elif kind == 3:
        for i in range(len(line)):
            left = line[i - step] if i >= step else 0
            line[i] = (line[i] + (left + before[i]) // 2) & 255
    elif kind == 4:
        for i in range(len(line)):
            a = line[i - step] if i >= step else 0
            b, c = before[i], before[i - step] if i >= step else 0
            p = a + b - c
            pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
            line[i] = (line[i] + (a if pa <= pb and pa <= pc else b if pb <= pc else c)) & 255
