import Foundation
import RecordingInput
import TextFormats

/// The title of a recording or a set in a page: exercise, date and person; its location is small print.
package struct FigureTitle: Sendable, Hashable {
  /// Name of the exercise; nil if unknown.
  package var exercise: String?
  /// Name of the recording, without folders and extension.
  package var recording: String
  /// Number of the set in its recording or exercise, from 1; nil for a whole recording.
  package var setNumber: Int?
  /// Time of its begin in seconds since 1970, if the source or a label gave a date.
  package var unixTime: Double?
  /// Weight in kilograms, if a label or the history has it.
  package var weight: Double?
  /// The person's name, if a label has it.
  package var user: String?
  /// The path, or the store and the number in it.
  package var source: String

  /// - Parameters:
  ///   - exercise: A name or an id; uuids are not shown.
  ///   - recording: A path or a name.
  package init(
    exercise: String?, recording: String, setNumber: Int? = nil, unixTime: Double? = nil,
    weight: Double? = nil, user: String? = nil, source: String
  ) {
    self.exercise = exercise.flatMap { $0.isEmpty || UUID(uuidString: $0) != nil ? nil : $0 }
    self.recording = RecordingLabels.stem(of: recording)
    self.setNumber = setNumber
    self.unixTime = unixTime
    self.weight = weight
    self.user = user.flatMap { $0.isEmpty ? nil : $0 }
    self.source = source
  }

  /// The exercise, or else the recording, and the set number.
  package var headline: String {
    [exercise ?? recording, setNumber.map { "set \($0)" }].compactMap { $0 }
      .joined(separator: ", ")
  }

  /// The recording, unless it is in the headline; weight, person and date.
  package var subline: String {
    [exercise == nil ? nil : recording, weight.map(FigureWords.weight), user, date].compactMap {
      $0
    }
    .filter { !$0.isEmpty }.joined(separator: " · ")
  }

  /// Date and time of day in the local time zone.
  package var date: String? {
    // Limit to the years 0 to 9999.
    guard let unixTime, (-6e10..<2.5e11).contains(unixTime) else { return nil }
    return DateText.local(Date(timeIntervalSince1970: unixTime))
  }
}
