import ArgumentParser

/// Recognizes unknown commands and suggests similar ones.
enum MisspelledCommand {
  /// Returns the error message for arguments that begin with an unknown command; nil for all others.
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
      // The person may have omitted a level of the command hierarchy.
      var shown: [String] = []
      for command in subcommands where command.shouldDisplay {
        shown += names(of: command)
        for below in command.subcommands.map({ $0.configuration }) where below.shouldDisplay {
          shown += names(of: below).map { "\(command.commandName ?? "") \($0)" }
        }
      }
      let below = shown.filter { $0.hasSuffix(" " + argument) }
      let suggestion = (below.isEmpty ? shown.nearest(to: argument, limit: 2) : below).suggestion
      let separator = suggestion.isEmpty ? ";" : ""
      return
        "no command \"\(argument)\" of \(path)\(suggestion)\(separator) `\(path) --help` lists all"
    }
    return nil
  }

  private static func names(of configuration: CommandConfiguration) -> [String] {
    [configuration.commandName ?? ""] + configuration.aliases
  }
}
