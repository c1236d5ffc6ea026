import type { Instant } from "../../base/clock.ts";
import type { At } from "../writes/writes.ts";

/** A row of the fleet screen: an issue and its holder, who has a lease on the issue or owns it as an open issue. */
export interface FleetRow {
  readonly at: At;
  readonly title: string;
  /**
   * The status of the issue. It may be closed, because a lease can outlive the close of its issue. `undefined` if the
   * daemon does not report the status.
   */
  readonly status: "open" | "closed" | undefined;
  readonly holder: string;
  /** The owner, who may be somebody other than the holder of its lease. */
  readonly owner: string | undefined;
  /** When the holder got the issue; `undefined` if no event in the log shows this. */
  readonly since: Instant | undefined;
  readonly lease:
    | {
        readonly expires_at: Instant | undefined;
        readonly fence: number;
        readonly purpose: string;
      }
    | undefined;
  /** The holder's last event on any issue. */
  readonly last:
    | { readonly kind: string; readonly at: Instant; readonly uid: string | undefined }
    | undefined;
}

declare module "../state.ts" {
  interface ScreenStates {
    readonly fleet: FleetState;
  }
}

export interface FleetState {
  /** The project of the rows; `undefined` for all projects. */
  readonly project_id: number | undefined;
  readonly rows: readonly FleetRow[] | undefined;
  readonly cursor: number;
  readonly text: string;
  readonly silentOnly: boolean;
  /** A holder without an event for this long is silent. */
  readonly silentAfterMs: number;
  readonly truncated: boolean;
  readonly error: string | undefined;
  /** The time of each actor's last event since the screen was opened. */
  readonly lastSeen: ReadonlyMap<string, Instant>;
}

export const EMPTY_FLEET: Omit<FleetState, "silentAfterMs" | "lastSeen"> = {
  project_id: undefined,
  rows: undefined,
  cursor: 0,
  text: "",
  silentOnly: false,
  truncated: false,
  error: undefined,
};

/** The default of `[tui] silent_after`. */
const SILENT_AFTER_MS = 15 * 60_000;

export function initialFleet(silentAfterMs = SILENT_AFTER_MS): FleetState {
  return { ...EMPTY_FLEET, silentAfterMs, lastSeen: new Map() };
}

declare module "../message.ts" {
  interface ScreenMessages {
    readonly fleet: {
      readonly fleet: {
        readonly project_id: number | undefined;
        readonly fleet: Partial<FleetState>;
      };
    };
  }
}

declare module "../effect.ts" {
  interface ScreenEffects {
    readonly "load-fleet": {
      readonly project_id: number | undefined;
      readonly wait: number;
    };
  }
}
