import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { instantToMs, msToInstant } from "../../src/base/clock.ts";

/**
 * Returns a large export: the shared one if it lies beside the repository, otherwise a made one of the same size and
 * kind.
 */
export function largeExport(): { readonly path: string; readonly shared: boolean } {
  const shared = join(import.meta.dirname, "../../../shared/data/beads-issues.jsonl");
  if (existsSync(shared)) return { path: shared, shared: true };
  return { path: generatedExport(3003), shared: false };
}

/** Writes an export with families of a parent and its children, which form chains of blocks. A tenth are tombstones. */
export function generatedExport(issues: number): string {
  const path = join(tmpdir(), "svc-test-beads", `${process.pid}-${issues}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  const lines = Array.from({ length: issues }, (_, i) => JSON.stringify(issue(i)));
  writeFileSync(path, lines.join("\n"));
  return path;
}

function issue(i: number): object {
  const id = (n: number): string => `gen-${n}`;
  const time = msToInstant(instantToMs("2025-01-01T00:00:00Z") + i * 60_000);
  const status =
    i % 10 === 9 ? "tombstone" : i % 3 === 0 ? "open" : i % 31 === 0 ? "hooked" : "closed";
  const edges: { depends_on_id: string; type: string }[] = [];
  if (i % 12 !== 0) edges.push({ depends_on_id: id(i - (i % 12)), type: "parent-child" });
  if (i % 12 > 1) edges.push({ depends_on_id: id(i - 1), type: "blocks" });
  // Some families wait for others, some of them by several links.
  if (i > 40 && i % 17 === 5) edges.push({ depends_on_id: id(i - 35), type: "blocks" });
  if (i % 12 === 4) edges.push({ depends_on_id: id(i - 3), type: "blocks" });
  if (i > 40 && i % 20 === 3) edges.push({ depends_on_id: id(i - 40), type: "discovered-from" });
  if (i > 40 && i % 200 === 4) edges.push({ depends_on_id: id(i - 40), type: "supersedes" });
  return {
    id: id(i),
    title: `Case ${i % 1800}`,
    description: "words ".repeat(i % 60),
    status,
    priority: i % 5,
    issue_type: ["task", "bug", "feature", "epic"][i % 4],
    created_at: time,
    updated_at: time,
    ...(status === "closed" ? { closed_at: time, close_reason: "done" } : {}),
    ...(i % 5 === 0 ? { created_by: "ann", assignee: "crew/bea" } : {}),
    ...(edges.length === 0
      ? {}
      : {
          dependencies: edges.map((edge) => ({
            issue_id: id(i),
            ...edge,
            created_at: time,
            created_by: "ann",
          })),
        }),
    ...(i % 100 === 7
      ? { comments: [{ id: i, issue_id: id(i), author: "bea", text: "seen", created_at: time }] }
      : {}),
    ...(i % 50 === 7 ? { labels: ["Backend", `wave:${i % 7}`] } : {}),
  };
}

/** Counts taken straight from the lines, by code that shares nothing with the import. */
export interface Counted {
  readonly lines: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly kinds: Readonly<Record<string, number>>;
  readonly kept: number;
  readonly parent: number;
  readonly blocks: number;
  readonly related: number;
  readonly comments: number;
}

interface Plain {
  readonly id: string;
  readonly status: string;
  readonly dependencies?: readonly { readonly depends_on_id: string; readonly type: string }[];
  readonly comments?: readonly { readonly text: string }[];
}

export function countExport(text: string): Counted {
  const all = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Plain => JSON.parse(line));
  const live = new Set(all.filter((one) => one.status !== "tombstone").map((one) => one.id));
  const edges = all.flatMap((one) =>
    (one.dependencies ?? []).map((edge) => ({
      from: one.id,
      to: edge.depends_on_id,
      type: edge.type,
    })),
  );
  const usable = edges.filter(
    (edge) => live.has(edge.from) && live.has(edge.to) && edge.from !== edge.to,
  );
  const of = (type: string) => usable.filter((edge) => edge.type === type);
  const rest = usable.filter((edge) => edge.type !== "parent-child" && edge.type !== "blocks");
  return {
    lines: all.length,
    statuses: countBy(all.map((one) => one.status)),
    kinds: countBy(edges.map((edge) => edge.type)),
    kept: live.size,
    // Each child has one parent. Neither file has a circle of parents, which would change the counts.
    parent: new Set(of("parent-child").map((edge) => edge.from)).size,
    blocks: new Set(of("blocks").map((edge) => `${edge.from} ${edge.to}`)).size,
    related: new Set(rest.map((edge) => [edge.from, edge.to].toSorted().join(" "))).size,
    comments: all.filter((one) => live.has(one.id)).flatMap((one) => one.comments ?? []).length,
  };
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
