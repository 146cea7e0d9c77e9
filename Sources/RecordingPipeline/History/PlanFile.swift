import Foundation
import TextFormats

/// Reads plans from JSON and CSV files, with names of members and columns in English or Portuguese.
/// docs/data-model.md, "Import of plans", describes both.
package enum PlanFile {
  /// Returns the plans of a file, in its order.
  ///
  /// - Parameter text: JSON if it begins with a brace or a bracket, else CSV with a header.
  /// - Throws: ``PlanFileError``.
  package static func plans(in text: String) throws(PlanFileError) -> [PlanDraft] {
    let first = text.unicodeScalars.first { !$0.properties.isWhitespace && $0 != "\u{FEFF}" }
    return first == "{" || first == "["
      ? try plans(inJSON: text) : try plans(inCSV: text)
  }

  // MARK: - JSON

  static func plans(inJSON text: String) throws(PlanFileError) -> [PlanDraft] {
    let value: Any
    do {
      value = try JSONSerialization.jsonObject(with: Data(text.utf8), options: [.fragmentsAllowed])
    } catch {
      throw PlanFileError(place: "", expectation: "JSON, or CSV with a header")
    }
    var list: [Any]
    switch value {
    case let array as [Any]: list = array
    case let object as [String: Any]:
      let members = Members(object)
      list = members.array(["plans", "workoutPlans", "treinos", "planos", "workouts"]) ?? [object]
    default: list = []
    }
    var plans: [PlanDraft] = []
    for (index, element) in list.enumerated() {
      let place = "plan \(index + 1)"
      guard let object = element as? [String: Any] else {
        throw PlanFileError(place: place, expectation: "an object with exercises")
      }
      let members = Members(object)
      guard let items = members.array(["exercises", "items", "exercicios", "itens"]) else {
        throw PlanFileError(place: place, expectation: "a member \"exercises\" with a list")
      }
      var drafts: [PlanDraft.Item] = []
      for (position, item) in items.enumerated() {
        drafts.append(try self.item(item, place: "\(place), item \(position + 1)"))
      }
      plans.append(
        PlanDraft(
          title: members.text(["title", "titulo", "name", "nome"]),
          description: members.text(["description", "descricao", "intro"]) ?? "", items: drafts))
    }
    guard !plans.isEmpty else { throw PlanFileError(place: "", expectation: "at least one plan") }
    return plans
  }

  private static func item(_ value: Any, place: String) throws(PlanFileError) -> PlanDraft.Item {
    if let name = value as? String {
      return PlanDraft.Item(
        place: place,
        content: .exercise(
          name: name, templateId: nil, sets: nil, reps: nil, weight: nil, restTime: nil,
          duration: nil))
    }
    guard let object = value as? [String: Any] else {
      throw PlanFileError(place: place, expectation: "an exercise or a break")
    }
    let members = Members(object)
    return try item(place: place, text: { members.text($0) }, number: { members.number($0) })
  }

  // MARK: - CSV

  static func plans(inCSV text: String) throws(PlanFileError) -> [PlanDraft] {
    let rows = DelimitedText.rows(of: text, delimiter: DelimitedText.delimiter(of: text))
    guard let header = rows.first else {
      throw PlanFileError(place: "", expectation: "JSON, or CSV with a header")
    }
    var columns: [String: Int] = [:]
    for (index, name) in header.fields.enumerated() where columns[name.foldedForSearch] == nil {
      columns[name.foldedForSearch] = index
    }
    guard Self.exerciseNames.contains(where: { columns[$0] != nil }) else {
      throw PlanFileError(
        place: "line \(header.line)", expectation: "a header with a column \"exercise\"")
    }
    var plans: [PlanDraft] = []
    var positions: [String: Int] = [:]
    for row in rows.dropFirst() {
      func text(_ names: [String]) -> String? {
        for name in names {
          if let index = columns[name], row.fields.indices.contains(index) {
            let field = row.fields[index].trimmingCharacters(in: .whitespaces)
            if !field.isEmpty { return field }
          }
        }
        return nil
      }
      let title = text(["plan", "plano", "treino", "workout", "title", "titulo"])
      let item = try item(
        place: "line \(row.line)", text: text,
        number: { text($0).map { decimal($0) ?? .nan } })
      let key = title?.foldedForSearch ?? ""
      if let position = positions[key] {
        plans[position].items.append(item)
      } else {
        positions[key] = plans.count
        plans.append(PlanDraft(title: title, description: "", items: [item]))
      }
    }
    guard !plans.isEmpty else { throw PlanFileError(place: "", expectation: "at least one plan") }
    return plans
  }

  /// Parses a number with a decimal point or comma, optionally followed by its unit.
  private static func decimal(_ text: String) -> Double? {
    let number = text.prefix { $0.isNumber || ".,-+".contains($0) }
    let unit = text.dropFirst(number.count).trimmingCharacters(in: .whitespaces).lowercased()
    guard ["", "kg", "s", "x", "reps"].contains(unit) else { return nil }
    return Double(number.replacing(",", with: "."))
  }

  // MARK: - Items

  private static let exerciseNames = ["exercise", "exercicio", "name", "nome", "templateid"]

  private static func item(
    place: String, text: ([String]) -> String?, number: ([String]) -> Double?
  ) throws(PlanFileError) -> PlanDraft.Item {
    func integer(_ names: [String]) throws(PlanFileError) -> Int? {
      guard let value = number(names) else { return nil }
      guard let integer = Int(exactly: value) else {
        throw PlanFileError(place: place, expectation: "a whole number for \(names[0])")
      }
      return integer
    }
    let templateId = text(["templateid"])
    let name = text(["exercise", "exercicio", "name", "nome"])
    if let pause = try integer(["break", "pausa", "intervalo"]), name == nil, templateId == nil {
      return PlanDraft.Item(place: place, content: .pause(duration: pause))
    }
    guard let name = name ?? templateId else {
      throw PlanFileError(place: place, expectation: "the name of an exercise, or a break")
    }
    let weight = number(["weight", "peso", "carga"])
    if let weight, weight.isNaN {
      throw PlanFileError(place: place, expectation: "a number for weight")
    }
    return PlanDraft.Item(
      place: place,
      content: .exercise(
        name: name, templateId: templateId, sets: try integer(["sets", "series"]),
        reps: try integer(["reps", "repeticoes", "repetitions"]), weight: weight,
        restTime: try integer(["rest", "descanso", "resttime"]),
        duration: try integer(["duration", "duracao", "tempo"])))
  }

  /// The members of a JSON object by their folded names.
  private struct Members {
    private var values: [String: Any]

    init(_ object: [String: Any]) {
      values = [:]
      for (key, value) in object { values[key.foldedForSearch] = value }
    }

    func array(_ names: [String]) -> [Any]? {
      names.lazy.compactMap { values[$0.foldedForSearch] as? [Any] }.first
    }

    func text(_ names: [String]) -> String? {
      let text = names.lazy.compactMap { values[$0.foldedForSearch] as? String }.first
      return text?.isEmpty == true ? nil : text
    }

    func number(_ names: [String]) -> Double? {
      names.lazy.compactMap { name -> Double? in
        switch values[name.foldedForSearch] {
        case let text as String: decimal(text) ?? .nan
        case let number as NSNumber: number.doubleValue
        default: nil
        }
      }.first
    }
  }
}
