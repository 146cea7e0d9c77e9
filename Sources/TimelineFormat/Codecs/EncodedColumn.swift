/// An encoded column of a block.
struct EncodedColumn {
  var codec: ColumnCodec
  var payload: [UInt8]
}

extension EncodedColumn {
  /// Encodes values as constant, shuffled LZ4 or raw, whichever applies first.
  static func shuffled(_ values: [Double]) -> EncodedColumn {
    if let constant = constant(values) { return constant }
    let shuffled = ByteShuffle.shuffle(values)
    if let compressed = LZ4Block.compress(shuffled) {
      return EncodedColumn(codec: .shuffledLZ4, payload: compressed)
    }
    return raw(values)
  }

  static func raw(_ values: [Double]) -> EncodedColumn {
    var payload: [UInt8] = []
    payload.reserveCapacity(8 * values.count)
    for value in values {
      withUnsafeBytes(of: value.bitPattern.littleEndian) { payload.append(contentsOf: $0) }
    }
    return EncodedColumn(codec: .raw, payload: payload)
  }

  /// Returns a constant column; nil if there are no values or their bits differ.
  static func constant(_ values: [Double]) -> EncodedColumn? {
    guard let first = values.first else { return nil }
    for value in values where value.bitPattern != first.bitPattern { return nil }
    var writer = ByteWriter()
    writer.double(first)
    return EncodedColumn(codec: .constant, payload: writer.bytes)
  }
}

extension EncodedColumn {
  /// Decodes a column that depends on no other column.
  ///
  /// - Parameters:
  ///   - id: The codec's id in the format.
  ///   - payload: Position of the column's bytes.
  ///   - count: Number of rows in the block, at least 1.
  static func decode(
    codec id: UInt8, _ bytes: [UInt8], payload: Range<Int>, count: Int, place: String
  ) throws(TimelineError) -> [Double] {
    guard let codec = ColumnCodec(rawValue: id) else {
      throw .unknownCodec(id: Int(id), place: place)
    }
    switch codec {
    case .raw:
      guard payload.count == 8 * count else {
        throw .malformed(place: place, reason: "a raw column has eight bytes a row")
      }
      return bytes.withUnsafeBytes { buffer in
        [Double](unsafeUninitializedCapacity: count) { values, written in
          for row in 0..<count {
            let bits = buffer.loadUnaligned(
              fromByteOffset: payload.lowerBound + 8 * row, as: UInt64.self)
            values[row] = Double(bitPattern: UInt64(littleEndian: bits))
          }
          written = count
        }
      }
    case .constant:
      guard payload.count == 8 else {
        throw .malformed(place: place, reason: "a constant column has eight bytes")
      }
      var reader = ByteReader(bytes, range: payload, place: place)
      return [Double](repeating: try reader.double(), count: count)
    case .shuffledLZ4:
      guard let shuffled = LZ4Block.decompress(bytes[payload], size: 8 * count) else {
        throw .malformed(place: place, reason: "not an LZ4 block of \(8 * count) bytes")
      }
      return ByteShuffle.unshuffle(shuffled)
    case .scaledIntegers, .splitFloats:
      let head = try QuantizedHead(
        bytes, codec: codec, payload: payload, count: count, place: place)
      return try head.decode(bytes, count: count, place: place)
    case .derivedGravity, .accelerationLattice:
      throw .malformed(place: place, reason: "a \(codec.name) column without an attitude")
    }
  }
}
