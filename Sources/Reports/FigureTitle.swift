import Foundation
import RecordingInput
import TextFormats

/// What a page calls a recording or a set: what was done, when, and whose recording it is; where it
/// is kept is small print.
package struct FigureTitle: Sendable, Hashable {
  /// The exercise's name; nil where nobody named it.
  package var exercise: String?
  /// The recording's name without folders and ending.
  package var recording: String
  /// From 1, in its recording or exercise; nil for a recording as a whole.
  package var setNumber: Int?
  /// Seconds since 1970 at its begin, where the source or a label gave a date.
  package var unixTime: Double?
  /// Kilograms, where a label or the history has them.
  package var weight: Double?
  /// Whose it is, where a label names the person.
  package var user: String?
  /// The path, or the store and the number in it.
  package var source: String

  /// - Parameters:
  ///   - exercise: a name or an id; what is an id for machines is not shown.
  ///   - recording: a path or a name.
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

  /// The exercise, or else the recording, and the number of the set.
  package var headline: String {
    [exercise ?? recording, setNumber.map { "set \($0)" }].compactMap { $0 }
      .joined(separator: ", ")
  }

  /// The recording, unless the headline names it, weight, person and date.
  package var subline: String {
    [exercise == nil ? nil : recording, weight.map(FigureWords.weight), user, date].compactMap {
      $0
    }
    .filter { !$0.isEmpty }.joined(separator: " · ")
  }

  /// Year, month, day and time of day in the local zone.
  package var date: String? {
    // Between the years 0 and 9999.
    guard let unixTime, (-6e10..<2.5e11).contains(unixTime) else { return nil }
    return DateText.local(Date(timeIntervalSince1970: unixTime))
  }
}
