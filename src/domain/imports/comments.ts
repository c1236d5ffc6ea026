import type { JsonValue } from "../../base/json.ts";
import type { Payload, StoredEvent } from "../../contract/events.ts";
import { COMMENT_REMOVED } from "./fields.ts";
import type { FieldChanges } from "./merge.ts";

/** A comment that an earlier import has added. */
export interface KnownComment {
  readonly uid: string;
  readonly author: string;
  readonly created_at: string;
  /** Its current text in svc. */
  readonly body: string;
  /** Its text in the source at the last import. */
  readonly stated: string;
}

/** The comments of one issue that earlier imports have added, by the names that the imports gave them. */
export type KnownComments = ReadonlyMap<string, KnownComment>;

/** Collects from the log the comments that imports have added to one issue. */
export class CommentsOfImports {
  readonly #byName = new Map<string, { -readonly [K in keyof KnownComment]: KnownComment[K] }>();
  readonly #names = new Map<string, string>();
  readonly #issueUid: string;

  constructor(issueUid: string) {
    this.#issueUid = issueUid;
  }

  get byName(): KnownComments {
    return this.#byName;
  }

  nameOf(commentUid: string): string | undefined {
    return this.#names.get(commentUid);
  }

  /** Processes an event that added an imported comment or edited one, whoever made it. */
  note(event: StoredEvent): void {
    if (event.issue_uid !== this.#issueUid) return;
    if (event.type === "issue.commented") {
      const name = importedName(event.payload);
      if (name === undefined) return;
      const { comment_uid: uid, author, body, created_at } = event.payload;
      this.#byName.set(name, { uid, author, created_at, body, stated: body });
      this.#names.set(uid, name);
    }
    if (event.type !== "issue.comment_edited") return;
    const comment = this.#byName.get(this.nameOf(event.payload.comment_uid) ?? "");
    if (comment !== undefined) comment.body = event.payload.body;
  }

  /** Stores the texts of comments that an import has read. */
  noteStated(fields: FieldChanges): void {
    for (const [field, text] of fields) {
      if (!field.startsWith(PREFIX) || typeof text !== "string") continue;
      const comment = this.#byName.get(field.slice(PREFIX.length));
      if (comment !== undefined) comment.stated = text;
    }
  }
}

const PREFIX = "comment.";

/** Returns the change that an event about a comment's text makes to the fields that the next import compares. */
export function commentChange(
  name: string | undefined,
  body: string,
): ReadonlyMap<string, JsonValue | undefined> {
  if (name === undefined) return new Map();
  return new Map([[PREFIX + name, body === COMMENT_REMOVED ? undefined : body]]);
}

/**
 * Reads the name of an imported comment from its idempotency key. Returns `undefined` for a comment that no import
 * wrote.
 */
export function importedName({ idempotency_key }: Payload<"issue.commented">): string | undefined {
  const at = idempotency_key?.indexOf(SEPARATOR) ?? -1;
  return at < 0 ? undefined : idempotency_key?.slice(at + 1);
}

const SEPARATOR = "\u0001";

/**
 * The idempotency key that identifies an imported comment. The key contains a control character, which no header can
 * contain, so no caller can use the same key.
 */
export function commentKey(source: string, name: string): string {
  return source + SEPARATOR + name;
}
