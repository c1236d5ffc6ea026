import { type Instant, instantToMs } from "../base/clock.ts";
import type { Issue } from "./board/issues.ts";
import type { SavedView } from "./board/state.ts";
import type { LiveState } from "./connection/state.ts";
import type {
  CronJob,
  CronState,
  CronTab,
  LastRuns,
  ReadVersion,
  VersionAsked,
} from "./cron/state.ts";
import type { DetailPart } from "./detail/state.ts";
import type { FleetState } from "./fleet/state.ts";
import type { Field } from "./forms/field.ts";
import type { GraphState } from "./graph/state.ts";
import type { InboxState } from "./inbox/state.ts";
import type { Typed } from "./input/typed.ts";
import type { Notice } from "./messages/state.ts";
import type { ProjectItem, Scope } from "./projects/state.ts";
import { type Screen, type State, withSlice } from "./state.ts";
import type { Closing, Write } from "./writes/writes.ts";

/** Something that is shown and can be pointed at. */
export type Place =
  | { readonly is: "screen"; readonly screen: Screen }
  | { readonly is: "tab"; readonly tab: CronTab }
  | { readonly is: "row"; readonly at: number }
  | { readonly is: "browse"; readonly key: string | undefined }
  | { readonly is: "detail" };

/** What happened: a person typed, the daemon answered, another hand changed something. */
export type Message =
  | Typed
  /** A text that is asked for was typed, where keys write it by themselves. */
  | { readonly type: "typed"; readonly field: Field }
  /** Something that is shown was clicked or tapped; the spot tells a second click from one elsewhere. */
  | { readonly type: "chosen"; readonly place: Place | undefined; readonly spot: string }
  | { readonly type: "scrolled"; readonly place: Place | undefined; readonly by: number }
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

/**
 * What is to be done outside: the state says what, and nothing in it waits for the answer. With `wait` it is done so many
 * milliseconds later, once for all of its kind that are asked for until then, as the last of them says.
 */
export type Effect =
  | { readonly effect: "load-projects"; readonly wait: number }
  | { readonly effect: "connect"; readonly name: string }
  | { readonly effect: "create-project"; readonly name: string }
  | {
      readonly effect: "load-cron";
      readonly project_id: number;
      readonly tab: CronTab;
      readonly job: string | undefined;
      /** So many rows at least. */
      readonly shown: number;
      readonly wait: number;
    }
  /** Rows behind the last one: runs, or what came due of a job. */
  | {
      readonly effect: "load-older";
      readonly project_id: number;
      readonly tab: CronTab;
      readonly job: string | undefined;
      readonly before: string;
    }
  | {
      readonly effect: "load-job-runs";
      readonly project_id: number;
      readonly job: string;
      readonly wait: number;
    }
  | {
      readonly effect: "load-versions";
      readonly project_id: number;
      readonly of: string;
      readonly asked: readonly VersionAsked[];
    }
  | {
      readonly effect: "load-inbox";
      /** Exact names, the one that is looked at first. */
      readonly addresses: readonly string[];
      readonly all: boolean;
      readonly wait: number;
    }
  | {
      readonly effect: "load-issues";
      readonly project_id: number | undefined;
      readonly serial: number;
    }
  | {
      readonly effect: "load-detail";
      readonly uid: string;
      readonly now: boolean;
    }
  | {
      readonly effect: "load-graph";
      readonly source: string;
      readonly at: { readonly project_id: number; readonly ref: string };
      readonly depth: number | "full";
      readonly hideDone: boolean;
      readonly wait: number;
    }
  | {
      readonly effect: "load-chain";
      readonly source: string;
      readonly at: { readonly project_id: number; readonly ref: string };
      readonly wait: number;
    }
  | {
      readonly effect: "load-fleet";
      readonly project_id: number | undefined;
      readonly wait: number;
    }
  | { readonly effect: "minute"; readonly wait: number }
  | { readonly effect: "write"; readonly id: number; readonly write: Write }
  | {
      readonly effect: "search";
      readonly serial: number;
      readonly words: string;
      readonly labels: readonly string[];
      readonly withoutLabels: readonly string[];
      readonly projects: readonly number[];
    }
  /** Without a query the view goes. */
  | { readonly effect: "save-view"; readonly name: string; readonly query: string | undefined }
  /** The file of a draft that nobody wants any more goes. */
  | { readonly effect: "drop-draft"; readonly id: string }
  /** Reads these issues again. */
  | { readonly effect: "refresh"; readonly uids: readonly string[] }
  /** Tries a daemon that does not answer, now. */
  | { readonly effect: "reconnect" }
  /** Asks the daemon for issues that a text may mean, when nobody types for a moment. */
  | {
      readonly effect: "complete";
      readonly text: string;
      readonly project_id: number;
      readonly q: string;
    }
  | { readonly effect: "edit-text"; readonly text: string }
  | { readonly effect: "copy"; readonly text: string }
  | { readonly effect: "wake"; readonly ms: number }
  | { readonly effect: "repaint" }
  | { readonly effect: "suspend" }
  | { readonly effect: "quit" };

export interface Step {
  readonly state: State;
  readonly effects: readonly Effect[];
}

export function step(state: State, ...effects: readonly Effect[]): Step {
  return { state, effects };
}

const FADE_MS = 4000;
const MAX_NOTICES = 200;

/** Says something on the message row; what went wrong stays there until it is dismissed. */
export function say(
  state: State,
  text: string,
  tone: Notice["tone"] = "info",
  more: Partial<Notice> = {},
): Step {
  const notice: Notice = { tone, text, at: state.now, ...more };
  const notices = [notice, ...state.messages.all].slice(0, MAX_NOTICES);
  const next = withSlice(state, "messages", { notice, all: notices });
  return { state: next, effects: tone === "info" ? fading(next) : [] };
}

/** A word about a key that does nothing now: it is shown for a moment and not kept. */
export function hint(state: State, text: string, more: Partial<Notice> = {}): Step {
  const notice: Notice = { tone: "info", text, at: state.now, isHint: true, ...more };
  const next = withSlice(state, "messages", { notice });
  return { state: next, effects: fading(next) };
}

/** Where nothing may change by time alone, a notice goes with the next key. */
function fading(state: State): readonly Effect[] {
  return state.preferences.calm ? [] : [{ effect: "wake", ms: fadeMs(state) }];
}

/** A person reads no faster when a recording is played at a hundred times its speed. */
function fadeMs({ messages: { notice }, session: { replay } }: State): number {
  return (notice?.seenMs ?? FADE_MS) * (replay === undefined || replay.ended ? 1 : replay.speed);
}

export function isFaded(state: State): boolean {
  const { now } = state;
  const { notice } = state.messages;
  if (notice?.tone !== "info") return false;
  // A timer may be a little early.
  return instantToMs(now) - instantToMs(notice.at) >= fadeMs(state) * 0.98;
}

/** Does one step and then another from where it led. */
export function andThen(first: Step, next: (state: State) => Step): Step {
  const second = next(first.state);
  return { state: second.state, effects: [...first.effects, ...second.effects] };
}
