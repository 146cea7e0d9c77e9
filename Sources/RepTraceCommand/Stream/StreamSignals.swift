import Foundation

/// Handles signals for a stream.
///
/// SIGTERM and SIGINT end the input. A second one, or the drain deadline, ends the process at once. SIGHUP is
/// ignored. SIGUSR1 calls a function.
final class StreamSignals: Sendable {
  enum Readiness {
    case readable, terminated, nothing
  }

  private let pipe: (read: Int32, write: Int32)
  // Immutable after init; canceled in deinit.
  nonisolated(unsafe) private let sources: [any DispatchSourceSignal]
  private let queue: DispatchQueue

  /// - Parameters:
  ///   - drainSeconds: Time to finish after SIGTERM or SIGINT. After it the process exits with status 74,
  ///     even while it is blocked on its output.
  ///   - onUser: Called on SIGUSR1.
  /// - Throws: ``InputError``.
  init(drainSeconds: Double, onUser: @escaping @Sendable () -> Void = {}) throws {
    var ends: [Int32] = [0, 0]
    guard Foundation.pipe(&ends) == 0 else { throw InputError(code: errno) }
    let writeEnd = ends[1]
    let queue = DispatchQueue(label: "signals")
    pipe = (ends[0], writeEnd)
    self.queue = queue
    let ending = [SIGTERM, SIGINT]
    let terminate = { @Sendable in
      for number in ending { signal(number, SIG_DFL) }
      Self.wake(writeEnd)
      queue.asyncAfter(deadline: .now() + drainSeconds) {
        StandardStreams.note(
          "not finished within \(drainSeconds) s of the signal to end; with --store, what was "
            + "acknowledged is in it, and what was not said is said by the next run")
        _exit(ExitStatus.cannotWriteOutput.rawValue)
      }
    }
    sources = (ending + [SIGUSR1]).map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { number == SIGUSR1 ? onUser() : terminate() }
      source.resume()
      return source
    }
    // Keep running without a terminal. Writing to a closed output should fail, not kill the process.
    for number in [SIGHUP, SIGPIPE] { signal(number, SIG_IGN) }
  }

  deinit {
    for source in sources { source.cancel() }
  }

  /// Calls a function every `seconds`, but never while SIGUSR1 is being handled.
  func every(_ seconds: Double, _ body: @escaping @Sendable () -> Void) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now(), repeating: seconds)
    timer.setEventHandler(handler: body)
    timer.resume()
    return timer
  }

  /// Ends the input, like SIGTERM.
  func endInput() { Self.wake(pipe.write) }

  private static func wake(_ descriptor: Int32) {
    var byte: UInt8 = 0
    _ = Foundation.write(descriptor, &byte, 1)
  }

  /// Waits for input or termination.
  ///
  /// - Parameter blocks: True to wait; false to poll.
  func wait(for descriptor: Int32, blocks: Bool) -> Readiness {
    while true {
      var polled = [
        pollfd(fd: pipe.read, events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&polled, 2, blocks ? -1 : 0)
      if count < 0, errno == EINTR { continue }
      if polled[0].revents != 0 { return .terminated }
      if count < 0 || polled[1].revents != 0 { return .readable }
      if !blocks { return .nothing }
    }
  }
}
