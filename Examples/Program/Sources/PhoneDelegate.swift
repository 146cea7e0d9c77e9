#if os(iOS) || APPLE_INTERFACES
  import Foundation
  import WatchConnectivity

  /// Receives the watch's chunk files on the phone. Activated once when the app starts.
  final class PhoneDelegate: NSObject, WCSessionDelegate {
    private let inbox: WorkoutInbox

    init(inbox: WorkoutInbox) { self.inbox = inbox }

    func session(
      _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState,
      error: (any Error)?
    ) {}

    func sessionDidBecomeInactive(_ session: WCSession) {}

    /// Activates the session again when the user switches watches.
    func sessionDidDeactivate(_ session: WCSession) { session.activate() }

    /// Stores the file at once, because the system deletes it when this returns.
    func session(_ session: WCSession, didReceive file: WCSessionFile) {
      guard let id = file.metadata?["session"] as? String,
        let number = file.metadata?["number"] as? Int
      else { return }
      let inbox = inbox
      do {
        try inbox.keep(
          file.fileURL, session: id, number: number, count: file.metadata?["count"] as? Int)
      } catch {
        return
      }
      Task { try await inbox.process(session: id) }
    }
  }
#endif
