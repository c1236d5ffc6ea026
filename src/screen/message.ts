import type { Instant } from "../base/clock.ts";
import type { Issue } from "./board/issues.ts";
import type { SavedView } from "./board/state.ts";
import type { LiveState } from "./connection/state.ts";
import type { CronJob, CronState, CronTab, LastRuns, ReadVersion } from "./cron/state.ts";
import type { DetailPart } from "./detail/state.ts";
import type { FleetState } from "./fleet/state.ts";
import type { Field } from "./forms/field.ts";
import type { GraphState } from "./graph/state.ts";
import type { InboxState } from "./inbox/state.ts";
import type { Typed } from "./input/typed.ts";
import type { Command } from "./keys.ts";
import type { ProjectItem, Scope } from "./projects/state.ts";
import type { Screen } from "./state.ts";
import type { Closing } from "./writes/writes.ts";

/** Something that is shown and can be pointed at. */
export type Target =
  | { readonly is: "screen"; readonly screen: Screen }
  | { readonly is: "tab"; readonly tab: CronTab }
  | { readonly is: "row"; readonly at: number }
  | { readonly is: "browse"; readonly key: string | undefined }
  | { readonly is: "detail" }
  /** A command of the key table, as a menu or a button offers it. */
  | { readonly is: "command"; readonly command: Command }
  /** A field of the form that is open. */
  | { readonly is: "field"; readonly at: number }
  /** A button of the dialog that is open, by the key that does the same: `ctrl+s` saves, `esc` leaves. */
  | { readonly is: "button"; readonly key: string };

/** What happened: a person typed, the daemon answered, another hand changed something. */
export type Message =
  | Typed
  /** A text that is asked for was typed, where keys write it by themselves. */
  | { readonly type: "typed"; readonly field: Field }
  /** Something that is shown was clicked or tapped; the spot tells a second click from one elsewhere. */
  | { readonly type: "chosen"; readonly place: Target | undefined; readonly spot: string }
  | { readonly type: "scrolled"; readonly place: Target | undefined; readonly by: number }
  | { readonly type: "resize"; readonly columns: number; readonly rows: number }
  /** Time passed, and something on the screen depends on it. */
  | { readonly type: "tick" }
  /** What is shown is to be read again, all of it. */
  | { readonly type: "reload" }
  /** Another project is shown: only a recording says so, elsewhere the person does. */
  | { readonly type: "scope"; readonly scope: Scope }
  /** What the player of a recording has to say. */
  | { readonly type: "replay"; readonly replay: "ended" | { readonly lacks: string } }
  | { readonly type: "projects"; readonly projects: readonly ProjectItem[] }
  | {
      readonly type: "issues";
      /** A page of those that are read anew; `all`: with the pages before it, all there is. */
      readonly part: "first" | "more" | "all" | "changed";
      readonly serial: number;
      /** When the first page was read, by the daemon's clock. */
      readonly since?: Instant | undefined;
      readonly issues: readonly Issue[];
      readonly gone: readonly string[];
      readonly truncated: boolean;
    }
  /** Parts as they come; what is not named stays. */
  | { readonly type: "detail"; readonly uid: string; readonly detail: DetailPart }
  | { readonly type: "graph"; readonly source: string; readonly graph: Partial<GraphState> }
  | {
      readonly type: "cron";
      readonly cron: Partial<CronState>;
      /** What it answers. */
      readonly project_id?: number | undefined;
      readonly tab?: CronTab | undefined;
      readonly job?: string | undefined;
      /** Its rows come behind those that there are, whose last one this is. */
      readonly older?: string | undefined;
    }
  | ({ readonly type: "job-runs" } & LastRuns)
  | {
      readonly type: "versions";
      /** What they are the definitions of. */
      readonly of: string;
      readonly versions: readonly ReadVersion[];
    }
  | {
      readonly type: "inbox";
      readonly address: string;
      readonly all: boolean;
      readonly inbox: Partial<InboxState>;
    }
  | {
      readonly type: "fleet";
      readonly project_id: number | undefined;
      readonly fleet: Partial<FleetState>;
    }
  /** A minute passed on a screen that counts minutes. */
  | { readonly type: "minute" }
  | { readonly type: "live"; readonly live: LiveState }
  /** Whether something is known to have changed that cannot be read. */
  | { readonly type: "behind"; readonly behind: boolean }
  | { readonly type: "events"; readonly events: readonly LiveEvent[] }
  | {
      readonly type: "written";
      readonly id: number;
      readonly issue: Issue | undefined;
      /** How an issue that was reopened had been closed. */
      readonly closed?: Closing | undefined;
      /** The job that was turned on or off. */
      readonly job?: CronJob | undefined;
    }
  | {
      readonly type: "refused";
      readonly id: number;
      readonly code: string;
      readonly text: string;
      readonly field?: string | undefined;
      readonly candidates?: readonly string[] | undefined;
      /** The job as it is now, where the change was made against another state of it. */
      readonly current?: CronJob | undefined;
      /** Not this change but every one is refused. */
      readonly forbidden?: boolean;
    }
  | { readonly type: "completed"; readonly text: string; readonly choices: readonly string[] }
  | { readonly type: "auth"; readonly quickClose: boolean }
  /** Which version of the contract the daemon speaks. */
  | { readonly type: "api"; readonly api: string | undefined }
  | { readonly type: "edited"; readonly text: string }
  | {
      readonly type: "found";
      readonly serial: number;
      /** The best match first. */
      readonly issues: readonly Issue[];
      readonly how: string;
    }
  | { readonly type: "found"; readonly serial: number; readonly error: string }
  | { readonly type: "new-project"; readonly project: ProjectItem; readonly created: boolean }
  | { readonly type: "new-project"; readonly name: string; readonly error: string }
  | { readonly type: "connected"; readonly daemon: string }
  | {
      readonly type: "views";
      readonly views: readonly SavedView[];
      /** The one that was kept or removed. */
      readonly name: string;
      readonly isKept: boolean;
    }
  /** What came of something that was asked for. */
  | { readonly type: "said"; readonly text: string }
  | { readonly type: "failed"; readonly text: string };

/** What the screen needs to know of an event of the stream. */
export interface LiveEvent {
  readonly id: number;
  readonly kind: string;
  readonly actor: string;
  readonly at: string;
  readonly project_id: number;
  /** The issue that it happened to; the others are those that it names. */
  readonly uid: string | undefined;
  readonly uids: readonly string[];
  /** What happened, in words. */
  readonly told: string;
}

export type MessageOf<Type extends Message["type"]> = Extract<Message, { readonly type: Type }>;
