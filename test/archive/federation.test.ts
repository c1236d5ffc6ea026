import { join } from "node:path";
import { expect, test } from "vitest";
import { restoreFile } from "../../src/archive/restore.ts";
import type { EventDraft } from "../../src/contract/events.ts";
import type { Rows } from "../../src/domain/tables/tables.ts";
import type { Store } from "../../src/store/types/store.ts";
import { created, log, projectCreated, projectRemoved, T0, uid } from "../store/drafts.ts";
import { type Dialect, deps, exportTo, freshTarget, plain, scratch, withStore } from "./targets.ts";

const [WEB, APP, A, B] = [uid(1), uid(2), uid(101), uid(102)];

const BINDING: Rows["federation_binding"] = {
  project_uid: WEB,
  role: "hub",
  hub_url: null,
  hub_project_id: null,
  hub_project_uid: null,
  replay_horizon_event_id: 3,
  baseline_through_event_id: 4,
  pull_cursor_event_id: 2,
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
  created_at: T0,
  updated_at: T0,
  last_sync_at: null,
  baseline_claim: null,
  baseline_claimed_at: null,
};

const STATUS: Rows["federation_sync_status"] = {
  project_uid: WEB,
  last_pull_started_at: T0,
  last_pull_success_at: null,
  last_push_started_at: null,
  last_push_success_at: null,
  last_error_at: T0,
  last_error: "auth_invalid",
  last_reset_at: null,
};

const QUARANTINE: Rows["federation_quarantine"] = {
  id: 1,
  project_uid: WEB,
  direction: "push",
  first_event_id: 3,
  last_event_id: 4,
  event_uids: [uid(201), uid(202)],
  error: "validation",
  detail: "event 1: references unknown issue",
  created_at: T0,
  skipped_at: null,
  skipped_by: null,
  skip_reason: null,
};

const enrollment = (id: number, project_uid: string | null): Rows["federation_enrollment"] => ({
  id,
  token_hash: String(id).repeat(64),
  spoke_instance_uid: uid(300),
  project_uid,
  capabilities: ["pull"],
  bound_actor: "ann",
  allow_adoption_snapshot_authors: 0,
  adoption_baseline_open: 0,
  adoption_baseline_next_source_event_id: null,
  adoption_baseline_end_source_event_id: null,
  made_with_token_uid: null,
  created_at: T0,
  updated_at: T0,
  revoked_at: null,
});

const LEASE = {
  project_uid: WEB,
  issue_uid: A,
  holder: "ann",
  holder_instance_uid: uid(300),
  client_kind: "cli",
  purpose: "",
} as const;

const PENDING: Rows["pending_lease"] = {
  ...LEASE,
  request_uid: uid(401),
  claim_kind: "timed",
  ttl_seconds: 60,
  requested_at: T0,
  last_attempt_at: null,
  last_error: null,
  rejected_at: null,
  resolved_at: null,
};

const MIRRORED: Rows["mirrored_lease"] = {
  ...LEASE,
  claim_uid: uid(402),
  claim_kind: "hard",
  acquired_at: T0,
  expires_at: null,
  released_at: null,
  release_reason: null,
  revision: 1,
  updated_at: T0,
  heard_at: T0,
};

const REPLICA: Rows["federation_replica"] = {
  enrollment_id: 1,
  project_uid: WEB,
  stamp: "new",
  former_stamp: null,
  after_event_id: 4,
  seen_at: T0,
};

async function federated(store: Store): Promise<void> {
  await log(store, projectCreated(WEB, "web"), projectCreated(APP, "app"));
  await log(store, created(WEB, A), created(APP, B));
  await store.write(async ({ unfolded }) => {
    await unfolded.put("federation_binding", BINDING);
    await unfolded.put("federation_sync_status", STATUS);
    await unfolded.put("federation_quarantine", QUARANTINE);
    await unfolded.put("federation_enrollment", enrollment(1, WEB));
    await unfolded.put("federation_enrollment", enrollment(2, null));
    await unfolded.put("pending_lease", PENDING);
    await unfolded.put("mirrored_lease", MIRRORED);
    await unfolded.put("federation_replica", REPLICA);
    await unfolded.put("federation_leave", { project_uid: WEB, actor: "ann", prepared_at: T0 });
  });
}

const TABLES = [
  "federation_binding",
  "federation_sync_status",
  "federation_quarantine",
  "federation_enrollment",
  "pending_lease",
  "mirrored_lease",
  "federation_replica",
  "federation_leave",
] as const;

async function rowsOf(store: Store) {
  return await store.read(async ({ unfolded }) => {
    const rows: object[] = [];
    for (const table of TABLES) rows.push(...(await unfolded.list(table, 10)));
    return rows;
  });
}

const EXPORTED = [
  BINDING,
  STATUS,
  QUARANTINE,
  enrollment(1, WEB),
  enrollment(2, null),
  PENDING,
] as const;

const BOTH_WAYS = [
  ["sqlite", "postgres"],
  ["postgres", "sqlite"],
] as const;

test.each(BOTH_WAYS)(
  "a restored database stays federated, and a new identity disables its federation with a reason: %s to %s",
  async (from, to) => {
    const folder = await scratch();
    const source = await freshTarget(from, folder);
    await withStore(source, federated);
    const file = join(folder, "all.jsonl");
    const kinds = (await exportTo(source, file))
      .split("\n")
      .flatMap((line) => /^{"kind":"(federation_\w+|pending_\w+)"/.exec(line)?.[1] ?? []);
    expect(kinds).toEqual([
      "federation_binding",
      "federation_sync_status",
      "federation_quarantine",
      "federation_enrollment",
      "federation_enrollment",
      "pending_claim_request",
    ]);

    const same = await freshTarget(to, folder);
    await restoreFile(deps, { ...plain, file, target: same });
    await withStore(same, async (store) => expect(await rowsOf(store)).toEqual(EXPORTED));

    const other = await freshTarget(to, folder);
    await restoreFile(deps, { ...plain, file, target: other, newInstance: true });
    await withStore(other, async (store) => {
      const [binding, ...rest] = await rowsOf(store);
      expect(binding).toEqual({ ...BINDING, enabled: 0, disabled_reason: "new_instance" });
      expect(rest).toEqual(EXPORTED.slice(1));
    });
  },
);

test.each(BOTH_WAYS)(
  "a file of a federated project is merged into another database without its federation: %s to %s",
  async (from, to) => {
    const folder = await scratch();
    const source = await freshTarget(from, folder);
    await withStore(source, federated);
    const file = join(folder, "one.jsonl");
    await exportTo(source, file, { project: { name: "web" } });
    const target = await freshTarget(to, folder);
    await withStore(target, async (store) => await log(store, projectCreated(uid(9), "other")));
    await restoreFile(deps, { ...plain, file, target, merge: true });
    await withStore(target, async (store) => {
      expect(await store.read(async ({ projects }) => await projects.find(WEB))).toBeDefined();
      expect(await rowsOf(store)).toEqual([]);
    });
  },
);

test.each(BOTH_WAYS)(
  "a file written during a handover is restored only with the same identity, and is not merged: %s to %s",
  async (from, to) => {
    const folder = await scratch();
    const source = await freshTarget(from, folder);
    const unfinished = { ...BINDING, enabled: 0, disabled_reason: "adoption_unfinished" } as const;
    await withStore(source, async (store) => {
      await federated(store);
      await store.write(async (tx) => await tx.unfolded.put("federation_binding", unfinished));
    });
    const [all, one] = [join(folder, "all.jsonl"), join(folder, "one.jsonl")];
    await exportTo(source, all);
    await exportTo(source, one, { project: { name: "web" } });

    const same = await freshTarget(to, folder);
    await restoreFile(deps, { ...plain, file: all, target: same });
    await withStore(same, async (store) => expect((await rowsOf(store))[0]).toEqual(unfinished));

    const refusal = { code: "conflict", data: { reason: "adoption_unfinished" } };
    const other = await freshTarget(to, folder);
    const anew = restoreFile(deps, { ...plain, file: all, target: other, newInstance: true });
    await expect(anew).rejects.toMatchObject(refusal);
    const target = await freshTarget(to, folder);
    await withStore(target, async (store) => await log(store, projectCreated(uid(9), "other")));
    const merging = restoreFile(deps, { ...plain, file: one, target, merge: true });
    await expect(merging).rejects.toMatchObject(refusal);
    await withStore(target, async (store) => {
      expect(await store.read(async ({ projects }) => await projects.find(WEB))).toBeUndefined();
    });
  },
);

const merged = (source_uid: string, project_uid: string): EventDraft<"project.merged"> => ({
  type: "project.merged",
  actor: "ann",
  project_uid,
  payload: { source_uid, source_name: "s", short_id_extensions: [] },
});

const moved = (issue_uid: string, from: string, to: string): EventDraft =>
  ({
    type: "issue.moved",
    actor: "ann",
    project_uid: to,
    issue_uid,
    payload: {
      from_project_uid: from,
      to_project_uid: to,
      from_short_id: issue_uid.slice(-6),
      to_short_id: issue_uid.slice(-6),
      updated_at: T0,
    },
  }) as never;

test.each<Dialect>(["sqlite", "postgres"])(
  "a federated project is not merged in either direction, no issue is moved from or to it, and it is not purged: %s",
  async (dialect) => {
    const target = await freshTarget(dialect, await scratch());
    await withStore(target, async (store) => {
      await federated(store);
      const before = await rowsOf(store);
      const refused = async (code: string, work: Promise<unknown>) =>
        await expect(work).rejects.toThrow(expect.objectContaining({ code }));
      await refused("federated_read_only", log(store, merged(WEB, APP)));
      await refused("federated_read_only", log(store, merged(APP, WEB)));
      await refused("federated_move_unsupported", log(store, moved(A, WEB, APP)));
      await refused("federated_move_unsupported", log(store, moved(B, APP, WEB)));
      await log(store, projectRemoved(WEB));
      const purge = store.write(async (tx) => {
        const project = await tx.projects.find(WEB);
        if (project !== undefined) await tx.purgeProject(project, { actor: "ann", reason: null });
      });
      await refused("federated_read_only", purge);
      expect(await rowsOf(store)).toEqual(before);
    });
  },
);
