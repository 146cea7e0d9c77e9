import Foundation
import Synchronization

/// The progress line on a terminal. Appears after a second of an activity and is hidden for other output.
enum ProgressLine {
  private struct State {
    var text = ""
    var begin: ContinuousClock.Instant?
    var isDrawn = false
    var hasThread = false
    var isOff = !StandardStreams.errorIsTerminal
  }

  private static let state = Mutex(State())
  private static let delay = Duration.seconds(1)

  /// Shows the current activity until ``clear()``.
  static func show(_ text: String) {
    let needsThread = state.withLock { state -> Bool in
      guard !state.isOff else { return false }
      state.text = TerminalText.printable(text)
      state.begin = state.begin ?? .now
      defer { state.hasThread = true }
      return !state.hasThread
    }
    guard needsThread else { return }
    Thread.detachNewThread {
      while true {
        Thread.sleep(forTimeInterval: 0.25)
        draw()
      }
    }
  }

  /// Shows an activity while a body runs, unless another one is shown already.
  static func during<T>(_ text: String, _ body: () throws -> T) rethrows -> T {
    guard state.withLock({ $0.begin == nil }) else { return try body() }
    show(text)
    defer { clear() }
    return try body()
  }

  /// Ends the current activity.
  static func clear() {
    erase()
    state.withLock { $0.begin = nil }
  }

  /// Hides the line for other output. It reappears if the activity continues.
  static func erase() {
    state.withLock { state in
      if state.isDrawn { try? StandardStreams.write("\r\u{1B}[2K", to: STDERR_FILENO) }
      state.isDrawn = false
    }
  }

  /// Disables the line permanently.
  static func turnOff() {
    clear()
    state.withLock { $0.isOff = true }
  }

  private static func draw() {
    state.withLock { state in
      guard let begin = state.begin, begin.duration(to: .now) > delay else { return }
      let seconds = Int(begin.duration(to: .now) / .seconds(1))
      try? StandardStreams.write("\r\u{1B}[2K\(state.text), \(seconds) s", to: STDERR_FILENO)
      state.isDrawn = true
    }
  }
}
