/**
 * Spokes of a benchmark, in a process of their own: `node spokes-process.ts <SpokesPlace as JSON>`. Each spoke has its
 * own database, and reads and sends by HTTP. The parent process sends an `Order`, and gets a list with the answer of
 * each spoke.
 */
import { createHash } from "node:crypto";
import { setPriority } from "node:os";
import path from "node:path";
import { systemIds } from "../../src/base/ids.ts";
import { silentLog } from "../../src/base/log.ts";
import { federationOf } from "../../src/daemon/federation.ts";
import { issueCommented, issueUpdated } from "../../src/domain/drafts/issues.ts";
import { projectCreated } from "../../src/domain/drafts/projects.ts";
import { HttpHub } from "../../src/federation/http-hub.ts";
import type { AdminStore } from "../../src/store/admin-store.ts";
import { openStore } from "../../src/store/open.ts";
import { portableRows } from "../../test/federation/nodes/portable.ts";
import { bindingTo } from "../../test/support/replica.ts";
import { connect } from "./connection.ts";
import { call } from "./federation.ts";
import { ShiftedClock } from "./shifted-clock.ts";
import type { Order, SpokeStatus, SpokesPlace } from "./spokes.ts";

const place = JSON.parse(process.argv[2] ?? "") as SpokesPlace;
const clock = new ShiftedClock();
const ids = systemIds();
/** An address at which nobody listens. */
const NOWHERE = "http://127.0.0.1:9";

// Only the hub is measured, so let it have the processors first.
setPriority(19);

class Spoke {
  readonly #store: AdminStore;
  readonly #number: number;
  readonly #pull: ReturnType<typeof federationOf>["pull"];
  #isOffline = false;

  constructor(store: AdminStore, number: number, token: string) {
    this.#store = store;
    this.#number = number;
    const { instanceUid: spoke_instance_uid } = store;
    const credential = {
      ...{ hub_url: place.hubUrl, hub_project_id: 1, token, capabilities: ["pull", "push"] },
      ...{ actor: "bench", allow_insecure: false, spoke_instance_uid },
    };
    const options = { clock, trustsPrivateNetwork: false, maxMs: 60_000 };
    const settings = {
      intervalMs: 30_000,
      credential: async () => await Promise.resolve(credential),
      hub: async () => {
        const at = this.#isOffline ? { hub_url: NOWHERE } : {};
        return await Promise.resolve(new HttpHub(options, { ...credential, ...at }));
      },
    };
    this.#pull = federationOf(settings, {
      ...{ store, clock, ids, log: silentLog, worker: undefined },
      settings: { timezone: "UTC", close_throttle: { enabled: false, window_ms: 1, limit: 1 } },
      forgetTokens: async () => await Promise.resolve(),
    }).pull;
  }

  async carryOut(order: Order): Promise<unknown> {
    switch (order.do) {
      case "pull":
        return await this.#pull(place.projectUid, new AbortController().signal);
      case "write":
        return await this.#write(order.changes);
      case "hash":
        return await hashOf(this.#store, place.projectUid);
      case "status":
        return await this.#status();
      case "offline":
        return (this.#isOffline = order.spoke === this.#number);
      case "shift":
        return;
    }
  }

  /** Changes the titles of the first issues, and comments on them. */
  async #write(changes: number): Promise<void> {
    const about = { project_uid: place.projectUid, limit: changes };
    const found = await this.#store.read(async ({ issues }) => await issues.list(about, "recent"));
    const body = `comment of spoke ${this.#number}`;
    await this.#store.write(async (tx) => {
      const act = { actor: "bench", now: tx.now };
      for (const issue of found) {
        const title = `title of spoke ${this.#number} at ${tx.now}`;
        await tx.append(issueUpdated(issue, { title }, act));
        await tx.append(issueCommented(issue, { uid: ids.ulid(), author: "bench", body }, act));
      }
    });
  }

  async #status(): Promise<SpokeStatus> {
    const { projectUid: project_uid } = place;
    return await this.#store.read(async ({ unfolded, federation }) => {
      const status = await unfolded.find("federation_sync_status", { project_uid });
      const binding = await unfolded.find("federation_binding", { project_uid });
      const range = { project: project_uid, after: binding?.push_cursor_event_id ?? 0 };
      const { events } = await federation.unsent(range, 1, 1024);
      const { last_error: error = null, last_pull_success_at: readAt = null } = status ?? {};
      return { error, readAt, isSent: events.length === 0, enabled: binding?.enabled === 1 };
    });
  }
}

async function hashOf(store: AdminStore, project: string): Promise<string> {
  const rows = await portableRows(store, new Set([project]));
  return createHash("sha256").update(JSON.stringify(rows)).digest("hex");
}

async function opened(): Promise<readonly Spoke[]> {
  const asked = await connect(place.socketPath);
  const spokes: Spoke[] = [];
  for (let number = place.first; number < place.first + place.count; number += 1) {
    const dsn = path.join(place.folder, `spoke-${number}.db`);
    const store = await openStore({ dsn, clock, ids: systemIds(), timezone: "UTC" });
    const { instanceUid: spoke_instance_uid } = store;
    const grant = { spoke_instance_uid, project_id: 1, capabilities: "pull,push", actor: "bench" };
    const { token } = await call(asked, "POST", "/federation/enrollments", grant);
    await store.write(async (tx) => {
      await tx.append(projectCreated(place.projectUid, "bench", { actor: "bench", now: tx.now }));
      const binding = bindingTo(place.hubUrl, place.projectUid, place.known, tx.now);
      const sends = { push_enabled: 1, bound_actor: "bench" } as const;
      await tx.unfolded.put("federation_binding", { ...binding, ...sends });
    });
    spokes.push(new Spoke(store, number, String(token)));
  }
  asked.close();
  return spokes;
}

const spokes = await opened();
process.on("message", (order: Order) => {
  if (order.do === "shift") clock.advance(order.ms);
  void Promise.all(spokes.map(async (spoke) => (await spoke.carryOut(order)) ?? null)).then(
    (answers) => process.send?.(answers),
  );
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
