import Foundation

extension String {
  /// The text in comparable form: without accents and case, its words separated by one space.
  ///
  /// "Supino  Inclinado (c/ Halteres)" and "supino inclinado c halteres" compare equal.
  package var foldedForSearch: String {
    // A fixed locale folds equally on every machine.
    let folded = folding(
      options: [.diacriticInsensitive, .caseInsensitive, .widthInsensitive],
      locale: Locale(identifier: "en_US_POSIX")
    ).lowercased()
    var words: [Substring] = []
    for word in folded.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
      words.append(word)
    }
    return words.joined(separator: " ")
  }
}
