import { invariant } from "../../base/invariant.ts";
import type { listImports as contract } from "../../contract/import-batches.ts";
import { IMPORTS_DEFAULT_LIMIT } from "../../contract/limits.ts";
import { writerOf } from "../../domain/federation/bound-actor.ts";
import type { Reader } from "../../store/types/store.ts";
import type { ReadOp } from "../deps.ts";
import { requireProject } from "../find.ts";

/** How many imports one request examines. */
const MAX_SEARCHED = 500;

/** A text that sorts after the uids of all imports, which consist of digits and upper-case letters. */
const AFTER_ALL_UIDS = "~";

export const listImports: ReadOp<typeof contract> = async ({ store }, _who, { params, query }) =>
  await store.read(async (reader) => {
    const project = await requireProject(reader, params.project_id);
    const { limit = IMPORTS_DEFAULT_LIMIT } = query;
    const batches = await reader.imports.batchesBefore(
      query.before?.toUpperCase() ?? AFTER_ALL_UIDS,
      MAX_SEARCHED,
    );
    const imports = [];
    let last: string | undefined;
    for (const batch_uid of batches) {
      if (imports.length === limit) break;
      last = batch_uid;
      const place = await reader.imports.placeOf(batch_uid);
      if (place?.project_uid !== project.uid) continue;
      imports.push(await batchOut(reader, batch_uid, place.source));
    }
    const isAll = last === batches.at(-1) && batches.length < MAX_SEARCHED;
    return { imports, ...(isAll || last === undefined ? {} : { next_before: last }) };
  });

async function batchOut(reader: Reader, batch_uid: string, source: string) {
  const summary = await reader.imports.summary(batch_uid);
  invariant(summary !== undefined, "an import that has a place has events");
  const { first_event_id, last_event_id, created, updated, deleted, undone } = summary;
  const [first] = await reader.events.after(first_event_id - 1, 1);
  const ended = await reader.past.lastUpTo(last_event_id);
  invariant(first !== undefined && ended !== undefined, "the events of an import are in the log");
  const times = { began_at: first.created_at, ended_at: ended.created_at };
  return {
    batch_uid,
    source,
    actor: writerOf(first),
    ...times,
    created,
    updated,
    deleted,
    undone,
  };
}
