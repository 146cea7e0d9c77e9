/// Embedded Swift has no `Codable`. This protocol lets the same declarations compile; nothing is encoded.
public protocol Codable {}

/// Stands in for the protocol of snapshots, which are not built for the browser.
public protocol PlainValue {}

/// Stands in for `SharedState` of snapshots.
public protocol SharedState: AnyObject {}
