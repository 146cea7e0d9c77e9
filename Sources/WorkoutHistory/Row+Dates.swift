import Foundation
import GRDB

// Columns hold dates as REAL: seconds since 1970. A `Date` counts from 2001, so each value is moved
// by 978,307,200 s on its way in and out. That is exact for every value from July 1985 on (Sterbenz'
// lemma, then ever coarser values), and for whole seconds, multiples of 2⁻²³ s before that; NaN and
// the infinities stay what they are. Any other date before July 1985 moves by less than 6e-8 s. GRDB's
// own conversion would write text: a `Date` is never among a statement's arguments.

extension Row {
  /// The date in a column; nil for NULL.
  ///
  /// - Throws: `RowDecodingError` where the column holds anything but a number.
  func date(_ column: String) throws -> Date? {
    (try value(column) as Double?).map(Date.init(timeIntervalSince1970:))
  }
}
