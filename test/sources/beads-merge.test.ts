import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { closeIssue, setIssuePriority } from "../../src/contract/actions.ts";
import { importIssues } from "../../src/contract/imports.ts";
import { editIssue, listIssues } from "../../src/contract/issues.ts";
import { addLabel } from "../../src/contract/labels.ts";
import { readSource, sendItems } from "../../src/sources/index.ts";
import { expectFolded } from "../store/fold.ts";
import { describeStore, type OpenTestStore } from "../support/store.ts";
import { world } from "../support/world.ts";
import { generatedExport, largeExport } from "./beads-file.ts";

const UPSTREAM_EDITS = 200;
const LOCAL_EDITS = 50;
/** The same seed each time, unless SVC_MERGE_SEED gives another. */
const SEED = Number(process.env["SVC_MERGE_SEED"] ?? 7);
const LATER = "2030-01-01T00:00:00.000Z";
const TIMEOUT_MS = 240_000;

interface Line {
  readonly id: string;
  title: string;
  status: string;
  priority?: number;
  assignee?: string;
  updated_at: string;
  closed_at?: string;
  labels?: string[];
  dependencies?: { issue_id: string; depends_on_id: string; type: string }[];
}

/** An issue in the model: plain values and sets. The model uses no code of the program. */
interface Plain {
  title: string;
  priority: number | null;
  owner: string | null;
  open: boolean;
  labels: Set<string>;
  blockers: Set<string>;
  gone: boolean;
}

describeStore("a second import of a large export", (open) => {
  test("a second import after edits in both places matches a model of the merge", {
    timeout: TIMEOUT_MS,
  }, async () => {
    // A smaller file on PostgreSQL, where each answer takes longer.
    const path = open.dialect === "sqlite" ? largeExport().path : generatedExport(700);
    const w = await tracker(open);
    await w.bring(path);
    const random = randomOf(SEED);
    const lines = linesOf(readFileSync(path, "utf8"));
    const base = plainOf(lines);
    const edited = editUpstream(lines, random);
    const upstream = plainOf(lines);
    const local = plainOf(linesOf(readFileSync(path, "utf8")));
    await editHere(w, local, [...edited], random);

    const second = `${generatedExport(1)}-second.jsonl`;
    writeFileSync(second, [...lines.values()].map((line) => JSON.stringify(line)).join("\n"));
    const result = await w.bring(second);
    const { merged, conflicts } = model(base, local, upstream);
    expect(
      result.conflicts.map(({ external_id, field }) => `${external_id} ${field}`).sort(),
    ).toEqual(conflicts.sort());
    expect(conflicts.length).toBeGreaterThan(1);
    expect(await w.plain()).toEqual(told(merged));
    await expectFolded(w.store);

    const before = await w.lastEvent();
    expect((await w.bring(second)).updated).toBe(0);
    expect(await w.lastEvent()).toBe(before);
    await w.bring(second, "upstream");
    expect(await w.plain()).toEqual(told(model(base, local, upstream, true).merged));
  });
});

/** The merge decides about each field as one value, and about a set for each of its members. */
function model(
  base: ReadonlyMap<string, Plain>,
  local: ReadonlyMap<string, Plain>,
  upstream: ReadonlyMap<string, Plain>,
  takesTheirs = false,
) {
  const conflicts: string[] = [];
  const merged = new Map<string, Plain>();
  for (const [id, was] of base) {
    const [here, there] = [local.get(id), upstream.get(id)];
    if (here === undefined || there === undefined) continue;
    const one = <T>(field: string, of: (plain: Plain) => T): T => {
      const [b, l, u] = [of(was), of(here), of(there)];
      if (u === b || u === l) return l;
      if (l === b) return u;
      conflicts.push(`${id} ${field}`);
      return takesTheirs ? u : l;
    };
    const set = (of: (plain: Plain) => ReadonlySet<string>): Set<string> => {
      const [b, l, u] = [of(was), of(here), of(there)];
      const kept = [...l].filter((member) => u.has(member) || !b.has(member));
      return new Set([...kept, ...[...u].filter((member) => !b.has(member))]);
    };
    if (there.gone && !was.gone) {
      const isTouched = JSON.stringify(shown(was)) !== JSON.stringify(shown(here));
      if (isTouched) conflicts.push(`${id} deleted`);
      merged.set(id, { ...here, gone: !isTouched || takesTheirs });
      continue;
    }
    merged.set(id, {
      title: one("title", ({ title }) => title),
      priority: one("priority", ({ priority }) => priority),
      owner: one("owner", ({ owner }) => owner),
      open: one("status", ({ open: isOpen }) => isOpen),
      labels: set(({ labels }) => labels),
      blockers: set(({ blockers }) => blockers),
      gone: here.gone,
    });
  }
  return { merged, conflicts };
}

function shown(plain: Plain) {
  const { title, priority, owner, open, labels, gone } = plain;
  return { title, priority, owner, open, gone, labels: [...labels].sort() };
}

/** Returns what can be seen of the model: the issues that exist, and the links between them. */
function told(plain: ReadonlyMap<string, Plain>) {
  const isThere = (id: string): boolean => plain.get(id)?.gone === false;
  return Object.fromEntries(
    [...plain]
      .filter(([id]) => isThere(id))
      .map(([id, one]) => [
        id,
        { ...shown(one), blockers: [...one.blockers].filter(isThere).sort() },
      ]),
  );
}

function plainOf(lines: ReadonlyMap<string, Line>): Map<string, Plain> {
  return new Map(
    [...lines.values()].map((line) => [
      line.id,
      {
        title: line.title,
        priority: line.priority ?? null,
        owner: line.assignee ?? null,
        open: line.status !== "closed",
        labels: new Set((line.labels ?? []).filter((label) => label.startsWith("edit:"))),
        blockers: new Set(
          (line.dependencies ?? [])
            .filter(({ type, depends_on_id }) => type === "blocks" && depends_on_id !== line.id)
            .map(({ depends_on_id }) => depends_on_id),
        ),
        gone: line.status === "tombstone",
      },
    ]),
  );
}

/** Changes lines as people in the other tracker would, and returns the ids of the changed lines. */
function editUpstream(lines: Map<string, Line>, random: (below: number) => number): Set<string> {
  const ids = [...lines.values()]
    .filter(({ status }) => status !== "tombstone")
    .map(({ id }) => id);
  const edited = new Set<string>();
  for (let at = 0; at < UPSTREAM_EDITS; at += 1) {
    const line = lines.get(ids[random(ids.length)] ?? "");
    if (line === undefined || line.status === "tombstone") continue;
    edited.add(line.id);
    line.updated_at = LATER;
    const kind = random(7);
    if (kind === 0) line.title = `there ${at}`;
    if (kind === 1) line.priority = ((line.priority ?? 0) + 1) % 5;
    if (kind === 2) line.assignee = `there-${at % 3}`;
    if (kind === 3) line.labels = [...(line.labels ?? []), `edit:${at % 5}`];
    if (kind === 4 && line.status === "closed") {
      line.status = "open";
      delete line.closed_at;
    } else if (kind === 4) Object.assign(line, { status: "closed", closed_at: LATER });
    if (kind === 5)
      line.dependencies = (line.dependencies ?? []).filter(({ type }) => type !== "blocks");
    if (kind === 6 && at % 3 === 0) line.status = "tombstone";
  }
  return edited;
}

type Tracker = Awaited<ReturnType<typeof tracker>>;

/** Half of the edits change an issue that upstream changed too. */
async function editHere(
  w: Tracker,
  local: Map<string, Plain>,
  edited: readonly string[],
  random: (below: number) => number,
): Promise<void> {
  const all = [...local].filter(([, { gone }]) => !gone).map(([id]) => id);
  for (let at = 0; at < LOCAL_EDITS; at += 1) {
    const from = at % 2 === 0 ? edited : all;
    const id = from[random(from.length)] ?? "";
    const plain = local.get(id);
    if (plain === undefined) continue;
    const params = w.at(id);
    const kind = random(5);
    if (kind === 0) plain.title = `here ${at}`;
    if (kind === 1) plain.owner = `here-${at % 3}`;
    if (kind < 2)
      await w.call(editIssue, { params, body: { title: plain.title, owner: plain.owner ?? "" } });
    if (kind === 2) {
      plain.priority = ((plain.priority ?? 0) + 2) % 5;
      await w.call(setIssuePriority, { params, body: { priority: plain.priority } });
    }
    if (kind === 3) {
      plain.labels.add(`edit:${at % 5}`);
      await w.call(addLabel, { params, body: { label: `edit:${at % 5}` } });
    }
    if (kind === 4 && plain.open && !w.hasChildren(id)) {
      plain.open = false;
      const message = "it was done here, as the tests of the last three weeks have shown to us";
      await w.call(closeIssue, {
        params,
        body: { reason: "done", message, evidence: [{ type: "commit", sha: "abcdef1" }] },
      });
    }
  }
}

async function tracker(open: OpenTestStore) {
  const w = await world({ store: open });
  const params = { project_id: (await w.given.project()).id };
  const refs = new Map<string, string>();
  const parents = new Set<string>();
  return {
    store: w.store,
    call: w.call,
    at: (id: string) => ({ ...params, ref: refs.get(id) ?? "" }),
    hasChildren: (id: string) => parents.has(id),
    lastEvent: async () => await w.store.read(async (reader) => await reader.events.lastId()),
    bring: async (path: string, prefer?: "upstream") => {
      for (const line of linesOf(readFileSync(path, "utf8")).values())
        for (const { type, depends_on_id } of line.dependencies ?? [])
          if (type === "parent-child") parents.add(depends_on_id);
      return await sendItems(
        await readSource("beads", path),
        async (items, gone) => {
          const body = { source: "beads", items, ...gone, ...(prefer && { prefer }) };
          const done = await w.call(importIssues, { params, body });
          for (const one of done.items) refs.set(one.external_id, one.issue_short_id);
          return done;
        },
        () => undefined,
      );
    },
    /** Returns the tracker's content in the form of the model. */
    plain: async () => {
      const { issues } = await w.call(listIssues, { params, query: { limit: 0 } });
      const ids = new Map(issues.map(({ uid, metadata }) => [uid, String(metadata["beads.id"])]));
      const links = await w.store.read(
        async (reader) => await reader.links.touching([...ids.keys()]),
      );
      const blockers = Map.groupBy(
        links.filter(({ type, from_uid }) => type === "blocks" && ids.has(from_uid)),
        ({ to_uid }) => to_uid,
      );
      return Object.fromEntries(
        issues.map((issue) => [
          ids.get(issue.uid),
          {
            title: issue.title,
            priority: issue.priority ?? null,
            owner: issue.owner ?? null,
            open: issue.status === "open",
            labels: issue.labels.filter((label) => label.startsWith("edit:")).sort(),
            blockers: (blockers.get(issue.uid) ?? [])
              .map(({ from_uid }) => ids.get(from_uid))
              .sort(),
            gone: false,
          },
        ]),
      );
    },
  };
}

/** If an id has several lines, the one that was updated last counts, as in beads. */
function linesOf(text: string): Map<string, Line> {
  const lines = new Map<string, Line>();
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const issue: Line = JSON.parse(line);
    const known = lines.get(issue.id);
    if (known === undefined || known.updated_at <= issue.updated_at) lines.set(issue.id, issue);
  }
  return lines;
}

/** Returns pseudorandom numbers, which are the same for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
