import { msToInstant, systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import { canonicalJson, type JsonObject } from "../../src/base/json.ts";
import type { EventDraft, StoredEvent } from "../../src/contract/events.ts";
import { evolve } from "../../src/domain/evolve/evolve.ts";
import { MemoryState } from "../../src/domain/memory.ts";
import { FOLDED, TABLES } from "../../src/domain/tables/tables.ts";
import type { RestoreRow } from "../../src/store/admin-store.ts";
import { chainOf, NO_CHAIN } from "../../src/store/log/chain.ts";
import { contentHash } from "../../src/store/log/content-hash.ts";
import { openStore } from "../../src/store/open.ts";

const ACTORS = ["ann", "bea", "cyd", "dov", "eli"] as const;
const LABELS = ["bug", "docs", "perf", "area:store", "area:cli"] as const;
const EVENTS_PER_ISSUE = 5;
const STARTED_MS = Date.UTC(2026, 0, 1);

/**
 * Fills the database at `dsn` with a log of about `events` events in five projects. Each issue has five events: it is
 * created with an idempotency key and a description of sixty words, labelled, commented, taken and closed. It blocks
 * the issue before it. The rows are folded in memory and written like those of an import, which is ten times as fast as
 * appending the events one by one.
 */
export async function seedLog(dsn: string, events: number): Promise<void> {
  const ids = systemIds();
  const store = await openStore({ dsn, clock: systemClock, ids, timezone: "UTC" });
  const log = eventsOf(events, store.instanceUid);
  const state = new MemoryState();
  for (const event of log()) state.apply(evolve(state, event));
  await store.restore(rowsOf(state, log), { renumber: false });
  await store.close();
}

async function* rowsOf(
  state: MemoryState,
  log: () => Iterable<StoredEvent>,
): AsyncGenerator<RestoreRow> {
  const late = ["idempotency", "former"];
  for (const late_ of [false, true]) {
    for (const table of FOLDED.filter((name) => late.includes(name) === late_)) {
      let id = 0;
      for (const row of state.rows(table)) {
        id += 1;
        yield { table, row: TABLES[table].numbered ? { ...row, id } : row } as RestoreRow;
      }
    }
    if (!late_) for (const row of log()) yield { table: "event", row };
  }
}

/** Returns the same events at each call, because their uids come from a counter. */
function eventsOf(count: number, instance: string): () => Iterable<StoredEvent> {
  const projects = ACTORS.map((name, n) => ({ uid: uidOf("P", n), name: `log-${name}` }));
  const issues = Math.floor((count - projects.length) / EVENTS_PER_ISSUE);
  return function* () {
    let id = 0;
    let chain = NO_CHAIN;
    const recorded = (draft: EventDraft): StoredEvent => {
      id += 1;
      const ms = STARTED_MS + id * 1000;
      const event = {
        ...draft,
        id,
        uid: uidOf("E", id),
        origin_instance_uid: instance,
        hlc_physical_ms: ms,
        hlc_counter: 0,
        created_at: msToInstant(ms),
      };
      const payload = canonicalJson(draft.payload as unknown as JsonObject);
      const content_hash = contentHash(event, payload);
      chain = chainOf(chain, content_hash);
      return { ...event, content_hash, chain } as StoredEvent;
    };
    for (const { uid, name } of projects)
      yield recorded({
        type: "project.created",
        actor: "bench",
        project_uid: uid,
        payload: { name },
      });
    for (let n = 0; n < issues; n += 1) {
      const project = projects[Math.floor(n / 200) % projects.length]?.uid ?? "";
      const place = { project_uid: project, issue_uid: uidOf("A", n), actor: pick(ACTORS, n) };
      const earlier = n % 200 === 0 ? undefined : uidOf("A", n - 1);
      const now = msToInstant(STARTED_MS + (id + 1) * 1000);
      for (const draft of storyOf(n, place, { earlier, comment: uidOf("C", n), now }))
        yield recorded(draft);
    }
  };
}

/** Returns a ULID that is different for each kind and number. */
function uidOf(kind: string, n: number): string {
  return `01K${kind}${n.toString().padStart(22, "0")}`;
}

interface Place {
  readonly project_uid: string;
  readonly issue_uid: string;
  readonly actor: string;
}

interface Details {
  readonly earlier: string | undefined;
  readonly comment: string;
  readonly now: string;
}

function storyOf(
  n: number,
  place: Place,
  { earlier, comment, now }: Details,
): readonly EventDraft[] {
  const { issue_uid: uid, actor } = place;
  const of = <T extends { type: string; payload: object }>(event: T) => ({ ...place, ...event });
  const links =
    earlier === undefined
      ? []
      : [
          {
            type: "blocks" as const,
            to_issue_uid: earlier,
            to_short_id: shortId(n - 1),
            author: actor,
          },
        ];
  const created: EventDraft<"issue.created"> = {
    ...place,
    type: "issue.created",
    payload: {
      uid,
      short_id: shortId(n),
      title: `${word(n)} and ${word(n * 7)} of the common`,
      body: Array.from({ length: 60 }, (_, i) => word(n * 61 + i)).join(" "),
      author: actor,
      priority: n % 5,
      status: "open",
      metadata: {},
      labels: [pick(LABELS, n)],
      links,
      created_at: now,
      idempotency_key: `key-${uid}`,
      idempotency_fingerprint: uid.padEnd(64, "0"),
    },
  };
  return [
    created,
    of({ type: "issue.labeled", payload: { label: `wave-${n % 40}`, updated_at: now } } as const),
    of({
      type: "issue.commented",
      payload: { comment_uid: comment, author: actor, body: `see ${word(n)}`, created_at: now },
    } as const),
    of({
      type: "issue.assigned",
      payload: { owner: pick(ACTORS, n + 1), updated_at: now },
    } as const),
    of({
      type: "issue.closed",
      payload: { reason: "done", closed_at: now, parent_uid: "", parent_short_id: "" },
    } as const),
  ];
}

function pick<T>(of: readonly T[], n: number): T {
  return of[n % of.length] as T;
}

function shortId(n: number): string {
  return `a${n.toString(36).padStart(5, "0")}`;
}

function word(n: number): string {
  return `w${((n * 7919) % 20_011).toString(36)}`;
}
