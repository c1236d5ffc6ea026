import type { Payload, StoredEvent } from "../../contract/events.ts";
import type { ImportRow } from "../state.ts";

type Mapping = Pick<ImportRow, "project_uid" | "source" | "external_id">;

/** Which records of other trackers the event maps to its issue. */
export function mappingsOf({ type, project_uid, payload }: StoredEvent): readonly Mapping[] {
  if (type === "issue.snapshot") {
    const { sources = [] } = payload as Payload<typeof type>;
    return sources.map(({ source, external_id }) => ({ project_uid, source, external_id }));
  }
  if (type === "issue.imported") {
    const { source, external_ids = [] } = payload as Payload<typeof type>;
    return external_ids.map((external_id) => ({ project_uid, source, external_id }));
  }
  if (type !== "issue.created") return [];
  const { source, external_id, other_external_ids = [] } = payload as Payload<typeof type>;
  if (source === undefined || external_id === undefined) return [];
  return [external_id, ...other_external_ids].map((id) => ({
    project_uid,
    source,
    external_id: id,
  }));
}
