import Foundation
import RecordingInput
import TextFormats

/// The title of a recording or set in a page: exercise, date and person, with the source as small print.
package struct FigureTitle: Sendable, Hashable {
  /// Name of the exercise; nil if unknown.
  package var exercise: String?
  /// Name of the recording, without folders and extension.
  package var recording: String
  /// Number of the set in its recording or exercise, from 1; nil for a whole recording.
  package var setNumber: Int?
  /// Time of the start, in seconds since 1970, if the source or a label gives a date.
  package var unixTime: Double?
  /// Weight in kilograms, if a label or the history gives it.
  package var weight: Double?
  /// The person's name, if a label gives it.
  package var user: String?
  /// The path, or the store and the set's number in it.
  package var source: String

  /// - Parameters:
  ///   - exercise: A name or an id; UUIDs are not shown.
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

  /// Weight, person and date; also the recording, unless the headline shows it.
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
