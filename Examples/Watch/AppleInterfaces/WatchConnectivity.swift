// The declarations of Watch Connectivity that the apps use, as in the SDKs of watchOS 11 and iOS 18, so that
// `.ci/typecheck` can check the apps without those SDKs.
import Foundation

public enum WCSessionActivationState: Int, Sendable {
  case notActivated, inactive, activated
}

public protocol WCSessionDelegate: NSObjectProtocol {
  func session(
    _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState,
    error: (any Error)?)
  // Required on iOS only.
  func sessionDidBecomeInactive(_ session: WCSession)
  func sessionDidDeactivate(_ session: WCSession)
  // Optional.
  func session(
    _ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?)
  func session(_ session: WCSession, didReceive file: WCSessionFile)
}

extension WCSessionDelegate {
  public func sessionDidBecomeInactive(_ session: WCSession) {}
  public func sessionDidDeactivate(_ session: WCSession) {}
  public func session(
    _ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?
  ) {}
  public func session(_ session: WCSession, didReceive file: WCSessionFile) {}
}

public final class WCSession: NSObject {
  public class var `default`: WCSession { fatalError() }
  public weak var delegate: (any WCSessionDelegate)?
  public func activate() {}
  @discardableResult
  public func transferFile(_ file: URL, metadata: [String: Any]?) -> WCSessionFileTransfer {
    fatalError()
  }
}

public final class WCSessionFile: NSObject {
  public var fileURL: URL { fatalError() }
  public var metadata: [String: Any]? { nil }
}

public final class WCSessionFileTransfer: NSObject {
  public var file: WCSessionFile { fatalError() }
}
