import type { listHolders } from "../../../contract/holders.ts";
import { HOLDERS_MAX_LIMIT } from "../../../contract/limits.ts";
import type { Output } from "../../../contract/route.ts";
import type { Transport } from "../../../shared/transport.ts";
import type { EffectOf } from "../../effect.ts";
import { bySilence } from "../../fleet/fleet.ts";
import type { FleetRow } from "../../fleet/state.ts";
import type { MessageOf } from "../../message.ts";
import { textOf } from "../failures.ts";

type Holder = Output<typeof listHolders>["holders"][number];

export async function readFleet(
  daemon: Transport,
  { project_id }: EffectOf<"load-fleet">,
): Promise<MessageOf<"fleet">> {
  // The screen filters the holders that were read, so as many as possible are read.
  const query = { limit: HOLDERS_MAX_LIMIT };
  try {
    const { holders, truncated } =
      project_id === undefined
        ? await daemon.call("listHoldersGlobal", { query })
        : await daemon.call("listHolders", { params: { project_id }, query });
    const rows = bySilence(holders.map(rowOf));
    return { type: "fleet", project_id, fleet: { rows, truncated, error: undefined } };
  } catch (error) {
    return { type: "fleet", project_id, fleet: { error: textOf(error) } };
  }
}

function rowOf(held: Holder): FleetRow {
  const {
    holder,
    project_id,
    project,
    issue_uid: uid,
    ref: name,
    title,
    status,
    owner,
    since,
  } = held;
  const { lease, last_event: event } = held;
  return {
    at: { uid, project_id, ref: name.slice(project.length + 1), name },
    title,
    status,
    holder,
    owner,
    since,
    lease:
      lease === undefined
        ? undefined
        : { expires_at: lease.expires_at, fence: lease.fence, purpose: lease.purpose },
    last:
      event === undefined
        ? undefined
        : { kind: event.type, at: event.created_at, uid: event.issue_uid },
  };
}
