/// The reason why a label file cannot be used.
package struct LabelError: Error, CustomStringConvertible, Equatable {
  package var line: Int
  package var message: String

  package init(line: Int, message: String) {
    self.line = line
    self.message = message
  }

  package var description: String { "line \(line): \(message)" }
}
