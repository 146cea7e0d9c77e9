import Foundation

/// A thread whose end is waited for.
///
/// `Thread` can only be detached: what it owns is freed at some time after its work, also while the
/// process ends and its libraries tear themselves down. That corrupted the heap about once in a
/// thousand runs.
struct JoinedThread: ~Copyable {
  private let handle: pthread_t

  /// - Throws: ``InputError`` where the system has no thread to give.
  init(_ body: @escaping @Sendable () -> Void) throws {
    let box = Unmanaged.passRetained(Body(run: body))
    #if canImport(Darwin)
      var handle: pthread_t?
    #else
      var handle = pthread_t()
    #endif
    let code = pthread_create(&handle, nil, runBody, box.toOpaque())
    guard code == 0 else {
      box.release()
      throw InputError(code: code)
    }
    #if canImport(Darwin)
      guard let handle else { throw InputError(code: EAGAIN) }
    #endif
    self.handle = handle
  }

  /// Waits until it has ended and nothing of it is left.
  consuming func join() { pthread_join(handle, nil) }
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
