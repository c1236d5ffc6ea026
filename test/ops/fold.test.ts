import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import {
  assignIssue,
  claimIssue,
  closeIssue,
  reopenIssue,
  setIssuePriority,
  unassignIssue,
} from "../../src/contract/actions.ts";
import { createComment } from "../../src/contract/comments.ts";
import { createIssue, editIssue, patchIssueMetadata } from "../../src/contract/issues.ts";
import { addLabel, removeLabel } from "../../src/contract/labels.ts";
import {
  acquireIssueLease,
  forceReleaseIssueLease,
  releaseIssueLease,
  renewIssueLease,
  takeReadyIssue,
} from "../../src/contract/leases.ts";
import { createLink } from "../../src/contract/links.ts";
import { applyPlan } from "../../src/contract/plans.ts";
import {
  mergeProject,
  purgeProject,
  removeProject,
  restoreProject,
  rewriteAuthorIdentity,
} from "../../src/contract/project-actions.ts";
import { deleteIssue, moveIssue, purgeIssue, restoreIssue } from "../../src/contract/removal.ts";
import { readyIssuesGlobal, whyIssue } from "../../src/contract/search.ts";
import { foldLog, type MemoryState, rowKey } from "../../src/domain/memory.ts";
import {
  type DerivedColumns,
  derivedOf,
  isOpen,
  isReady,
  whyNotReady,
} from "../../src/domain/readiness.ts";
import { KEYS, type Rows, type TableName } from "../../src/domain/state.ts";
import { sweepLeases } from "../../src/ops/leases/sweep.ts";
import type { Snapshot, SnapshotRows } from "../../src/store/types.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

const ZONE = "Europe/Berlin";
const PROJECTS = ["web", "shop", "old"] as const;

/** One step of a run; numbers pick among what is there, so that most steps mean something and some are refused. */
interface Step {
  readonly act: Act;
  readonly at: number;
  readonly other: number;
  readonly value: number;
}

const ACTS = [
  "create",
  "create",
  "createLinked",
  "edit",
  "editLinks",
  "editLinks",
  "unlink",
  "link",
  "parent",
  "close",
  "close",
  "reopen",
  "assign",
  "unassign",
  "claim",
  "priority",
  "park",
  "unpark",
  "schedule",
  "label",
  "unlabel",
  "comment",
  "delete",
  "restore",
  "archive",
  "unarchive",
  "move",
  "move",
  "purge",
  "purgeProject",
  "merge",
  "rewrite",
  "createKeyed",
  "closeKeyed",
  "lease",
  "lease",
  "renewLease",
  "endLease",
  "sweepLeases",
  "take",
  "plan",
  "wait",
] as const;
type Act = (typeof ACTS)[number];

const steps = fc.array(
  fc.record<Step>({
    act: fc.constantFrom(...ACTS),
    at: fc.nat(50),
    other: fc.nat(50),
    value: fc.nat(5),
  }),
  { minLength: 20, maxLength: 90 },
);

interface Place {
  readonly uid: string;
  readonly path: { readonly project_id: number; readonly ref: string };
}

interface RunProject {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
}

/** A world with three projects in which steps happen, several at a time so that they share a commit. */
class Run {
  readonly #w: World;
  readonly #projects: readonly RunProject[];
  readonly #issues: Place[] = [];

  constructor(w: World, projects: readonly RunProject[]) {
    this.#w = w;
    this.#projects = projects;
  }

  async steps(all: readonly Step[]): Promise<void> {
    for (let at = 0; at < all.length; at += 4) {
      await Promise.all(all.slice(at, at + 4).map(async (step) => await this.#step(step)));
    }
  }

  async #step({ act, at, other, value }: Step): Promise<void> {
    const [issue, peer] = [await this.#pick(at), await this.#pick(other)];
    const project = this.#projects[at % PROJECTS.length];
    if (project === undefined) return;
    if (act === "wait") return this.#w.clock.advance(value * 12 * 3_600_000);
    if (act === "sweepLeases") return void (await sweepLeases(this.#w));
    if (act === "take" || act === "plan") return await this.#many(act, project.id, value);
    if (act === "create") return await this.#create(project.id, {});
    if (act === "createKeyed") return await this.#create(project.id, {}, `k${value}`);
    if (isProjectAct(act)) return await this.#projectAct(act, project, other, value);
    if (issue === undefined || peer === undefined) return;
    const link = {
      to_ref: peer.uid,
      type: (["parent", "blocks", "related"] as const)[value % 3] ?? "blocks",
    };
    const params = issue.path;
    switch (act) {
      case "createLinked":
        return await this.#create(project.id, {
          links: [{ ...link, incoming: value > 3 && link.type !== "parent" }],
        });
      case "edit":
        return await this.#send(editIssue, {
          params,
          body: {
            title: `t${value}`,
            owner: value === 0 ? "" : `o${value}`,
            set_priority: value % 5,
          },
        });
      case "editLinks":
        return await this.#send(editIssue, {
          params,
          body: {
            links_delta: { [DELTAS[value] ?? "add_blocks"]: value === 0 ? peer.uid : [peer.uid] },
          },
        });
      case "unlink":
        return await this.#send(editIssue, {
          params,
          body: {
            links_delta: {
              remove_blocks: [peer.uid],
              remove_blocked_by: [peer.uid],
              remove_related: [peer.uid],
            },
          },
        });
      case "link":
        return await this.#send(createLink, { params, body: link });
      case "parent":
        return await this.#send(createLink, {
          params,
          body: { type: "parent", to_ref: peer.uid, replace: true },
        });
      case "close":
        return await this.#send(closeIssue, { params, body: { source: "tui" } });
      case "reopen":
        return await this.#send(reopenIssue, { params });
      case "assign":
        return await this.#send(assignIssue, { params, body: { owner: `o${value}` } });
      case "unassign":
        return await this.#send(unassignIssue, { params });
      case "claim":
        return await this.#send(claimIssue, {
          params,
          body: { actor: `o${value}`, force: value > 2 },
        });
      case "lease":
        return await this.#send(acquireIssueLease, {
          params,
          body: {
            actor: LEASERS[value % 2] ?? "ann",
            ...(value > 3 ? {} : { claim_kind: "timed", ttl_seconds: 43_200 }),
          },
        });
      case "renewLease":
        return await this.#send(renewIssueLease, {
          params,
          body: { actor: LEASERS[value % 2] ?? "ann", ttl_seconds: 60 },
        });
      case "endLease":
        return await this.#send(value < 3 ? releaseIssueLease : forceReleaseIssueLease, {
          params,
          body: { actor: LEASERS[value % 2] ?? "ann" },
        });
      case "priority":
        return await this.#send(setIssuePriority, {
          params,
          body: { priority: value === 5 ? null : value },
        });
      case "park":
        return await this.#patch(issue, { someday: true });
      case "unpark":
        return await this.#patch(issue, { someday: null, scheduled_on: null });
      case "schedule":
        return await this.#patch(issue, SCHEDULES[value] ?? {});
      case "label":
        return await this.#send(addLabel, { params, body: { label: `l${value}` } });
      case "unlabel":
        return await this.#send(removeLabel, { params: { ...params, label: `l${value}` } });
      case "comment":
        return await this.#send(createComment, {
          params,
          body: { body: `c${value}` },
          headers: { "idempotency-key": `k${value}` },
        });
      case "closeKeyed":
        return await this.#send(closeIssue, {
          params,
          headers: { "idempotency-key": `k${value}` },
          body: { source: "tui", retry_protocol: "close-v1" },
        });
      case "delete":
        return await this.#confirmed(deleteIssue, issue, "DELETE");
      case "restore":
        return await this.#send(restoreIssue, { params });
      case "purge":
        return await this.#confirmed(purgeIssue, issue, "PURGE");
      case "move":
        return await this.#send(moveIssue, {
          params,
          headers: { "if-match": `"rev-${await this.#revision(issue)}"` },
          body: { to_project_uid: this.#projects[value % PROJECTS.length]?.uid ?? "" },
        });
    }
  }

  /** An issue with the path that it has now; one that was purged keeps its last. */
  async #pick(at: number): Promise<Place | undefined> {
    const place = this.#issues[at % this.#issues.length];
    if (place === undefined) return undefined;
    const found = await this.#w.store.read(async ({ issues }) => await issues.find(place.uid));
    const project_id = found?.project_id ?? place.path.project_id;
    return { uid: place.uid, path: { project_id, ref: place.uid } };
  }

  async #revision({ uid }: Place): Promise<number> {
    const found = await this.#w.store.read(async ({ issues }) => await issues.find(uid));
    return found?.revision ?? 1;
  }

  /** The text is read before, so a step beside it may have made it stale: then it is refused. */
  async #confirmed(
    route: typeof deleteIssue | typeof purgeIssue,
    { uid, path }: Place,
    verb: string,
  ): Promise<void> {
    const found = await this.#w.store.read(async ({ issues }) => await issues.find(uid));
    const headers = { "x-svc-confirm": `${verb} ${found?.project_name}#${found?.short_id}` };
    await this.#send(route, { params: path, headers });
  }

  async #create(project_id: number, fields: object, key?: string): Promise<void> {
    const body = { title: "an issue", ...fields };
    const headers = key === undefined ? {} : { "idempotency-key": key };
    const response = await this.#w.send(createIssue, { params: { project_id }, body, headers });
    if (response.status !== 200) return;
    const { issue } = createIssue.response().parse(await response.json());
    const { uid } = issue;
    this.#issues.push({ uid, path: { project_id, ref: uid } });
  }

  async #patch(issue: Place, patch: JsonObject): Promise<void> {
    await this.#send(patchIssueMetadata, { params: issue.path, body: { patch } });
  }

  /** What takes or makes issues without naming one. */
  async #many(act: "take" | "plan", project_id: number, value: number): Promise<void> {
    const params = { project_id };
    if (act === "take") {
      const lease = value < 3 ? {} : { lease: { ttl_seconds: 60 } };
      return await this.#send(takeReadyIssue, { params, body: { actor: `o${value}`, ...lease } });
    }
    const issues = [
      { name: "a", title: "a", parent: "b" },
      { name: "b", title: "b", blocks: value > 3 ? ["c"] : [] },
      { name: "c", title: "c", labels: ["l1"], blocked_by: ["a"] },
    ];
    await this.#send(applyPlan, { params, body: { plan: `p${value}`, issues } });
  }

  /** A refusal is as good as a change; a fault is not. */
  readonly #send: (...call: Parameters<World["send"]>) => Promise<void> = async (route, input) => {
    const response = await this.#w.send(route, input);
    if (response.status >= 500) throw new Error(`${route.id}: ${await response.text()}`);
  };

  async #projectAct(
    act: ProjectAct,
    { id: project_id, name }: RunProject,
    other: number,
    value: number,
  ): Promise<void> {
    const params = { project_id };
    switch (act) {
      case "archive":
        return await this.#send(removeProject, { params, query: { force: true } });
      case "unarchive":
        return await this.#send(restoreProject, { params });
      case "purgeProject":
        // Seldom: nothing happens in a project that is gone.
        if (value > 0) return;
        return await this.#send(purgeProject, {
          params,
          headers: { "x-svc-confirm": `PURGE ${name}` },
        });
      case "merge": {
        const source = this.#projects[other % PROJECTS.length];
        if (value > 0 || source === undefined) return;
        return await this.#send(mergeProject, { params, body: { source_project_id: source.id } });
      }
      case "rewrite":
        return await this.#send(rewriteAuthorIdentity, {
          params,
          body: { from: value === 0 ? "ann" : `o${value}`, to: `o${value + 1}` },
        });
    }
  }
}

type ProjectAct = (typeof PROJECT_ACTS)[number];
const PROJECT_ACTS = ["archive", "unarchive", "purgeProject", "merge", "rewrite"] as const;

function isProjectAct(act: Act): act is ProjectAct {
  return (PROJECT_ACTS as readonly string[]).includes(act);
}

/** One of them makes most changes of a run, so that most leases let them pass. */
const LEASERS = ["ann", "bea"] as const;
const DELTAS = [
  "set_parent",
  "add_blocks",
  "remove_blocks",
  "add_blocked_by",
  "remove_blocked_by",
  "add_related",
];
const SCHEDULES: readonly JsonObject[] = [
  { scheduled_on: "2026-01-01" },
  { scheduled_on: "2026-01-02" },
  { scheduled_on: "2026-01-03T12:00", timezone: "Asia/Tokyo" },
  { scheduled_on: "2026-01-02T00:00:00Z" },
  { scheduled_on: "2027-01-01" },
  { timezone: "America/Los_Angeles" },
];

describeStore("random operations", (open) => {
  test("leave tables that are the fold of the log, and an answer for every open issue", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const w = await world({ store: open, settings: { timezone: ZONE } });
        const projects = [];
        for (const name of PROJECTS) projects.push(await w.given.project(name));
        await new Run(w, projects).steps(all);
        const { tables, fold } = await tablesAndFold(w);
        expect(tables).toEqual(fold);
        const { answers, computed } = await answersOf(w);
        expect(answers).toEqual(computed);
      }),
      { numRuns: 25 },
    );
  });
});

/** Row by row, and the derived columns beside what the domain computes from everything. */
async function tablesAndFold(w: World) {
  const state = foldLog(await w.events());
  const derived = new Map(
    [...state.rows("issue")].map((issue) => [issue.uid, derivedOf(state, issue, ZONE)]),
  );
  const snapshot = await w.store.openSnapshot();
  try {
    const tables: Record<string, unknown> = { derived: await derivedRows(snapshot) };
    const fold: Record<string, unknown> = { derived };
    for (const table of Object.keys(KEYS) as TableName[]) {
      tables[table] = await tableRows(snapshot, table);
      fold[table] = foldRows(state, table);
    }
    return { tables, fold };
  } finally {
    await snapshot.close();
  }
}

async function derivedRows(snapshot: Snapshot): Promise<ReadonlyMap<string, DerivedColumns>> {
  const rows = new Map<string, DerivedColumns>();
  for await (const { uid, ...row } of snapshot.rows("issue")) {
    const { open_blockers, open_children, total_children, parked, held, ready_from } = row;
    rows.set(uid, { open_blockers, open_children, total_children, parked, held, ready_from });
  }
  return rows;
}

async function tableRows<T extends TableName>(
  snapshot: Snapshot,
  table: T,
): Promise<ReadonlyMap<string, object>> {
  const rows = new Map<string, object>();
  for await (const row of snapshot.rows(table)) {
    const known: object = withoutLocal(row);
    rows.set(rowKey(table, row as Partial<Rows[T]>), known);
  }
  return rows;
}

function withoutLocal<T extends TableName>(row: SnapshotRows[T]): object {
  const {
    id: _id,
    open_blockers: _1,
    open_children: _2,
    total_children: _3,
    parked: _4,
    held: _5,
    ready_from: _6,
    ...folded
  } = { ...row } as Readonly<Record<string, unknown>>;
  return folded;
}

function foldRows(state: MemoryState, table: TableName): ReadonlyMap<string, object> {
  return new Map(
    [...state.rows(table)].map((row) => [rowKey(table, row as Partial<Rows[typeof table]>), row]),
  );
}

/**
 * For every open issue whether the lists offer it and what `why` says, as the daemon answers and as the domain
 * computes it: it is ready or it has a reason, never both and never neither.
 */
async function answersOf(w: World) {
  const state = foldLog(await w.events());
  const now = w.clock.now();
  const open = [...state.rows("issue")].filter((issue) => isOpen(state, issue));
  const ready = uids((await w.call(readyIssuesGlobal)).issues);
  const withContainers = uids(
    (await w.call(readyIssuesGlobal, { query: { containers: true } })).issues,
  );
  const shown = await w.store.read(async (reader) => await reader.issues.many([...uids(open)]));
  const answers: object[] = [];
  for (const { uid } of open) {
    const params = { project_id: shown.get(uid)?.project_id ?? 0, ref: uid };
    const why = await w.call(whyIssue, { params });
    const reasons = why.reasons.map(({ reason }) => reason);
    const listed = { ready: ready.has(uid), withContainers: withContainers.has(uid) };
    answers.push({ uid, ...listed, saysReady: why.ready, reasons });
  }
  const computed = open.map((issue) => {
    const derived = derivedOf(state, issue, ZONE);
    const reasons = whyNotReady(state, issue, now, ZONE).map(({ reason }) => reason);
    return {
      uid: issue.uid,
      ready: reasons.length === 0,
      withContainers: isReady(derived, now, true),
      saysReady: isReady(derived, now, false),
      reasons,
    };
  });
  return { answers, computed };
}

function uids(list: readonly { readonly uid: string }[]): ReadonlySet<string> {
  return new Set(list.map(({ uid }) => uid));
}
