import Foundation

/// Data goes to standard output, everything else to standard error.
enum StandardStreams {
  static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
  static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
  static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Whether standard output shows colors, and nobody asked for none (https://no-color.org).
  static var outputHasColor: Bool {
    let environment = ProcessInfo.processInfo.environment
    return outputIsTerminal && environment["NO_COLOR", default: ""].isEmpty
      && environment["TERM"] != "dumb"
  }

  /// The columns of the terminal that standard output is, or nil.
  static var terminalWidth: Int? {
    guard outputIsTerminal else { return nil }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else { return 80 }
    return Int(size.ws_col)
  }

  /// Writes a message for a person, a line without control characters.
  static func note(_ message: String) {
    ProgressLine.erase()
    try? write(TerminalText.printable(message) + "\n", to: STDERR_FILENO)
  }

  /// Writes all bytes of a text.
  ///
  /// - Throws: ``OutputError`` where the stream cannot take them, as when a disk is full or a pipe closed.
  static func write(_ text: String, to descriptor: Int32) throws {
    var text = text
    try text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let written = Foundation.write(descriptor, rest.baseAddress, rest.count)
        if written < 0 {
          if errno == EINTR { continue }
          throw OutputError(code: errno)
        }
        rest = UnsafeRawBufferPointer(rebasing: rest[written...])
      }
    }
  }
}

/// Standard output did not take what was written to it.
struct OutputError: Error, CustomStringConvertible {
  var code: Int32

  var description: String { "cannot write to standard output: \(String(cString: strerror(code)))" }
}

/// Collects lines and writes them to standard output in large pieces.
struct LineWriter {
  enum Content {
    /// Text for people, and JSON, which escapes what would play tricks on a terminal.
    case text
    /// Data that a program reads back, such as CSV: as it is, except on a terminal.
    case data
  }

  private let isPrintable: Bool
  private var pending = ""

  init(_ content: Content = .text) {
    isPrintable = content == .text || StandardStreams.outputIsTerminal
  }

  mutating func write(_ line: String) throws {
    try write(styled: isPrintable ? TerminalText.printable(line) : line)
  }

  /// Writes a line that is printable but for its colors.
  mutating func write(styled line: String) throws {
    pending += line
    pending += "\n"
    if pending.utf8.count > 1 << 16 { try flush() }
  }

  mutating func flush() throws {
    guard !pending.isEmpty else { return }
    if StandardStreams.outputIsTerminal { ProgressLine.erase() }
    try StandardStreams.write(pending, to: STDOUT_FILENO)
    pending = ""
  }

  /// Writes lines of text at once.
  static func write(_ lines: [String]) throws {
    var writer = LineWriter()
    for line in lines { try writer.write(line) }
    try writer.flush()
  }
}
