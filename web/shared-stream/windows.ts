/** The means by which the windows of this origin communicate. */
export interface WindowMessaging {
  /** Opens the channel. `hear` gets the messages of the other windows. */
  open(hear: (message: unknown) => void): Channel;
  /** Absent on plain http, except on a loopback address, because browsers then give a page no locks. */
  readonly locks: Pick<LockManager, "request"> | undefined;
}

export interface Channel {
  post(message: object): void;
  close(): void;
}

/**
 * The name of the channel and of the lock. It contains the version of the messages. After an update, pages of two
 * versions do not share a stream, so they need not understand each other.
 */
export const SHARED_NAME = "svc.stream.1";

export const browserWindows: WindowMessaging = {
  open: (hear) => {
    const channel = new BroadcastChannel(SHARED_NAME);
    channel.onmessage = ({ data }) => hear(data);
    return {
      post: (message) => channel.postMessage(message),
      close: () => channel.close(),
    };
  },
  locks: "locks" in navigator ? navigator.locks : undefined,
};
