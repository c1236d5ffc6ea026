/** How the windows of this origin reach each other. */
export interface Windows {
  /** Opens the channel; `hear` gets what the other windows post. */
  open(hear: (message: unknown) => void): Channel;
  /** Absent on plain http, except on a loopback address: browsers then give a page no locks. */
  readonly locks: Pick<LockManager, "request"> | undefined;
}

export interface Channel {
  post(message: object): void;
  close(): void;
}

/**
 * The name of the channel and of the lock. It has the version of the messages: pages of two versions, as after an
 * update, share nothing and need not understand each other.
 */
export const SHARED_NAME = "svc.stream.1";

export const browserWindows: Windows = {
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
