/// Why a file of labels cannot be used.
public struct LabelError: Error, CustomStringConvertible, Equatable {
  public var line: Int
  public var message: String

  package init(line: Int, message: String) {
    self.line = line
    self.message = message
  }

  public var description: String { "line \(line): \(message)" }
}
