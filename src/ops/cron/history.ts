import type { JsonObject } from "../../base/json.ts";
import type { StoredEvent } from "../../contract/events.ts";
import type { History, ProgressChange, StateChange, Version } from "../../domain/cron/ledger.ts";
import { type Progress, progressKey, readProgress } from "../../domain/cron/progress.ts";
import { decodeNative, type StoppedBy } from "../../domain/cron/stopped.ts";
import type { Reader } from "../../store/types/store.ts";

/**
 * Returns from the log when the job was stopped and when it could run again. A job is stopped by its own definition,
 * its parent or its project.
 */
export async function historyOf(
  reader: Reader,
  {
    uid,
    parent_uid,
    project_uid,
  }: { readonly uid: string; readonly parent_uid: string; readonly project_uid: string },
): Promise<History> {
  const definitions = await reader.cron.definitionEvents(uid);
  const versions = definitions.map(({ id, payload }): Version => {
    return { id, job: decodeNative(payload.definition) };
  });
  const ofJob = definitions.map(({ created_at, payload }): StateChange => {
    const stopped =
      payload.deleted_at !== undefined ? "job_deleted" : stoppedByDocument(payload.definition);
    return { at: created_at, stopped };
  });
  const lives = await reader.cron.lifeEvents(parent_uid, project_uid);
  return { versions, changes: [ofJob, ...lifeChanges(lives)] };
}

function stoppedByDocument({ enabled }: JsonObject): StoppedBy | undefined {
  return enabled === true ? undefined : "disabled";
}

type LifeEvent = Pick<StoredEvent, "type" | "created_at">;

/**
 * Returns one list of changes for each reason why a job is stopped, since several reasons may apply at once: a closed
 * parent may also be deleted.
 */
function lifeChanges(events: readonly LifeEvent[]): readonly (readonly StateChange[])[] {
  const changesBetween = (on: StoredEvent["type"], off: StoredEvent["type"], stopped: StoppedBy) =>
    events
      .filter(({ type }) => type === on || type === off)
      .map(
        ({ type, created_at }): StateChange => ({
          at: created_at,
          stopped: type === on ? stopped : undefined,
        }),
      );
  return [
    changesBetween("issue.closed", "issue.reopened", "parent_closed"),
    changesBetween("issue.soft_deleted", "issue.restored", "parent_deleted"),
    changesBetween("project.removed", "project.restored", "project_archived"),
  ];
}

const PAGE = 200;

/** Reads the changes of a job's checkpoint from the log, newest first. */
export async function* settledOf(
  reader: Reader,
  uid: string,
  parentUid: string,
): AsyncGenerator<ProgressChange> {
  const key = progressKey(uid);
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const page = await reader.cron.metadataEvents(parentUid, before, PAGE);
    for (const { id, created_at, payload } of page) {
      const change = payload.diff[key];
      const [from, to] = [readProgress(change?.from), readProgress(change?.to)];
      if (from !== undefined && to !== undefined && isStep(from, to))
        yield { id, at: created_at, from, to };
    }
    before = page.at(-1)?.id ?? 0;
    if (page.length < PAGE) return;
  }
}

function isStep(from: Progress, to: Progress): boolean {
  return to.through > from.through;
}
