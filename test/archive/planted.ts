import { base64ToBytes } from "../../src/base/bytes.ts";
import type { StoredEvent } from "../../src/contract/events.ts";
import type { Change } from "../../src/domain/state.ts";
import {
  bytes,
  flag,
  instant,
  integer,
  issueUid,
  nullable,
  object,
  oneOf,
  text,
  texts,
  uid,
} from "../../src/domain/tables/columns.ts";
import { table } from "../../src/domain/tables/table.ts";
import type { Migration } from "../../src/store/upgrade/migrate.ts";
import { uid as number } from "../store/drafts.ts";

/**
 * A table, and a column of the issue table, that svc does not have. They test what follows from a table's description
 * alone.
 */
export const note = table({
  folded: true,
  numbered: true,
  key: ["issue_uid", "name"],
  columns: {
    issue_uid: issueUid(),
    name: uid(),
    body: text(),
    hint: nullable(text()),
    state: oneOf(["new", "read"]),
    pinned: flag(),
    size: integer(0),
    due: nullable(instant()),
    extra: object("the extra of note {name}"),
    words: texts("the words of note {name}"),
    more: nullable(object("what note {name} says more")),
    about_uid: nullable(uid({ reference: { to: "issue", id: "about_id" } })),
    raw: bytes(),
    seal: nullable(bytes()),
  },
  belongs: { issue: ["issue_uid"] },
  undo: { none: "planted" },
  record: { kind: "issue_note" },
});

/** A table that no event writes. */
export const token = table({
  folded: { not: "a secret is in no log", writable: true },
  numbered: false,
  key: ["name"],
  columns: { name: text(), hash: text(), key: bytes() },
  belongs: { daemon: "it is a secret of this daemon" },
  record: { kind: "token" },
});

export const mood = nullable(text());
export const face = nullable(bytes());

export const planting: Migration = {
  version: 9_000,
  up: async ({ dialect, table: create, index, run }) => {
    await create(
      "note" as never,
      `id int primary key, issue_uid text not null references issue (uid), name text not null,
       body text not null, hint text, state text not null, pinned int not null, size int not null, due text,
       extra text not null, words text not null, more text, about_uid text, raw bytes not null, seal bytes`,
    );
    await create(
      "token" as never,
      "name text not null, hash text not null, key bytes not null",
      "primary key (name)",
    );
    await index("note_key", "note", "issue_uid, name", { unique: true });
    await run(
      `alter table issue add column mood ${dialect === "sqlite" ? "text" : 'text collate "C"'}`,
    );
    await run(`alter table issue add column face ${dialect === "sqlite" ? "blob" : "bytea"}`);
  },
};

/** If the issue is unlabeled, the note of this comment is removed. */
export const LOST = number(902);

/** An issue gets its mood and its face from its metadata, and each comment leaves a note. */
export function planted(event: StoredEvent, changes: readonly Change[]): readonly Change[] {
  const moody = changes.map((change): Change => {
    if (change.table !== "issue" || !("put" in change)) return change;
    const { mood: told = null, face: drawn } = change.put.metadata;
    const face = typeof drawn === "string" ? base64ToBytes(drawn) : null;
    return { table: "issue", put: { ...change.put, mood: told, face } as typeof change.put };
  });
  return [...moody, ...notes(event)] as readonly Change[];
}

function notes(event: StoredEvent): readonly object[] {
  const { type, issue_uid, created_at } = event;
  const of = (name: string) => ({ issue_uid, name });
  if (type === "issue.unlabeled") return [{ table: "note", remove: of(LOST) }];
  if (type !== "issue.commented" && type !== "issue.comment_edited") return [];
  const { comment_uid, body } = event.payload;
  const edited = type === "issue.comment_edited";
  const put = {
    ...of(comment_uid),
    body,
    hint: edited ? "edited" : null,
    state: edited ? "read" : "new",
    pinned: edited ? 1 : 0,
    size: body.length,
    due: edited ? created_at : null,
    extra: { said: body },
    words: body.split(" "),
    more: edited ? { said: "more" } : null,
    about_uid: edited ? issue_uid : null,
    raw: new TextEncoder().encode(body),
    seal: edited ? Uint8Array.of(0, 255, 128) : null,
  };
  return [{ table: "note", put }];
}
