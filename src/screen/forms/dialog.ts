import type { Instant } from "../../base/clock.ts";
import type { CronJob } from "../cron/state.ts";
import type { At, JobToggle, Write } from "../writes/writes.ts";
import { type Field, fieldOf } from "./field.ts";

/** What a field may be completed with: `wanted` is what a filter may ask for. */
export type Completion =
  | "ref"
  | "label"
  | "owner"
  | "project"
  | "author"
  | "wanted-label"
  | "wanted-owner"
  | "wanted-priority";

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly value: Field;
  /** What the form was opened with, to know whether anything would be lost. */
  readonly initial: string;
  readonly lines: number;
  readonly choices?: readonly string[];
  readonly complete?: Completion;
  /** What may be typed, while nothing is. */
  readonly hint?: string;
  /** Given by how the form was opened; it is unlocked by taking it away. */
  readonly locked?: boolean;
}

/** Which form it is, and what it is about. */
export type FormKind =
  | {
      readonly form: "new";
      /** Where it goes unless the form names another. */
      readonly project: { readonly id: number; readonly name: string };
      readonly key: string;
      /** Those that look like it were seen. */
      readonly force: boolean;
    }
  | { readonly form: "edit"; readonly uid: string; readonly revision: number }
  | {
      readonly form: "comment";
      readonly uid: string;
      readonly key: string;
      /** What follows when the comment is made. */
      readonly after?: Write;
    }
  | { readonly form: "edit-comment"; readonly uid: string; readonly comment: string }
  | { readonly form: "dates"; readonly uids: readonly string[] }
  | { readonly form: "close"; readonly uids: readonly string[] }
  | { readonly form: "filter" };

export interface FormDialog {
  readonly dialog: "form";
  /** Of this opening of it: the answer to an older one means nothing here. */
  readonly id: number;
  readonly kind: FormKind;
  readonly title: string;
  readonly fields: readonly FormField[];
  readonly focus: number;
  readonly saving: boolean;
  readonly error: string | undefined;
  /** What the refusal names: issues that look like the new one. */
  readonly notes: readonly string[];
  /** Escape was pressed once on a changed draft. */
  readonly leaving: boolean;
  /** The draft of an earlier screen that it is. */
  readonly kept?: string;
  /** Which suggestion for the field in focus is chosen; none at first. */
  readonly choose: number | undefined;
  readonly found?: Found;
}

/** A form that was typed into when the screen was ended from outside, as it was then. */
export interface Draft {
  /** Of the file that keeps it. */
  readonly id: string;
  readonly at: Instant;
  readonly daemon: string;
  readonly project: { readonly id: number; readonly name: string };
  readonly form: FormDialog;
}

/** What the daemon knows to a text that nothing loaded fits. */
export interface Found {
  readonly text: string;
  readonly choices: readonly string[];
}

/** What a line that is asked for is used for. */
export type PromptKind =
  | "filter"
  | "add-label"
  | "remove-label"
  | "owner"
  | "parent"
  | "blocker"
  | "related"
  | "unlink"
  | "own-comment"
  | "move"
  | "message"
  | "recipient"
  | "address"
  | "holders"
  | "view"
  | "show-view"
  | "search"
  | "project";

export interface PromptDialog {
  readonly dialog: "prompt";
  readonly kind: PromptKind;
  readonly label: string;
  readonly field: Field;
  readonly uids: readonly string[];
  /** What was there before, for Escape. */
  readonly before: string;
  readonly choices: readonly string[];
  /** Which suggestion is chosen; none at first. */
  readonly choose: number | undefined;
  readonly found?: Found;
  /** The issue where it may be none of those that are loaded. */
  readonly about?: At;
}

type PromptMore = Partial<Pick<PromptDialog, "uids" | "before" | "choices" | "about">>;

/** Asks for one line; `text` stands in it already. */
export function promptDialog(
  kind: PromptKind,
  label: string,
  { text = "", ...more }: PromptMore & { readonly text?: string } = {},
): PromptDialog {
  const asked = { dialog: "prompt", kind, label, field: fieldOf(text), choose: undefined } as const;
  return { ...asked, uids: [], before: "", choices: [], ...more };
}

/** What is listed is narrowed by what is typed. */
export interface MenuDialog {
  readonly dialog: "menu";
  readonly kind: "help" | "palette";
  readonly field: Field;
  readonly at: number;
}

export function menuDialog(kind: MenuDialog["kind"], text = ""): MenuDialog {
  return { dialog: "menu", kind, field: fieldOf(text), at: 0 };
}

/** A draft that somebody else's change got in the way of. */
export interface ConflictDialog {
  readonly dialog: "conflict";
  readonly form: FormDialog;
  readonly uid: string;
  /** The key that gives the draft up was pressed once. */
  readonly leaving: boolean;
}

/** A job was changed while a person turned it on or off. */
export interface ToggleConflictDialog {
  readonly dialog: "toggle-conflict";
  readonly write: JobToggle;
  /** As it was when the key was pressed, and as it is now. */
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
      /** Where it was asked from, and what Escape goes back to. */
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
  /** What stays open under the question is what would be lost. */
  | { readonly dialog: "quit"; readonly under?: Dialog | undefined }
  | { readonly dialog: "list"; readonly kind: "writes" | "messages"; readonly at: number };
