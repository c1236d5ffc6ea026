import fc from "fast-check";
import { expect, test } from "vitest";
import { instantToMs, msToInstant } from "../../../src/base/clock.ts";
import type { RemoteIssue, RemoteParent } from "../../../src/domain/issue-sync/remote-issue.ts";
import type { HostState } from "../host/state.ts";
import { hosted, REPO, type ReadRun, readRun, trustHost } from "./support.ts";

trustHost();

/** Something that happens on the host, at an issue that `at` chooses among those that are there. */
interface Happening {
  readonly what: "edit" | "add" | "remove" | "comment" | "parent" | "close";
  readonly at: number;
  /** How long after the previous change, in ms. Most changes happen within a second. */
  readonly after: number;
}

const happening = fc.record<Happening>({
  what: fc.constantFrom("edit", "edit", "add", "remove", "comment", "comment", "parent", "close"),
  at: fc.nat(),
  after: fc.constantFrom(0, 0, 300, 1000, 7000),
});

/** The size of the repository. It can be set, to see a large one change while it is read. */
const ISSUES = Number(process.env["SVC_TEST_ISSUES"] ?? 0);
const [LEAST, MOST] = ISSUES === 0 ? [90, 330] : [ISSUES, ISSUES];

const story = fc.record({
  issues: fc.integer({ min: LEAST, max: MOST }),
  /** The time from one issue to the next, when the repository was filled. */
  apart: fc.constantFrom(0, 400, 1000, 30_000),
  /** What happens before each request of the first run. */
  meanwhile: fc.array(fc.array(happening, { maxLength: 6 }), { maxLength: Math.ceil(MOST / 28) }),
});

function happen(state: HostState, { what, at, after }: Happening): void {
  state.tick(after);
  const numbers = [...state.repository(REPO).issues.keys()];
  const number = numbers[at % numbers.length] ?? 0;
  const other = numbers[(at * 7 + 1) % numbers.length] ?? 0;
  if (what === "edit") state.editIssue(REPO, number, { title: `Edited ${at}`, body: `${at}` });
  else if (what === "close") state.editIssue(REPO, number, { state: "closed" });
  else if (what === "add") state.addIssue(REPO);
  else if (what === "remove") state.removeIssue(REPO, number);
  else if (what === "comment") state.addComment(REPO, number, { body: `Said ${at}` });
  else state.setParent(REPO, number, other === number ? null : other);
}

/** The copy of a reader that takes every newer issue and every comment. */
class Copy {
  readonly issues = new Map<string, RemoteIssue>();
  readonly comments = new Map<string, string>();
  readonly parents = new Map<string, RemoteParent>();

  take({ issues, links }: ReadRun): void {
    for (const issue of issues) {
      const [key] = issue.keys;
      const known = this.issues.get(key)?.updated_at ?? "";
      if ((issue.updated_at ?? "") >= known) this.issues.set(key, issue);
      for (const comment of issue.comments) this.comments.set(comment.key, comment.body);
      this.parents.set(key, issue.parent);
    }
    for (const { keys, parent } of links) this.parents.set(keys[0], parent);
  }
}

test(
  "after a second, undisturbed run, a copy has all that the host has, whatever happened before",
  async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ issues, apart, meanwhile }) => {
        let left = meanwhile;
        const { state, provider, bound, close } = await hosted({
          before: (host) => () => {
            const [now = [], ...rest] = left;
            left = rest;
            // Where a whole page changed in one second, numbered pages are read, and a deletion can hide an issue.
            const safe = apart < 10 ? now.filter(({ what }) => what !== "remove") : now;
            for (const one of safe) happen(host, one);
          },
        });
        left = [];
        for (let n = 0; n < issues; n++) {
          state.addIssue(REPO, { isPullRequest: n % 9 === 5 });
          if (n % 4 === 0) state.addComment(REPO, n + 1, { body: `First of ${n + 1}` });
          state.tick(apart);
        }
        // Old enough that the second run does not happen to read again what the first run misses.
        state.tick(600_000);
        left = meanwhile;
        const copy = new Copy();
        const first = await readRun(provider, bound);
        copy.take(first);
        left = [];
        const [begun] = first.batches;
        const start = begun?.kind === "repository" ? (begun.host_time ?? "") : "";
        const since = msToInstant(instantToMs(start) - 120_000);
        copy.take(await readRun(provider, bound, { since, parents: "scan" }));
        await close();
        expect(lackOf(copy, state)).toEqual([]);
      }),
      { numRuns: 50 },
    );
  },
  ISSUES === 0 ? 120_000 : 900_000,
);

/** What the host has and the copy lacks, or has with other values. */
function lackOf(copy: Copy, state: HostState): readonly string[] {
  const { issues } = state.repository(REPO);
  const keyOf = (number: number | string | null): string =>
    `issue-id:${issues.get(Number(number))?.id}`;
  return [...issues.values()].flatMap((issue) => {
    if (issue.isPullRequest) return [];
    const has = copy.issues.get(keyOf(issue.number));
    if (has === undefined) return [`issue ${issue.number}`];
    const parent = copy.parents.get(keyOf(issue.number));
    const [to] = parent?.kind === "issue" ? parent.keys : ["none"];
    // A parent that was removed or is a pull request is none by the query, and by the row still an address.
    const isThere = issues.get(Number(issue.parent))?.isPullRequest === false;
    return [
      ...(has.title === issue.title && has.body === (issue.body ?? "")
        ? []
        : [`text of ${issue.number}`]),
      ...(has.state === issue.state ? [] : [`state of ${issue.number}`]),
      ...(!isThere || to === keyOf(issue.parent) ? [] : [`parent of ${issue.number}`]),
      ...issue.comments.flatMap(({ id, body }) =>
        copy.comments.get(`comment-id:${id}`) === body ? [] : [`comment ${id} of ${issue.number}`],
      ),
    ];
  });
}
