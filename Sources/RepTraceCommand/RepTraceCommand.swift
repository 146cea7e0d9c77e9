import ArgumentParser

@main
struct RepTraceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "reptrace", version: "0.1.0")
}
