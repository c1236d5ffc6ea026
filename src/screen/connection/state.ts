import type { Instant } from "../../base/clock.ts";

/** A daemon that config.toml names. */
export interface DaemonItem {
  readonly name: string;
  readonly endpoint: string;
  readonly hasToken: boolean;
  /** Whether plain HTTP may be used for this daemon, whatever its address is. */
  readonly allowInsecure: boolean;
}

/**
 * `polling`: the event stream is refused, so the log is read every few seconds. `refused`: the daemon does not accept
 * the credential, so nothing is requested until the person asks for it.
 */
export const LIVE_STATES = ["starting", "live", "polling", "reconnecting", "refused"] as const;
export type LiveState = (typeof LIVE_STATES)[number];

export interface ConnectionState {
  readonly daemon: string;
  readonly daemons: readonly DaemonItem[];
  readonly configFile: string;
  /** The contract version of the daemon, once it is known. */
  readonly api: string | undefined;
  /** Whether the daemon lets the owner of the machine close an issue without message and evidence. */
  readonly quickClose: boolean;
  readonly live: LiveState;
  /**
   * The time since which the event stream has been silent. It is set once the silence lasts longer than the time
   * between heartbeats.
   */
  readonly silentSince: Instant | undefined;
  /** Whether changed issues could not be read, so that what is shown is out of date. */
  readonly behind: boolean;
  /** Why this caller may only read, as the daemon reports; `undefined` if the caller may write. */
  readonly onlyReads: string | undefined;
  /**
   * Why every change is refused: the reason why this caller may only read, or the text with which the daemon refused a
   * change. `undefined` if changes are not refused.
   */
  readonly readOnly: string | undefined;
}

export function initialConnection(
  daemon: string,
  daemons: readonly DaemonItem[] = [],
  configFile = "config.toml",
): ConnectionState {
  return {
    daemon,
    daemons,
    configFile,
    api: undefined,
    quickClose: true,
    live: "starting",
    silentSince: undefined,
    behind: false,
    onlyReads: undefined,
    readOnly: undefined,
  };
}
