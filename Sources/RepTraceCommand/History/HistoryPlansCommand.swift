import ArgumentParser
import Foundation
import RepTrace

struct HistoryPlansCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plans",
    abstract: "Lists a person's plans, or with --import brings plans from a JSON or CSV file.",
    discussion: """
      Exercises are found in the catalog by name, whatever its accents, case and spelling. Those \
      that are not found are left out and reported, and the exit status is then 1.

      Example:
        reptrace history plans history.sqlite --import plans.csv
      """)

  @OptionGroup var arguments: StoreArgument

  @Option(
    name: .customLong("import"), help: "The file.", completion: .file(extensions: ["json", "csv"]))
  var importedFile: String?

  @Option(help: HistoryOpening.userHelp)
  var user: String?

  @Option(
    help: """
      free (at most 4 plans, 6 exercises a plan, 3 sets an exercise), premium or none; where left \
      out, what the person's subscription says.
      """)
  var limits: LimitsChoice?

  @Option(
    help: ArgumentHelp(
      "The word before the letter of imported plans that have no title.", valueName: "word"))
  var titlePrefix = WorkoutPlan.titlePrefix

  enum LimitsChoice: String, CaseIterable, ExpressibleByArgument {
    case free, premium, none
  }

  @OptionGroup var output: OutputOptions

  func run() throws {
    let history = try HistoryOpening.existing(
      arguments.store, mode: importedFile == nil ? .readOnly : .readWrite)
    guard let importedFile else {
      let owners = try HistoryOpening.users(user, in: history)
      return try print(
        try HistoryOpening.reading {
          try owners.flatMap { try history.plans.all(of: $0) }
        })
    }
    let owner = try HistoryOpening.oneUser(user, in: history)
    let text = try NamedFile.text(of: importedFile)
    let now = Date()
    let report = try HistoryOpening.reporting(importing: importedFile) {
      var importer = PlanImporter(
        user: owner, limits: try limits(of: owner, in: history, at: now), date: now)
      importer.titlePrefix = titlePrefix
      return try importer.importPlans(text, into: history)
    }
    try print(report.plans)
    for exercise in report.exercises { note(exercise) }
    for plan in report.emptyPlans {
      StandardStreams.note("\(plan): left out, none of its exercises is in the catalog")
    }
    StandardStreams.note(
      counted(report.plans.count, "plan") + " imported, "
        + counted(report.unmatched.count, "exercise") + " not found")
    guard report.unmatched.isEmpty, report.emptyPlans.isEmpty else {
      throw report.plans.isEmpty ? ExitStatus.noInputDecoded : ExitStatus.someInputsFailed
    }
  }

  private func print(_ plans: [WorkoutPlan]) throws {
    var rows = output.style.printer([
      .init("plan", .init("plan", shrinks: true)), .init("title", .init("title")),
      .init("active", .init("active")), .init("items", .init("items", .right)),
      .init("minutes", .init("min", .right)), .init("muscleGroups", .init("muscle groups")),
    ])
    for plan in plans {
      try rows.add(
        json: plan.jsonLine,
        cells: [
          plan.uuid.rawValue, plan.title ?? plan.autoTitle, plan.isActive ? "true" : "false",
          String(plan.items.count), decimal(Double(plan.estimatedDuration) / 60, 0),
          plan.muscleGroups.map(\.rawValue).joined(separator: " "),
        ])
    }
    try rows.finish(emptyTable: false)
  }

  private func limits(
    of user: HistoryUser.ID, in history: HistoryStore, at date: Date
  ) throws -> PlanLimits {
    switch limits {
    case .free: .free
    case .premium, .some(.none): .none
    case nil:
      // The local user has no subscription whose limits could apply.
      user == HistoryUser.ID.local
        ? .none
        : try history.users.all().first { $0.id == user }?.limits(at: date) ?? .free
    }
  }

  private func note(_ exercise: PlanImportReport.Exercise) {
    let place = "\(exercise.plan), \(exercise.place): \"\(exercise.name)\""
    switch exercise.match {
    case .exact: break
    case .similar(let candidate):
      StandardStreams.note("\(place) taken for \"\(candidate.name)\"")
    case .ambiguous(let candidates):
      StandardStreams.note(
        "\(place) left out: it may be "
          + candidates.prefix(5).map { "\"\($0.name)\"" }.joined(separator: " or "))
    case .none(let nearest):
      StandardStreams.note(
        "\(place) left out: not in the catalog"
          + (nearest.map { " (the nearest is \"\($0.name)\")" } ?? ""))
    }
  }
}

extension WorkoutPlan {
  /// The plan as one line of NDJSON.
  var jsonLine: String {
    let items = items.map { item in
      var object = JSONObjectText()
      switch item.content {
      case .pause(let duration): object.add("break", .number(duration))
      case .exercise(let exercise):
        object.add(["name": .text(exercise.name), "exercise": .text(exercise.exercise?.rawValue)])
        switch exercise.configuration {
        case .repetitions(let sets, let reps, let rest):
          object.add(["sets": .number(sets), "reps": .number(reps), "rest": .number(rest)])
        case .time(let duration): object.add("duration", .number(duration))
        }
        object.add("weight", .number(exercise.weight, decimals: 3))
      }
      return object.text
    }
    return JSONObjectText([
      "plan": .text(uuid.rawValue), "autoTitle": .text(autoTitle), "title": .text(title),
      "order": .number(order), "active": .flag(isActive),
      "estimatedDuration": .number(estimatedDuration),
      "muscleGroups": .text(muscleGroups.map(\.rawValue).joined(separator: ",")),
      "items": .list(items),
    ]).text
  }
}
