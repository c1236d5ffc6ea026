import type { JsonValue } from "../../base/json.ts";
import type { CloseReason } from "../../domain/close.ts";
import type { Evidence } from "../../shared/evidence.ts";
import type { Issue } from "../issues/issues.ts";

/** What a write changes: an issue, a job or a series. Routes use `uid`, `project_id` and `ref`; people see `name`. */
export interface At {
  readonly uid: string;
  readonly project_id: number;
  readonly ref: string;
  /** For an issue `project#short_id`, for a job its name, for a series the title of its issues. */
  readonly name: string;
}

export function atOf(issue: Issue): At {
  const { uid, project_id, short_id: ref, qualified_id: name } = issue;
  return { uid, project_id, ref, name };
}

/** A change of links of one kind. An issue has at most one parent, so adding a parent replaces the old parent. */
export interface LinkChange {
  readonly kind: "parent" | "blocks" | "blocked_by" | "related";
  readonly does: "add" | "remove";
  readonly refs: readonly string[];
}

export interface Closing {
  readonly reason: CloseReason | undefined;
  readonly message: string | undefined;
  readonly evidence: readonly Evidence[];
}

/** A close without message and evidence. Not every daemon accepts such a close. */
export const QUICK: Closing = { reason: undefined, message: undefined, evidence: [] };

export interface Creation {
  readonly project: { readonly id: number; readonly name: string };
  readonly title: string;
  readonly body: string;
  readonly owner: string | undefined;
  readonly priority: number | undefined;
  readonly labels: readonly string[];
  readonly parent: string | undefined;
  readonly key: string;
  readonly force_new: boolean;
  readonly metadata?: Patch;
}

/**
 * Turns a job on or off. `expected` is the uid of the event that stored the definition that the person saw. The daemon
 * refuses the write if the job has another definition by then.
 */
export interface JobToggle {
  readonly act: "toggle";
  readonly at: At;
  readonly project: string;
  readonly on: boolean;
  readonly expected: string;
}

export interface NewSeries {
  readonly rrule: string;
  readonly dtstart: string;
  readonly timezone: string;
  readonly template: {
    readonly title: string;
    readonly body: string;
    readonly owner: string | undefined;
    readonly priority: number | undefined;
    readonly labels: readonly string[];
  };
  /**
   * An open issue that becomes the first issue of the series. Without it, the first issue is made from the template.
   */
  readonly first: string | undefined;
}

/**
 * The changed fields of a series; fields that are absent stay as they are. `null` removes the owner or the priority.
 */
export interface SeriesChange {
  readonly rrule?: string;
  readonly dtstart?: string;
  readonly timezone?: string;
  readonly title?: string;
  readonly body?: string;
  readonly owner?: string | null;
  readonly priority?: number | null;
  readonly labels?: readonly string[];
}

/** What a person asks of the bridge of an issue. */
export interface BridgeAsk {
  readonly does: "reconcile" | "pause" | "resume" | "resolve-field" | "resolve-comment";
  /** The body of the request, without the actor. */
  readonly body: Readonly<Record<string, string>>;
  /** The words of the `svc` command behind the name of the issue. */
  readonly words: readonly string[];
}

export type Patch = Readonly<Record<string, JsonValue>>;

/** A change that the person asks for, of an issue, a job or a series. */
export type Write = (
  | ({ readonly act: "create" } & Creation)
  | {
      readonly act: "edit";
      readonly at: At;
      readonly title: string | undefined;
      readonly body: string | undefined;
      /** The write is refused if the issue has another revision. */
      readonly revision: number | undefined;
      /** The issue's text when the person began to edit it. The write is refused if the text has changed by then. */
      readonly before?: string | undefined;
    }
  | {
      readonly act: "link";
      readonly at: At;
      readonly change: LinkChange;
      /** The names of the linked issues, if `change` names them by uid. */
      readonly peers?: string;
    }
  | { readonly act: "comment"; readonly at: At; readonly body: string; readonly key: string }
  | {
      readonly act: "edit-comment";
      readonly at: At;
      readonly comment: string;
      readonly body: string;
      readonly before: string;
    }
  | ({ readonly act: "close"; readonly at: At } & Closing)
  | { readonly act: "reopen"; readonly at: At }
  | { readonly act: "assign"; readonly at: At; readonly owner: string }
  | { readonly act: "unassign"; readonly at: At }
  | { readonly act: "label"; readonly at: At; readonly label: string }
  | { readonly act: "unlabel"; readonly at: At; readonly label: string }
  | { readonly act: "priority"; readonly at: At; readonly priority: number | undefined }
  | { readonly act: "metadata"; readonly at: At; readonly patch: Patch }
  | { readonly act: "delete"; readonly at: At }
  | { readonly act: "restore"; readonly at: At }
  | {
      readonly act: "move";
      readonly at: At;
      readonly to: { readonly id: number; readonly uid: string; readonly name: string };
    }
  | {
      readonly act: "notify";
      readonly at: At;
      readonly to: string;
      readonly message: string;
      /** Whether this request only notifies the sender of another request that it was answered. */
      readonly isAnswer?: true;
    }
  | {
      readonly act: "clear";
      readonly at: At;
      readonly to: string;
      readonly event_uid: string | undefined;
      /** Whether the request cannot be read. It is then cleared only if it still cannot be read. */
      readonly unreadable?: boolean;
    }
  | { readonly act: "release"; readonly at: At; readonly reason: string }
  | { readonly act: "steal"; readonly at: At; readonly reason: string }
  | ({ readonly act: "bridge"; readonly at: At } & BridgeAsk)
  | JobToggle
  | {
      readonly act: "create-series";
      /** The `uid` in `at` is the idempotency key of the first issue, since the series has no uid yet. */
      readonly at: At;
      readonly project: string;
      readonly series: NewSeries;
    }
  | {
      readonly act: "edit-series";
      readonly at: At;
      readonly project: string;
      readonly change: SeriesChange;
      /** The write is refused if the series has another revision. */
      readonly revision: number;
    }
  | {
      readonly act: "delete-series";
      readonly at: At;
      readonly project: string;
      readonly revision: number;
    }
) & {
  /**
   * The values that the person saw in the fields that the write changes, as text. The write is refused if the issue has
   * other values by then.
   */
  readonly guard?: string;
};

export type Act = Write["act"];

const CHANGES = [
  ...(["edit", "link", "close", "reopen", "assign", "unassign"] as const),
  ...(["label", "unlabel", "priority", "metadata"] as const),
];

/**
 * A write that changes fields of an issue. The issue's row shows the change before the daemon answers, and the write
 * can be undone.
 */
export type FieldChange = Extract<Write, { act: (typeof CHANGES)[number] }>;

export function isFieldChange(write: Write): write is FieldChange {
  return CHANGES.some((act) => act === write.act);
}

export function uidOf(write: Write): string | undefined {
  return write.act === "create" ? undefined : write.at.uid;
}
