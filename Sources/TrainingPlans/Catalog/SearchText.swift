import Foundation

extension String {
  /// The text without accents and case, with words separated by one space.
  package var foldedForSearch: String {
    // A fixed locale gives equal results on every machine.
    let folded = folding(
      options: [.diacriticInsensitive, .caseInsensitive, .widthInsensitive],
      locale: Locale(identifier: "en_US_POSIX")
    ).lowercased()
    return folded.split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
  }
}
