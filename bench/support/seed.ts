import { systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import type { EventDraft } from "../../src/contract/events.ts";
import { openStore } from "../../src/store/open.ts";

export interface SeedSize {
  readonly issues: number;
  /** `blocks`, `parent` and `related` edges together, spread evenly over the issues. */
  readonly links: number;
}

const PER_WRITE = 250;
const WORDS = 20_000;
const LABELS = [
  "bug",
  "docs",
  "area:store",
  "area:cli",
  "area:tui",
  "perf",
  "security",
  "chore",
] as const;
const OWNERS = ["ann", "bea", "cyd", "dov", "eli"] as const;

/**
 * Fills the database at `dsn` with a project `bench` of pseudo-random issues, which are written as events like all
 * other issues. Only every 20th issue can be the parent of others, every third is closed, one in 500 has the label
 * `rare`, and forty have the label `forty`. Returns the project's uid.
 */
export async function seed(dsn: string, size: SeedSize): Promise<string> {
  const ids = systemIds();
  const store = await openStore({ dsn, clock: systemClock, ids, timezone: "UTC" });
  const project = ids.ulid();
  const random = generator(42);
  const uids: string[] = [];
  const linksPerIssue = size.links / size.issues;
  await store.write(async (tx) => {
    await tx.append({
      type: "project.created",
      actor: "bench",
      project_uid: project,
      payload: { name: "bench" },
    });
  });
  for (let start = 0; start < size.issues; start += PER_WRITE) {
    await store.write(async (tx) => {
      for (let n = start; n < Math.min(start + PER_WRITE, size.issues); n += 1) {
        const uid = ids.ulid();
        const labels = labelsOf(n, size.issues, random);
        await tx.append(
          issueCreatedDraft(project, uid, n, {
            earlier: uids,
            linksPerIssue,
            labels,
            random,
            now: tx.now,
          }),
        );
        uids.push(uid);
      }
    });
  }
  await store.close();
  return project;
}

interface SeedState {
  readonly earlier: readonly string[];
  readonly linksPerIssue: number;
  readonly labels: readonly string[];
  readonly random: () => number;
  readonly now: string;
}

function issueCreatedDraft(
  project: string,
  uid: string,
  n: number,
  { earlier, linksPerIssue, labels, random, now }: SeedState,
): EventDraft<"issue.created"> {
  const closed = n % 3 === 0;
  const pick = (max: number): number => Math.floor(random() * max);
  const links: {
    type: "parent" | "blocks" | "related";
    to_issue_uid: string;
    to_short_id: string;
    incoming?: boolean;
    author: string;
  }[] = [];
  const seen = new Set<string>();
  for (let i = 0; i < Math.floor(linksPerIssue + random()) && earlier.length > 0; i += 1) {
    const container = earlier[pick(earlier.length / 20) * 20];
    const near = earlier[earlier.length - 1 - pick(Math.min(earlier.length, 400))];
    const to = i === 0 ? container : near;
    if (to === undefined || seen.has(to)) continue;
    seen.add(to);
    const type = i === 0 ? "parent" : i % 2 === 1 ? "blocks" : "related";
    links.push({
      type,
      to_issue_uid: to,
      to_short_id: to.slice(-4).toLowerCase(),
      author: "bench",
    });
  }
  return {
    type: "issue.created",
    actor: "bench",
    project_uid: project,
    issue_uid: uid,
    payload: {
      uid,
      short_id: n.toString(36).padStart(5, "0"),
      title: `${word(pick(WORDS))} ${word(pick(WORDS))} of the ${word(pick(50))} common`,
      body: Array.from({ length: 60 }, () => word(pick(WORDS))).join(" "),
      author: "bench",
      ...(n % 4 === 0 ? {} : { owner: OWNERS[pick(OWNERS.length)] ?? "ann" }),
      priority: pick(5),
      status: closed ? "closed" : "open",
      ...(closed ? { closed_reason: "done", closed_at: now } : {}),
      metadata: {},
      labels: [...labels],
      links,
      created_at: now,
    },
  };
}

function labelsOf(n: number, issues: number, random: () => number): readonly string[] {
  const some = LABELS[Math.floor(random() * LABELS.length)] ?? "bug";
  const rare = n % 500 === 7 ? ["rare"] : [];
  const forty = n % Math.floor(issues / 40) === 1 ? ["forty"] : [];
  return [some, ...rare, ...forty];
}

function word(n: number): string {
  return `w${(n * 7919).toString(36)}`;
}

/** A small linear congruential generator: the same seed gives the same database. */
function generator(start: number): () => number {
  let state = start;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}
