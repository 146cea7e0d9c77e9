// Values cross to JavaScript in linear memory: texts as UTF-8, columns as 64-bit floats.

/// Allocates memory for JavaScript to write into.
@_cdecl("reptrace_allocate")
public func allocate(_ count: Int32) -> UnsafeMutableRawPointer {
  UnsafeMutableRawPointer.allocate(byteCount: Int(count), alignment: 16)
}

@_cdecl("reptrace_free")
public func free(_ pointer: UnsafeMutableRawPointer) { pointer.deallocate() }

/// The last returned text and column.
private nonisolated(unsafe) var text: [UInt8] = []
private nonisolated(unsafe) var column: [Double] = []

/// Stores a text for JavaScript to read, and returns its size in bytes.
func returned(_ result: String) -> Int32 {
  text = Array(result.utf8)
  return Int32(text.count)
}

/// Stores a column for JavaScript to read, and returns its number of values.
func returned(_ result: [Double]) -> Int32 {
  column = result
  return Int32(column.count)
}

/// Returns the last returned text, valid until the next call.
@_cdecl("reptrace_text")
public func textPointer() -> UnsafePointer<UInt8> {
  text.withUnsafeBufferPointer { $0.baseAddress! }
}

/// Returns the last returned column, valid until the next call.
@_cdecl("reptrace_values")
public func valuesPointer() -> UnsafePointer<Double> {
  column.withUnsafeBufferPointer { $0.baseAddress! }
}

func string(_ bytes: UnsafePointer<UInt8>?, _ count: Int32) -> String {
  String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
}
