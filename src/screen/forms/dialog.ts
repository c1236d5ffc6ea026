import type { Instant } from "../../base/clock.ts";
import { type Field, fieldOf } from "../field.ts";
import type { Tagged } from "../tagged.ts";
import type { At, Write } from "../writes/writes.ts";

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

/**
 * The kinds of forms, each with its data. They are in groups: one group for each screen, and the group `shared`. The
 * file that describes the forms of a group adds the group here, so that this file knows no screen.
 */
// biome-ignore lint/suspicious/noEmptyInterface: see above.
export interface FormKinds {}

export type FormKind = Tagged<FormKinds[keyof FormKinds], "form">;

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
  readonly found?: FoundChoices;
  readonly word?: TypedWord | undefined;
}

/** The dialog of one kind of form. */
export type FormDialogOf<Form extends FormKind["form"]> = FormDialog & {
  readonly kind: Extract<FormKind, { readonly form: Form }>;
};

/** The word before the cursor of a text of several lines, and what it may mean. */
export interface TypedWord {
  readonly text: string;
  readonly choices: readonly string[];
  /** Set if the person has closed the list of this word. */
  readonly closed?: true;
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
export interface FoundChoices {
  readonly text: string;
  readonly choices: readonly string[];
}

/**
 * The kinds of prompts, in groups: one group for each screen, and the group `shared`. The file that describes the
 * prompts of a group adds the group here, so that this file knows no screen.
 */
// biome-ignore lint/suspicious/noEmptyInterface: see above.
export interface PromptKinds {}

export type PromptKind = PromptKinds[keyof PromptKinds];

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
  readonly found?: FoundChoices;
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
  const prompt = {
    dialog: "prompt",
    kind,
    label,
    field: fieldOf(text),
    choose: undefined,
  } as const;
  return { ...prompt, uids: [], before: "", choices: [], ...more };
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
  /** Whether the key that discards the draft was pressed once. A second press discards the draft. */
  readonly leaving: boolean;
}

/**
 * One field of a conflict in its three versions: before both changes, as somebody else changed it, and as the person
 * wants it.
 */
export interface Side {
  readonly label: string;
  /** The value before both changes; `undefined` if it is not known. */
  readonly base: string | undefined;
  readonly theirs: string;
  /** The value that the person wants; `undefined` if the person did not change the field. */
  readonly mine: string | undefined;
}

/**
 * The data of the dialogs that compare changes, by the name of the screen that opens them. The screen adds its data.
 */
// biome-ignore lint/suspicious/noEmptyInterface: see above.
export interface Compared {}

/**
 * Shows a change of somebody else beside the change that the person wants. The screen that opened the dialog handles
 * its keys.
 */
export interface CompareDialog {
  readonly dialog: "compare";
  readonly title: string;
  readonly lead: string;
  readonly sides: readonly Side[];
  /** What the person can do, in order. The last key closes the dialog. */
  readonly keys: readonly { readonly key: string; readonly label: string }[];
  readonly about: Tagged<Compared[keyof Compared], "compared">;
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
  | CompareDialog
  | { readonly dialog: "daemons"; readonly at: number }
  | { readonly dialog: "drafts"; readonly at: number }
  /** Asks before leaving. The dialog `under` stays open below the question, so that its text is not lost. */
  | { readonly dialog: "quit"; readonly under?: Dialog | undefined }
  | { readonly dialog: "list"; readonly kind: "writes" | "messages"; readonly at: number };
