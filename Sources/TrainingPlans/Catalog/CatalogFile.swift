import Foundation

/// The app's library of exercises as JSON: objects with the members `templateId`, `name`, `muscleGroup`, ….
package enum CatalogFile {
  /// Returns the exercises of the file. One without an id gets its template id as its key, or else its name.
  package static func exercises(in data: Data) throws -> [CatalogExercise] {
    let value = try? JSONSerialization.jsonObject(with: data)
    let list = value as? [Any] ?? (value as? [String: Any])?["exercises"] as? [Any]
    guard let list else {
      throw HistoryError.invalidValue(reason: "expected a JSON list of exercises")
    }
    return try list.enumerated().map { index, element in
      guard let members = element as? [String: Any] else {
        throw HistoryError.invalidValue(reason: "exercise \(index + 1): expected a JSON object")
      }
      let object = MetadataObject(members: members)
      let name = object.text("name") ?? ""
      guard
        let uuid = object.text("uuid") ?? object.text("id") ?? object.text("templateId")
          ?? (name.isEmpty ? nil : name.foldedForSearch)
      else { throw RuleViolation.missing(.exerciseName) }
      return try CatalogExercise(object, uuid: CatalogExercise.Key(uuid), user: nil)
    }
  }
}
