import type { JsonObject } from "../../base/json.ts";
import type { Payload } from "../../contract/events.ts";
import type { CronDefinitionRow, CronRunRow } from "../state.ts";
import { type Act, projectEventDraft, stated } from "./draft.ts";

export type Verb = "created" | "updated" | "deleted" | "restored";

interface Definition {
  readonly uid: string;
  readonly project_uid: string;
  readonly name: string;
  readonly definition: JsonObject;
  readonly known?: Pick<CronDefinitionRow, "author" | "created_at"> | undefined;
}

/**
 * Makes the event that creates, changes or deletes a job or workflow. It holds the whole definition after the change.
 */
export function definitionWritten(
  kind: "job" | "workflow",
  verb: Verb,
  { uid, project_uid, name, definition, known }: Definition,
  act: Act,
) {
  const payload: Payload<"cron.job.created"> = {
    uid,
    project_uid,
    name,
    definition,
    author: known?.author ?? act.actor,
    created_at: known?.created_at ?? act.now,
    updated_at: act.now,
    ...(verb === "deleted" ? { deleted_at: act.now } : {}),
  };
  return projectEventDraft(`cron.${kind}.${verb}` as const, project_uid, act, payload);
}

interface Run {
  readonly uid: string;
  readonly project_uid: string;
  readonly known: Pick<CronRunRow, "actor" | "revision" | "created_at"> | undefined;
  readonly observed: Pick<CronRunRow, "status" | "summary">;
}

/** Makes the event of an observed run. It holds the whole run without the fields that are null. */
export function runObserved({ uid, project_uid, known, observed }: Run, act: Act) {
  return projectEventDraft("cron.run.observed", project_uid, act, {
    ...stated(observed),
    uid,
    project_uid,
    actor: known?.actor ?? act.actor,
    revision: (known?.revision ?? 0) + 1,
    created_at: known?.created_at ?? act.now,
    updated_at: act.now,
  });
}
