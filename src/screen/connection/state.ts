/** A daemon that a person can change to, as config.toml names it. */
export interface DaemonItem {
  readonly name: string;
  readonly endpoint: string;
  /** Whether a token is sent to it. */
  readonly hasToken: boolean;
  /** Plain http to it is allowed whatever its address. */
  readonly allowInsecure: boolean;
}

/** `polling`: the event stream is refused, so the log is read every few seconds. */
export type LiveState = "starting" | "live" | "polling" | "reconnecting";

export interface ConnectionState {
  readonly daemon: string;
  /** Those that can be changed to. */
  readonly daemons: readonly DaemonItem[];
  /** The path of config.toml, which names them. */
  readonly configFile: string;
  /** The version of the contract that the daemon speaks, once it has said so. */
  readonly api: string | undefined;
  /** The daemon closes without message and evidence for the owner of the machine. */
  readonly quickClose: boolean;
  readonly live: LiveState;
  /** Something changed that cannot be read, so what is shown of it is old. */
  readonly behind: boolean;
  /** The daemon's reason to refuse every change. */
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
    behind: false,
    readOnly: undefined,
  };
}
