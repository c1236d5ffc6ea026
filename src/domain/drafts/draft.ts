import type { Instant } from "../../base/clock.ts";
import type { EventDraft, EventKind, Payload } from "../../contract/events.ts";

export interface Act {
  readonly actor: string;
  readonly now: Instant;
  /** Only in events of an undo. */
  readonly undo?: UndoMark;
  /** The batch of the import; only in events of an import. */
  readonly import?: string | undefined;
}

/** The mark of every event of an undo: the batch of the undo, and the events that this event undoes. */
export interface UndoMark {
  readonly batch_uid: string;
  readonly events: readonly string[];
  /** The batch of the import whose changes this undo reverses, if any. */
  readonly import?: string | undefined;
  /** Set if this undo reverses an undo of the import, so that the import counts again. */
  readonly again?: true | undefined;
}

/**
 * The idempotency key of a request, and the fingerprint of what it asked for
 * (docs/contract/http-api.md#17-idempotency-keys).
 */
export interface Mark {
  readonly key: string;
  readonly fingerprint: string;
}

/** The issue that an event is about, and the project to which the event belongs. */
export interface IssueInProject {
  readonly uid: string;
  readonly project_uid: string;
}

export function issueEventDraft<K extends EventKind>(
  type: K,
  { uid, project_uid }: IssueInProject,
  { actor, undo, import: batch }: Omit<Act, "now">,
  payload: Payload<K>,
): EventDraft<K> {
  const unmarked = batch === undefined ? payload : { ...payload, import: batch };
  const marked = undo === undefined ? unmarked : { ...unmarked, undo };
  return { type, actor, project_uid, issue_uid: uid, payload: marked } as EventDraft<K>;
}

/** Makes an event about a project, or about something in a project that is not an issue. */
export function projectEventDraft<K extends EventKind>(
  type: K,
  project_uid: string,
  { actor, undo }: Omit<Act, "now">,
  payload: Payload<K>,
): EventDraft<K> {
  const marked = undo === undefined ? payload : { ...payload, undo };
  return { type, actor, project_uid, payload: marked } as EventDraft<K>;
}

/**
 * Returns the fields of a payload that store the idempotency key of a request. Events store the key, so that a log that
 * was restored from a backup still recognizes a repeated request.
 */
export function keyOf(mark: Mark | undefined) {
  if (mark === undefined) return {};
  return { idempotency_key: mark.key, idempotency_fingerprint: mark.fingerprint };
}

/**
 * All fields of a payload, each with a value or `undefined`. A payload that `satisfies` this type must name every
 * field, even an optional one that was added later. Otherwise it does not compile.
 */
export type EveryField<K extends EventKind> = {
  readonly [F in NamedField<Payload<K>> as F extends keyof ReturnType<typeof keyOf>
    ? never
    : F]: unknown;
};

type NamedField<P> = keyof { [F in keyof P as string extends F ? never : F]: P[F] };

type Absent = null | undefined;
type Maybe<T> = { [K in keyof T]: Extract<T[K], Absent> extends never ? never : K }[keyof T];
type Stated<T> = Omit<T, Maybe<T>> & { [K in Maybe<T>]?: Exclude<T[K], Absent> };

/** Leaves out the fields that are null or undefined, because events do not store them. */
export function stated<T extends object>(fields: T): Stated<T> {
  const kept: Partial<T> = {};
  for (const name in fields)
    if (fields[name] !== undefined && fields[name] !== null) kept[name] = fields[name];
  return kept as Stated<T>;
}
