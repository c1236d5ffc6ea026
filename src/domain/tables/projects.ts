import { instant, integer, metadata, nullable, oneOf, projectUid, text, uid } from "./columns.ts";
import { table } from "./table.ts";

export const project = table({
  folded: true,
  numbered: true,
  key: ["uid"],
  columns: {
    uid: uid(),
    name: text(),
    created_at: instant(),
    deleted_at: nullable(instant()),
    metadata: metadata(),
    revision: integer(1),
  },
  derived: { open_issues: integer(0, { initial: 0 }), closed_issues: integer(0, { initial: 0 }) },
  belongs: { none: "other rows belong to it" },
  undo: { none: "a project is changed back by hand" },
  record: { kind: "project" },
});

/** A git remote or a folder that identifies a project. */
export const alias = table({
  folded: true,
  numbered: true,
  key: ["alias_identity"],
  columns: {
    project_uid: projectUid(),
    alias_identity: text(),
    alias_kind: oneOf(["git", "local"]),
    created_at: instant(),
  },
  belongs: { project: "project_uid" },
  undo: { none: "an alias is detached and attached by hand" },
  record: { kind: "project_alias" },
});
