import CRepTrace
import ChunkDecoding
import RecordingInput
import TimelineFormat

/// An error of the C interface.
struct Failure: Error {
  var status: reptrace_status
  var message: String

  static func invalidArgument(_ message: String) -> Failure {
    Failure(status: REPTRACE_INVALID_ARGUMENT, message: message)
  }

  static func invalidState(_ message: String) -> Failure {
    Failure(status: REPTRACE_INVALID_STATE, message: message)
  }

  init(status: reptrace_status, message: String) {
    self.status = status
    self.message = message
  }

  /// Converts a library error to one for callers in C.
  init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let failure as InputFailure:
      self.init(status: Self.status(of: failure.kind), message: failure.description)
    case TimelineError.tooLarge: self.init(status: REPTRACE_TOO_LARGE, message: "\(error)")
    default: self.init(status: REPTRACE_UNDECODABLE, message: "\(error)")
    }
  }

  private static func status(of kind: InputFailure.Kind) -> reptrace_status {
    switch kind {
    case .missing: REPTRACE_NOT_FOUND
    case .unreadable: REPTRACE_UNREADABLE
    case .undecodable, .noRecording: REPTRACE_UNDECODABLE
    }
  }

  /// Writes the failure to the caller's struct, truncating the message between characters.
  func write(to error: UnsafeMutablePointer<reptrace_error>?) {
    guard let error, error.pointee.struct_size >= MemoryLayout<reptrace_error>.size else { return }
    error.pointee.status = status
    withUnsafeMutableBytes(of: &error.pointee.message) { buffer in
      var length = 0
      for character in message {
        let bytes = character.utf8
        guard length + bytes.count < buffer.count else { break }
        for byte in bytes {
          buffer[length] = byte
          length += 1
        }
      }
      buffer[length] = 0
    }
  }
}

/// Runs the body of an interface function, and converts a thrown error to a status.
func reporting(
  to error: UnsafeMutablePointer<reptrace_error>?, _ body: () throws -> Void
) -> reptrace_status {
  do {
    try body()
    return REPTRACE_OK
  } catch let thrown {
    let failure = Failure(thrown)
    failure.write(to: error)
    return failure.status
  }
}

/// Returns the pointer; throws an error that names it if it is NULL.
func required<Pointer>(_ pointer: Pointer?, _ name: String) throws -> Pointer {
  try known(pointer, else: "\(name) is NULL")
}

/// Returns the value; throws an invalid argument if there is none.
func known<Value>(_ value: Value?, else message: @autoclosure () -> String) throws -> Value {
  guard let value else { throw Failure.invalidArgument(message()) }
  return value
}

/// Throws an invalid argument unless the condition holds.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  guard condition else { throw Failure.invalidArgument(message()) }
}

func checkIndex(_ index: Int, of count: Int, _ name: String) throws {
  try require((0..<count).contains(index), "index \(index) of \(count) \(name)")
}

/// Checks that a caller's struct has all fields of this version.
func checkSize<Struct>(_ size: Int, of type: Struct.Type, _ name: String) throws {
  let expected = MemoryLayout<Struct>.size
  try require(size >= expected, "struct_size of \(name) is \(size); expected at least \(expected)")
}

/// Checks a caller's `size_t`, and throws if the count exceeds the address space.
func checkCount(_ count: Int, _ name: String, atMost limit: Int = Int.max / 256) throws {
  try require(
    (0...limit).contains(count),
    "\(name) is \(UInt(bitPattern: count)); expected at most \(limit)")
}

/// Returns the texts of a caller's array.
func texts(
  _ pointers: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int, _ name: String
) throws -> [String] {
  try checkCount(count, name + "_count", atMost: 1 << 24)
  return try (0..<count).map { index in
    String(cString: try required(required(pointers, name)[index], "\(name)[\(index)]"))
  }
}
