import type { Instant } from "../../base/clock.ts";
import type { CronJob } from "../cron/state.ts";
import { type Field, fieldOf } from "../field.ts";
import type { At, JobToggle, Patch, Write } from "../writes/writes.ts";

/** The source of a field's completions. The fields of the filter form use the names that begin with `wanted-`. */
export type Completion =
  | "ref"
  | "label"
  | "owner"
  | "project"
  | "author"
  | "rule"
  | "wanted-label"
  | "wanted-owner"
  | "wanted-priority";

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly value: Field;
  /** The value when the form was opened. */
  readonly initial: string;
  readonly lines: number;
  readonly choices?: readonly string[];
  readonly complete?: Completion;
  readonly hint?: string;
  /**
   * Whether the command that opened the form set the value. Such a value cannot be edited. Deleting it unlocks the
   * field.
   */
  readonly locked?: boolean;
}

export type FormKind =
  | {
      readonly form: "new";
      /** The project of the new issue, unless the form names another. */
      readonly project: { readonly id: number; readonly name: string };
      readonly key: string;
      /** Whether to create the issue although similar issues exist. The person has then seen the similar issues. */
      readonly force: boolean;
      /** Planning dates. The form has no fields for them. */
      readonly metadata?: Patch;
    }
  | { readonly form: "edit"; readonly uid: string; readonly revision: number }
  | {
      readonly form: "comment";
      readonly uid: string;
      readonly key: string;
      /** The write to send after the comment was accepted. */
      readonly after?: Write;
      /**
       * The sender of the request that the comment answers, who is notified of the answer; absent if the person sent
       * the request.
       */
      readonly asker?: string;
    }
  | { readonly form: "edit-comment"; readonly uid: string; readonly comment: string }
  | { readonly form: "dates"; readonly uids: readonly string[] }
  | { readonly form: "close"; readonly uids: readonly string[] }
  | {
      readonly form: "new-series";
      readonly project: { readonly id: number; readonly name: string };
      /** The idempotency key of the first issue. */
      readonly key: string;
    }
  | {
      readonly form: "series";
      readonly series: {
        readonly at: At;
        readonly project: string;
        readonly revision: number;
        /** The day of the newest issue that the series has created, if it is known. */
        readonly last?: string;
      };
      /** Whether to save although somebody else has changed the series. The person was told about that change. */
      readonly force: boolean;
    }
  | { readonly form: "filter" };

export interface FormDialog {
  readonly dialog: "form";
  /** Identifies this opening of the form, so that an answer to an earlier opening is dropped. */
  readonly id: number;
  readonly kind: FormKind;
  readonly title: string;
  readonly fields: readonly FormField[];
  readonly focus: number;
  readonly saving: boolean;
  readonly error: string | undefined;
  /** Whether the error says that nothing was sent, because the daemon did not answer or refused the caller. */
  readonly isUnsent?: boolean;
  /** Lines that the form shows after a refusal, such as the similar issues that the refusal names. */
  readonly notes: readonly string[];
  /** A text below the fields: the request that the comment answers, or which fields of the issue a code host owns. */
  readonly about?: string;
  /** Whether Escape was pressed once on a changed draft. */
  readonly leaving: boolean;
  /** The id of the draft from which the form was restored. */
  readonly kept?: string;
  readonly choose: number | undefined;
  readonly found?: Found;
  readonly word?: TypedWord | undefined;
  readonly days?: SeriesDays;
}

/** The word before the cursor of a text of several lines, and what it may mean. */
export interface TypedWord {
  readonly text: string;
  readonly choices: readonly string[];
  /** Set if the person has closed the list of this word. */
  readonly closed?: true;
}

/** The next days that the rule, the first day and the zone in a series form give. */
export interface SeriesDays {
  readonly asked: DaysAsked;
  /** The days, such as `Mon 2026-11-30`; `undefined` until they are computed. */
  readonly days: readonly string[] | undefined;
  readonly goesOn: boolean;
  readonly error: string | undefined;
}

export interface DaysAsked {
  readonly rrule: string;
  readonly dtstart: string;
  readonly timezone: string;
  /** Only days after this one are wanted; `undefined` to begin with the first day. */
  readonly after: string | undefined;
}

/** A form with typed text, kept when the screen was ended from outside or changed to another daemon. */
export interface Draft {
  /** The id of the draft, which is the name of its file too. */
  readonly id: string;
  readonly at: Instant;
  readonly daemon: string;
  readonly project: { readonly id: number; readonly name: string };
  readonly form: FormDialog;
}

/** The choices that the daemon found for a text. */
export interface Found {
  readonly text: string;
  readonly choices: readonly string[];
}

export type PromptKind =
  | "filter"
  | "close"
  | "add-label"
  | "remove-label"
  | "owner"
  | "parent"
  | "blocker"
  | "blocked"
  | "related"
  | "unlink"
  | "own-comment"
  | "task"
  | "move"
  | "message"
  | "recipient"
  | "address"
  | "holders"
  | "view"
  | "show-view"
  | "search"
  | "columns"
  | "lane"
  | "copy"
  | "quick"
  | "run"
  | "project";

export interface PromptDialog {
  readonly dialog: "prompt";
  readonly kind: PromptKind;
  readonly label: string;
  readonly field: Field;
  readonly uids: readonly string[];
  /** The text that Escape restores. */
  readonly before: string;
  readonly choices: readonly string[];
  /** The index of the chosen suggestion. */
  readonly choose: number | undefined;
  readonly found?: Found;
  /** Why the daemon refused what was typed. */
  readonly error?: string | undefined;
  /** Set if the prompt is about an issue that may not be loaded here. */
  readonly about?: At;
}

type PromptMore = Partial<Pick<PromptDialog, "uids" | "before" | "choices" | "about">>;

/** A prompt for one line of text, which starts with `text`. */
export function promptDialog(
  kind: PromptKind,
  label: string,
  { text = "", ...more }: PromptMore & { readonly text?: string } = {},
): PromptDialog {
  const asked = { dialog: "prompt", kind, label, field: fieldOf(text), choose: undefined } as const;
  return { ...asked, uids: [], before: "", choices: [], ...more };
}

/** A list that narrows as the person types. */
export interface MenuDialog {
  readonly dialog: "menu";
  readonly kind: "help" | "palette";
  readonly field: Field;
  readonly at: number;
}

export function menuDialog(kind: MenuDialog["kind"], text = ""): MenuDialog {
  return { dialog: "menu", kind, field: fieldOf(text), at: 0 };
}

export interface ConflictDialog {
  readonly dialog: "conflict";
  readonly form: FormDialog;
  readonly uid: string;
  /** Whether the person has pressed the key that discards the draft once. A second press discards it. */
  readonly leaving: boolean;
}

/** The dialog that opens if somebody else changed a job while the person toggled it. */
export interface ToggleConflictDialog {
  readonly dialog: "toggle-conflict";
  readonly write: JobToggle;
  /** The job as it was when the person pressed the key. */
  readonly base: CronJob | undefined;
  readonly theirs: CronJob;
}

export type Dialog =
  | FormDialog
  | PromptDialog
  | MenuDialog
  | { readonly dialog: "priority"; readonly uids: readonly string[] }
  | {
      readonly dialog: "confirm";
      readonly text: string;
      readonly writes: readonly Write[];
      /** The dialog that Escape goes back to. */
      readonly input?: Dialog | undefined;
    }
  | {
      readonly dialog: "type";
      readonly text: string;
      readonly expected: string;
      readonly field: Field;
      readonly writes: readonly Write[];
      readonly input?: Dialog | undefined;
    }
  | ConflictDialog
  | ToggleConflictDialog
  | { readonly dialog: "daemons"; readonly at: number }
  | { readonly dialog: "drafts"; readonly at: number }
  /** Asks before leaving. The dialog `under` stays open below the question, so that its text is not lost. */
  | { readonly dialog: "quit"; readonly under?: Dialog | undefined }
  | { readonly dialog: "list"; readonly kind: "writes" | "messages"; readonly at: number };
