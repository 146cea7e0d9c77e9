import Foundation

/// Turns SIGTERM and SIGINT into the end of input. A second one ends the process at once.
final class TerminationSignal {
  enum Readiness {
    case readable, terminated, nothing
  }

  private let pipe: (read: Int32, write: Int32)
  private var sources: [any DispatchSourceSignal] = []

  init() throws {
    var ends: [Int32] = [0, 0]
    guard Foundation.pipe(&ends) == 0 else { throw InputError(code: errno) }
    pipe = (ends[0], ends[1])
    let writeEnd = pipe.write
    for number in [SIGTERM, SIGINT] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(
        signal: number, queue: DispatchQueue(label: "termination"))
      source.setEventHandler {
        var byte: UInt8 = 0
        _ = Foundation.write(writeEnd, &byte, 1)
        signal(number, SIG_DFL)
      }
      source.resume()
      sources.append(source)
    }
    // A closed output is an error of writing, not the end of the process.
    signal(SIGPIPE, SIG_IGN)
  }

  /// Waits for input or termination.
  ///
  /// - Parameter blocks: whether to wait at all.
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
