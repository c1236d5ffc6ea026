import type { Instant } from "../../base/clock.ts";

/** A daemon of config.toml. */
export interface DaemonItem {
  readonly name: string;
  readonly endpoint: string;
  readonly hasToken: boolean;
  /** Whether plain HTTP is allowed for any address. */
  readonly allowInsecure: boolean;
}

/** `polling`: the event stream is refused, so the log is read every few seconds. */
export type LiveState = "starting" | "live" | "polling" | "reconnecting";

export interface ConnectionState {
  readonly daemon: string;
  readonly daemons: readonly DaemonItem[];
  readonly configFile: string;
  /** The contract version of the daemon, once it is known. */
  readonly api: string | undefined;
  /** Whether the daemon lets the owner of the machine close without message and evidence. */
  readonly quickClose: boolean;
  readonly live: LiveState;
  /** Since when nothing came on the event stream, once that is longer than heartbeats are apart. */
  readonly silentSince: Instant | undefined;
  /** Whether a change could not be read, so that what is shown is out of date. */
  readonly behind: boolean;
  /** Why the daemon refuses every change; `undefined` if it does not. */
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
    readOnly: undefined,
  };
}
