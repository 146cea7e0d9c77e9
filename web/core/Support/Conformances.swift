/// Embedded Swift has no `Codable`. This protocol lets the same declarations compile; nothing is encoded.
public protocol Codable {}

/// The part of a detector's snapshots that declarations name. Snapshots are not built for the browser.
public protocol PlainValue {}

/// The same for `SharedState`.
public protocol SharedState: AnyObject {}
