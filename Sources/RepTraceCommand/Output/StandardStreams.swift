import Foundation

/// The standard streams: data goes to standard output, everything else to standard error.
enum StandardStreams {
  static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
  static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
  static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// True if standard output shows colors and the user has not disabled them (https://no-color.org).
  static var outputHasColor: Bool {
    let environment = ProcessInfo.processInfo.environment
    return outputIsTerminal && environment["NO_COLOR", default: ""].isEmpty
      && environment["TERM"] != "dumb"
  }

  /// Number of columns of the terminal at standard output; nil if there is none.
  static var terminalWidth: Int? {
    guard outputIsTerminal else { return nil }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else { return 80 }
    return Int(size.ws_col)
  }

  /// Writes a message for people as one line without control characters.
  static func note(_ message: String) {
    ProgressLine.erase()
    try? write(TerminalText.printable(message) + "\n", to: STDERR_FILENO)
  }

  /// Writes all bytes of a text.
  ///
  /// - Throws: ``OutputError`` if writing fails, as when a disk is full or a pipe is closed.
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

/// A failure to write to standard output.
struct OutputError: Error, CustomStringConvertible {
  var code: Int32

  var description: String { "cannot write to standard output: \(String(cString: strerror(code)))" }
}

/// Collects lines and writes them to standard output in large pieces.
struct LineWriter {
  enum Content {
    /// Text for people, and JSON, which escapes control characters itself.
    case text
    /// Data that programs read back, such as CSV: verbatim, except on a terminal.
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

  /// Writes a line whose only control characters are its colors.
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
