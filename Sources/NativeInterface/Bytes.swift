// Functions have the names that C calls them by.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRepTrace
import Motion

@c @implementation
public func reptrace_version() -> UnsafePointer<CChar>? { versionText.pointer }

@c @implementation
public func reptrace_interface_version() -> UInt32 { UInt32(REPTRACE_INTERFACE_VERSION) }

@c @implementation
public func reptrace_bytes_data(_ bytes: OpaquePointer?) -> UnsafePointer<UInt8>? {
  bytes.flatMap { Handle.object($0, as: LentValues<UInt8>.self).pointer }
}

@c @implementation
public func reptrace_bytes_size(_ bytes: OpaquePointer?) -> Int {
  bytes.map { Handle.object($0, as: LentValues<UInt8>.self).count } ?? 0
}

@c @implementation
public func reptrace_bytes_destroy(_ bytes: OpaquePointer?) {
  Handle.destroy(bytes, LentValues<UInt8>.self)
}

/// Valid for the lifetime of the process.
private let versionText = LentText(libraryVersion)
