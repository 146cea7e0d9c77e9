/// A value that a snapshot stores as its memory. It has no padding, every bit pattern is valid, and its byte
/// order is that of all processors that Swift runs on.
package protocol PlainValue: Codable {}

extension PlainValue {
  /// Encodes the bytes of the value, in any format.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(withUnsafeBytes(of: self) { Array($0) })
  }

  /// - Parameter bytes: At least as many bytes as the value has.
  package init(_ bytes: some Collection<UInt8>) {
    self = Array(bytes).withUnsafeBytes { $0.loadUnaligned(as: Self.self) }
  }

  package init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([UInt8].self))
  }
}

extension Int: PlainValue {}
extension Int8: PlainValue {}
extension Int16: PlainValue {}
extension Int32: PlainValue {}
extension Int64: PlainValue {}
extension UInt: PlainValue {}
extension UInt8: PlainValue {}
extension UInt16: PlainValue {}
extension UInt32: PlainValue {}
extension UInt64: PlainValue {}
extension Float: PlainValue {}
extension Double: PlainValue {}
extension SIMD4: PlainValue where Scalar: PlainValue {}
extension SIMD8: PlainValue where Scalar: PlainValue {}

/// A sequence of plain values, stored as their number in four bytes, then the values.
package protocol PlainSequence {
  func append(to bytes: inout [UInt8])
  static func read(from reader: SnapshotReader) throws -> Self
}

extension Array: PlainSequence where Element: PlainValue {
  package func append(to bytes: inout [UInt8]) {
    Swift.withUnsafeBytes(of: UInt32(truncatingIfNeeded: count)) { bytes.append(contentsOf: $0) }
    withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  package static func read(from reader: SnapshotReader) throws -> [Element] {
    let count = try reader.count()
    let bytes = try reader.take(count, of: MemoryLayout<Element>.stride)
    return [Element](unsafeUninitializedCapacity: count) { elements, initialized in
      UnsafeMutableRawBufferPointer(elements).copyBytes(from: bytes)
      initialized = count
    }
  }
}

/// A state that several parts share. A snapshot stores it once.
package protocol SharedState: AnyObject, Codable {}
