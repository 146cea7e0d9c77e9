import Foundation

/// A thread that must be joined.
///
/// `Thread` can only be detached: its resources are freed some time after its work, possibly while the
/// process exits and its libraries shut down. That corrupted the heap about once in a thousand runs.
package struct JoinedThread: ~Copyable {
  private let handle: pthread_t

  /// - Throws: ``ThreadError`` if the system cannot create a thread.
  package init(_ body: @escaping @Sendable () -> Void) throws {
    let box = Unmanaged.passRetained(Body(run: body))
    #if canImport(Darwin)
      var handle: pthread_t?
    #else
      var handle = pthread_t()
    #endif
    let code = pthread_create(&handle, nil, runBody, box.toOpaque())
    guard code == 0 else {
      box.release()
      throw ThreadError(code: code)
    }
    #if canImport(Darwin)
      guard let handle else { throw ThreadError(code: EAGAIN) }
    #endif
    self.handle = handle
  }

  /// Waits until the thread has ended and its resources are freed.
  package consuming func join() { pthread_join(handle, nil) }
}

/// The system could not create a thread.
package struct ThreadError: Error, CustomStringConvertible {
  var code: Int32

  package var description: String { "cannot start a thread: \(String(cString: strerror(code)))" }
}

private final class Body {
  let run: @Sendable () -> Void

  init(run: @escaping @Sendable () -> Void) { self.run = run }
}

#if canImport(Darwin)
  private func runBody(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
    return nil
  }
#else
  private func runBody(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
    return nil
  }
#endif
