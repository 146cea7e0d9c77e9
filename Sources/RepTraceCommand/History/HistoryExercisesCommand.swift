import ArgumentParser
import Foundation
import RepTrace

struct HistoryExercisesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exercises",
    abstract:
      "Lists or searches the catalog, or with --import brings exercises from a JSON file.",
    discussion: """
      The file is a JSON list of exercises with name, muscleGroup and other fields; \
      docs/data-model.md lists them. Words are searched without regard to accents and case.

      Example:
        reptrace history exercises history.sqlite --search "bench press"
      """)

  @OptionGroup var arguments: StoreArgument

  @Option(help: ArgumentHelp("Words, or their beginnings.", valueName: "words"))
  var search: String?

  @Option(
    name: .customLong("import"), help: "The file.", completion: .file(extensions: ["json"]))
  var importedFile: String?

  @Option(help: HistoryOpening.userHelp)
  var user: String?

  @OptionGroup var output: OutputOptions

  func run() throws {
    if let importedFile { return try importExercises(importedFile) }
    let history = try HistoryOpening.existing(arguments.store, mode: .readOnly)
    // Exercises without an owner are listed for every user, so keep the first.
    var known: Set<CatalogExercise.Key> = []
    let exercises = try HistoryOpening.users(user, in: history).flatMap { owner in
      try HistoryOpening.reading {
        try search.map { try history.catalog.search($0, of: owner) }
          ?? history.catalog.exercises(of: owner)
      }
    }.filter { known.insert($0.uuid).inserted }
    var rows = output.style.printer([
      .init("exercise", .init("exercise", shrinks: true)), .init("name", .init("name")),
      .init("muscleGroup", .init("muscle group")),
      .init("type", .init("type", isDispensable: true)),
      .init("equipment", .init("equipment", isDispensable: true)),
    ])
    for exercise in exercises {
      try rows.add(
        json: exercise.jsonLine,
        cells: [
          exercise.uuid.rawValue, exercise.name, exercise.muscleGroup.rawValue, exercise.type ?? "",
          exercise.equipment ?? "",
        ])
    }
    try rows.finish()
  }

  private func importExercises(_ path: String) throws {
    let data = try NamedFile.contents(of: path)
    let history = try HistoryOpening.forWriting(arguments.store)
    let exercises = try NamedFile.decoding(path) { try CatalogFile.exercises(in: data) }
    try HistoryOpening.reporting(importing: path) {
      for exercise in exercises { try history.catalog.save(exercise) }
    }
    StandardStreams.note("\(counted(exercises.count, "exercise")) imported")
  }
}

extension CatalogExercise {
  /// The exercise as one line of NDJSON.
  var jsonLine: String {
    JSONObjectText([
      "exercise": .text(uuid.rawValue), "templateId": .text(templateId?.rawValue),
      "name": .text(name), "muscleGroup": .text(muscleGroup.rawValue),
      "muscleSubgroup": .text(muscleSubgroup),
      "muscles": .text(muscles.isEmpty ? nil : muscles.joined(separator: ",")),
      "type": .text(type), "equipment": .text(equipment), "gripVariation": .text(gripVariation),
    ]).text
  }
}
