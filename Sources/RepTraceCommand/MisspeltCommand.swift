import ArgumentParser

/// Recognizes commands that do not exist, and offers those that may be meant.
enum MisspeltCommand {
  /// The error of arguments that begin with an unknown command; nil if the parser is to judge them.
  static func message(for arguments: [String]) -> String? {
    var configuration = RepTraceCommand.configuration
    var path = "reptrace"
    for (index, argument) in arguments.enumerated() {
      let subcommands = configuration.subcommands.map { $0.configuration }
      if subcommands.isEmpty || argument.hasPrefix("-") { return nil }
      if index == 0, argument == "help" { continue }
      if let next = subcommands.first(where: { names(of: $0).contains(argument) }) {
        configuration = next
        path += " " + argument
        continue
      }
      // A command may be looked for one level too high.
      let shown = subcommands.filter { $0.shouldDisplay }.flatMap { command in
        names(of: command)
          + command.subcommands.map { $0.configuration }.filter { $0.shouldDisplay }.flatMap {
            names(of: $0).map { "\(command.commandName ?? "") \($0)" }
          }
      }
      let below = shown.filter { $0.hasSuffix(" " + argument) }
      let suggestion =
        (below.isEmpty ? shown.nearest(to: argument, limit: 2) : below).suggestion
      return "no command \"\(argument)\" of \(path)" + suggestion
        + (suggestion.isEmpty ? "; " : " ") + "`\(path) --help` lists all"
    }
    return nil
  }

  private static func names(of configuration: CommandConfiguration) -> [String] {
    [configuration.commandName ?? ""] + configuration.aliases
  }
}
