import type { pollFederationProjectEvents } from "../../src/contract/federation-transport.ts";
import type { Output } from "../../src/contract/route.ts";
import { BASE_PATH } from "../../src/contract/version.ts";
import type { Rows } from "../../src/domain/tables/tables.ts";
import type { World } from "./world.ts";

/** The instance of a daemon that has a copy of a project. */
export const SPOKE = "01J00000000000000000SPXKE1";

/** Makes the world the hub of a project from the next event on, without a baseline. */
export async function makeHub(
  { store }: Pick<World, "store">,
  { uid }: { readonly uid: string },
  changes: Partial<Rows["federation_binding"]> = {},
): Promise<void> {
  await store.write(async (tx) => {
    const horizon = (await tx.events.lastId()) + 1;
    await tx.unfolded.put("federation_binding", bindingRow(uid, horizon, tx.now, changes));
  });
}

/** Returns the binding of a hub. `changes` replace some of its fields. */
export function bindingRow(
  project_uid: string,
  horizon: number,
  now: string,
  changes: Partial<Rows["federation_binding"]> = {},
): Rows["federation_binding"] {
  return {
    project_uid,
    role: "hub",
    hub_url: null,
    hub_project_id: null,
    hub_project_uid: null,
    replay_horizon_event_id: horizon,
    baseline_through_event_id: horizon,
    pull_cursor_event_id: horizon - 1,
    hub_epoch: null,
    hub_chain: null,
    hub_stamp: null,
    push_enabled: 0,
    push_cursor_event_id: 0,
    own_through_event_id: null,
    pushes_once_read: 0,
    adopted_through_event_id: null,
    bound_actor: null,
    allow_insecure: 0,
    enabled: 1,
    disabled_reason: null,
    created_at: now,
    updated_at: now,
    last_sync_at: null,
    baseline_claim: null,
    baseline_claimed_at: null,
    ...changes,
  };
}

export type PollPage = Output<typeof pollFederationProjectEvents>;

export interface PollRequest {
  readonly token?: string;
  readonly after_id?: number | string;
  readonly limit?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Polls as a spoke does, and returns the status and the body of the answer. */
export async function poll(w: Pick<World, "app">, projectId: number, asked: PollRequest = {}) {
  return await askHub(w, `/projects/${projectId}/federation/events`, asked);
}

/** Sends events as a spoke does. Fields of `batch` replace those of an ordinary request. */
export async function push(
  w: Pick<World, "app">,
  projectId: number,
  { token, features, ...batch }: Pushed,
) {
  const path = `/projects/${projectId}/federation/events:ingest`;
  const headers = {
    authorization: `Bearer ${token}`,
    "x-svc-instance": SPOKE,
    "content-type": "application/json",
    "x-svc-event-features": features ?? "cron_notify_children_v1, cron_v1, external_roots_v1",
  };
  const body = JSON.stringify({ schema_version: 31, ...batch });
  const request = new Request(`http://localhost${BASE_PATH}${path}`, {
    method: "POST",
    headers,
    body,
  });
  const response = await w.app.fetch(request);
  const answer = JSON.parse(await response.text()) as {
    readonly error?: { readonly code: string; readonly message: string };
  };
  const { code, message } = answer.error ?? {};
  return { status: response.status, code, message, body: answer, headers: response.headers };
}

interface Pushed {
  readonly token: string;
  readonly events: readonly object[];
  readonly schema_version?: unknown;
  readonly adoption_baseline?: unknown;
  readonly features?: string;
}

export async function askHub(w: Pick<World, "app">, path: string, asked: PollRequest = {}) {
  const url = new URL(`http://localhost${BASE_PATH}${path}`);
  if (asked.after_id !== undefined) url.searchParams.set("after_id", String(asked.after_id));
  if (asked.limit !== undefined) url.searchParams.set("limit", String(asked.limit));
  const headers = new Headers({
    "x-svc-event-features": "cron_notify_children_v1, cron_v1, external_roots_v1",
    "x-svc-instance": SPOKE,
  });
  if (asked.token !== undefined) headers.set("authorization", `Bearer ${asked.token}`);
  for (const [name, value] of Object.entries(asked.headers ?? {})) headers.set(name, value);
  const response = await w.app.fetch(new Request(url, { headers }));
  const text = await response.text();
  const body = JSON.parse(text) as PollPage & { readonly error?: { readonly code: string } };
  return { status: response.status, code: body.error?.code, body, text, headers: response.headers };
}
