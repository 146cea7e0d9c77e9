import Foundation
import GRDB

// Columns hold dates as REAL: seconds since 1970. A `Date` counts from 2001, so each value is moved
// by 978,307,200 s on its way in and out. That is exact for every value from July 1985 to 2⁵³ s
// (Sterbenz's lemma up to 2032; later values have no finer last place than that constant), and before
// for whole seconds and all multiples of 2⁻²³ s. Other dates before July 1985 move by less than 6e-8 s.
// NaN and the infinities stay what they are.
//
// GRDB's own conversion would write text: a `Date` is never among a statement's arguments.

extension Row {
  /// Returns the date in a column; nil for NULL.
  ///
  /// - Throws: `RowDecodingError` if the column does not hold a number.
  func date(_ column: String) throws -> Date? {
    (try value(column) as Double?).map(Date.init(timeIntervalSince1970:))
  }
}
