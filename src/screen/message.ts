import type { Instant } from "../base/clock.ts";
import type { LiveState } from "./connection/state.ts";
import type { CronJob } from "./cron/state.ts";
import type { DetailPart, Section } from "./detail/state.ts";
import type { Field } from "./field.ts";
import type { KeyboardInput } from "./input/typed.ts";
import type { CopyPart } from "./issues/copy-part.ts";
import type { Issue } from "./issues/issues.ts";
import type { Command } from "./keys.ts";
import type { Place } from "./place/place.ts";
import type { ProjectItem, Scope } from "./scope/state.ts";
import type { Screen } from "./state.ts";
import type { Tagged } from "./tagged.ts";
import type { Closing } from "./writes/writes.ts";

/**
 * The targets that only one screen has, by screen and name. The folder of the screen adds them, so that this file knows
 * no screen.
 */
// biome-ignore lint/suspicious/noEmptyInterface: each screen adds its targets.
export interface ScreenTargets {}

/** Something on the screen that can be clicked. */
export type Target =
  | Tagged<ScreenTargets[keyof ScreenTargets], "is">
  | { readonly is: "screen"; readonly screen: Screen }
  | { readonly is: "row"; readonly at: number }
  /** The list of the screen, which gets the focus. */
  | { readonly is: "list" }
  /** The issue beside the list, which gets the focus. */
  | { readonly is: "detail" }
  /** An issue that a text, a link or a picture names. */
  | { readonly is: "issue"; readonly uid: string }
  /**
   * Copies this part of the issue `on` or, without `on`, of each issue that a command would act on. The person is not
   * asked which part.
   */
  | { readonly is: "copy"; readonly part: CopyPart; readonly on?: string | undefined }
  | { readonly is: "section"; readonly section: Section }
  /** The task box on a line of the text of the issue in view. */
  | { readonly is: "task"; readonly line: number }
  /** The message to the person; a click puts it away. */
  | { readonly is: "notice" }
  /** A comment of the person on the issue in view, to edit it. */
  | { readonly is: "comment"; readonly uid: string }
  /** The deleted issue in view, to bring it back. */
  | { readonly is: "restore" }
  /**
   * A command of the key table, from a menu or a button. With `on`, it acts on this issue, which need not be in view.
   * With `field`, a form that the command opens begins in the field of this name.
   */
  | {
      readonly is: "command";
      readonly command: Command;
      readonly on?: string | undefined;
      readonly field?: string | undefined;
    }
  | { readonly is: "field"; readonly at: number }
  /** A choice or suggestion of the open dialog. */
  | { readonly is: "option"; readonly at: number }
  /**
   * A button of the open dialog. `key` is the key that does the same as a click on the button: `ctrl+s` saves, `esc`
   * leaves.
   */
  | { readonly is: "button"; readonly key: string };

/**
 * The messages that only one screen handles, by screen and type. The folder of the screen adds them, so that this file
 * knows no screen.
 */
// biome-ignore lint/suspicious/noEmptyInterface: each screen adds its messages.
export interface ScreenMessages {}

/** Something that happened: input, an answer of the daemon, or a change by somebody else. */
export type Message =
  | KeyboardInput
  | Tagged<ScreenMessages[keyof ScreenMessages], "type">
  /** The whole text of an input. Only the browser page sends this, because it edits its inputs by itself. */
  | { readonly type: "typed"; readonly field: Field }
  /** A click or tap; two clicks on the same `spot` may be a double click. */
  | { readonly type: "chosen"; readonly place: Target | undefined; readonly spot: string }
  | { readonly type: "scrolled"; readonly place: Target | undefined; readonly by: number }
  | { readonly type: "resize"; readonly columns: number; readonly rows: number }
  /** Time passed, and something on the screen depends on it. */
  | { readonly type: "tick" }
  /**
   * Everything shown must be read again. With `isOlder` the daemon's data is an older copy, so known versions of issues
   * may be newer than the daemon's and are replaced.
   */
  | { readonly type: "reload"; readonly isOlder?: boolean }
  /** Another project is shown; only a recording sends this. */
  | { readonly type: "scope"; readonly scope: Scope }
  /** The person opened an address of the browser page, or went back to one. */
  | { readonly type: "went"; readonly place: Place }
  /** The player of a recording reached its end, or the recording lacks an answer. */
  | { readonly type: "replay"; readonly replay: "ended" | { readonly lacks: string } }
  | { readonly type: "projects"; readonly projects: readonly ProjectItem[] }
  | {
      readonly type: "issues";
      /**
       * Which page of the list this is: `first`, `more`, or `all` for the page that completes the list. `changed` is
       * not a page: its issues were read again after a change.
       */
      readonly part: "first" | "more" | "all" | "changed";
      readonly serial: number;
      /** When the daemon answered with the first page, by the daemon's clock. */
      readonly since?: Instant | undefined;
      readonly issues: readonly Issue[];
      readonly gone: readonly string[];
      readonly truncated: boolean;
    }
  /** What the daemon knows of the project that the page's address names. */
  | {
      readonly type: "found-project";
      readonly name: string;
      readonly is: "unknown" | "archived" | { readonly id: number; readonly name: string };
    }
  /** The uid of the issue that the page's address names. */
  | { readonly type: "named"; readonly name: string; readonly uid: string }
  /** Some parts of an issue's detail; the other parts stay as they are. */
  | { readonly type: "detail"; readonly uid: string; readonly detail: DetailPart }
  /** Some time passed on a quiet screen: ages and countdowns are drawn again. */
  | { readonly type: "aged" }
  /** The state of the connection has changed; `why` is the text of a refusal. */
  | { readonly type: "live"; readonly live: LiveState; readonly why?: string | undefined }
  /** Nothing has come on the event stream since this time; `undefined` once something has come. */
  | { readonly type: "silent"; readonly since: Instant | undefined }
  /** Whether changed issues could not be read, so that the screen is out of date. */
  | { readonly type: "behind"; readonly behind: boolean }
  | { readonly type: "events"; readonly events: readonly LiveEvent[] }
  | {
      readonly type: "written";
      readonly id: number;
      readonly issue: Issue | undefined;
      /** How a reopened issue had been closed. */
      readonly closed?: Closing | undefined;
      readonly job?: CronJob | undefined;
      /** The fields that the write edited although a code host owns them. */
      readonly hostOwned?: readonly string[] | undefined;
      /** What the write did, if only the daemon knows it. */
      readonly said?: string | undefined;
    }
  | {
      readonly type: "refused";
      readonly id: number;
      readonly code: string;
      readonly text: string;
      readonly field?: string | undefined;
      readonly candidates?: readonly string[] | undefined;
      /** The job as it is now, if a write to it was refused because somebody else has changed the job. */
      readonly current?: CronJob | undefined;
      /** Whether the daemon refuses every change. */
      readonly forbidden?: boolean;
    }
  | { readonly type: "completed"; readonly text: string; readonly choices: readonly string[] }
  | {
      readonly type: "auth";
      readonly quickClose: boolean;
      /** Why the daemon refuses every change of this caller. */
      readonly readOnly?: string | undefined;
    }
  /** The contract version of the daemon. */
  | { readonly type: "api"; readonly api: string | undefined }
  | { readonly type: "edited"; readonly text: string }
  /** The editor failed. */
  | { readonly type: "edited"; readonly error: string }
  | { readonly type: "new-project"; readonly project: ProjectItem; readonly created: boolean }
  | { readonly type: "new-project"; readonly name: string; readonly error: string }
  /**
   * `actor` is the name that the daemon gives the caller. If the daemon gives none, `actor` is the person's own name.
   */
  | { readonly type: "connected"; readonly daemon: string; readonly actor: string }
  /** A text to show when an effect has ended. */
  | { readonly type: "said"; readonly text: string }
  | { readonly type: "failed"; readonly text: string };

/** The part of an event that the screen needs. */
export interface LiveEvent {
  readonly id: number;
  readonly kind: string;
  readonly actor: string;
  readonly at: string;
  readonly project_id: number;
  /** The issue of the event; `uids` has all issues that it names. */
  readonly uid: string | undefined;
  readonly uids: readonly string[];
  /** What happened, in words for people. */
  readonly description: string;
}

export type MessageOf<Type extends Message["type"]> = Extract<Message, { readonly type: Type }>;

export type TargetOf<Is extends Target["is"]> = Extract<Target, { readonly is: Is }>;
