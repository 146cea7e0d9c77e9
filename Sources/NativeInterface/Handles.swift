/// Swift objects as opaque C pointers. Each pointer holds one reference.
enum Handle {
  static func create(_ object: AnyObject) -> OpaquePointer {
    OpaquePointer(Unmanaged.passRetained(object).toOpaque())
  }

  static func object<Object: AnyObject>(
    _ handle: OpaquePointer?, _ name: String, as type: Object.Type = Object.self
  ) throws -> Object {
    object(try required(handle, name))
  }

  static func object<Object: AnyObject>(
    _ handle: OpaquePointer, as type: Object.Type = Object.self
  ) -> Object {
    Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
  }

  static func destroy<Object: AnyObject>(_ handle: OpaquePointer?, _ type: Object.Type) {
    guard let handle else { return }
    Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).release()
  }
}

/// Values at an address that is stable for the object's lifetime, for lending to C.
final class LentValues<Value: BitwiseCopyable>: Sendable {
  private nonisolated(unsafe) let buffer: UnsafeMutableBufferPointer<Value>

  init(_ values: some Collection<Value>) {
    buffer = .allocate(capacity: values.count)
    _ = buffer.initialize(from: values)
  }

  deinit { buffer.deallocate() }

  var count: Int { buffer.count }
  /// The address of the first value; nil if there are no values.
  var pointer: UnsafePointer<Value>? {
    buffer.isEmpty ? nil : UnsafePointer(buffer.baseAddress)
  }
}

/// A zero-terminated text at a stable address.
final class LentText: Sendable {
  private nonisolated(unsafe) let bytes: UnsafeMutablePointer<CChar>

  init(_ text: String) {
    let characters = text.utf8CString
    bytes = .allocate(capacity: characters.count)
    for (index, character) in characters.enumerated() {
      (bytes + index).initialize(to: character)
    }
  }

  deinit { bytes.deallocate() }

  var pointer: UnsafePointer<CChar> { UnsafePointer(bytes) }
}
