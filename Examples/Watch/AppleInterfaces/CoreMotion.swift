// The declarations of Core Motion that the app uses, as in the SDK of watchOS 11, so that `.ci/typecheck` can
// check the app without that SDK.
import Foundation

public struct CMAcceleration {
  public var x, y, z: Double
}

public struct CMRotationRate {
  public var x, y, z: Double
}

open class CMLogItem: NSObject {
  public var timestamp: TimeInterval { fatalError() }
}

open class CMDeviceMotion: CMLogItem {
  public var rotationRate: CMRotationRate { fatalError() }
  public var gravity: CMAcceleration { fatalError() }
  public var userAcceleration: CMAcceleration { fatalError() }
}

public typealias CMDeviceMotionHandler = (CMDeviceMotion?, (any Error)?) -> Void

open class CMMotionManager: NSObject {
  public var deviceMotionUpdateInterval: TimeInterval {
    get { fatalError() }
    set { fatalError() }
  }
  public func startDeviceMotionUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMDeviceMotionHandler
  ) {}
  public func stopDeviceMotionUpdates() {}
}
