import fc from "fast-check";
import { expect, test } from "vitest";
import { syncWorld } from "../ops/issue-sync/synced.ts";
import { expectFolded } from "../store/fold.ts";
import { describeStore } from "../support/store.ts";
import type { OpenStore } from "../support/world.ts";
import { hosted, REPO, trustHost } from "./github/support.ts";
import type { HostIssue, HostState } from "./host/state.ts";

trustHost();

/** The size of the repository. It can be set, to see a large one change while it is read. */
const ISSUES = Number(process.env["SVC_TEST_ISSUES"] ?? 210);
const RUNS = Number(process.env["SVC_TEST_RUNS"] ?? 3);
const LABELS = ["bug", "ui", "soon", "later"];

/** Something that happens on the host, at an issue that `at` chooses among those that are there. */
const happening = fc.record({
  what: fc.constantFrom("edit", "edit", "close", "label", "own", "comment", "parent", "add"),
  at: fc.nat(),
  /** How long after the previous change, in ms. Many changes happen within a second. */
  after: fc.constantFrom(0, 0, 300, 1000, 7000),
});
type Happening = typeof happening extends fc.Arbitrary<infer S> ? S : never;

const story = fc.record({
  /** The time from one issue to the next, when the repository was filled. */
  apart: fc.constantFrom(0, 400, 30_000),
  /** What happens before each request of the runs, again from the start after the last one. */
  before: fc.array(fc.array(happening, { maxLength: 5 }), { minLength: 10, maxLength: 40 }),
  /** What happens between the runs. */
  between: fc.array(happening, { maxLength: 20 }),
});
type Story = typeof story extends fc.Arbitrary<infer S> ? S : never;

function happen(state: HostState, { what, at }: Happening): void {
  const count = state.repository(REPO).issues.size;
  const number = (at % count) + 1;
  // A parent has the smaller number, so that there is never a circle.
  const parent = at % 3 === 0 || number === 1 ? null : ((at * 7) % (number - 1)) + 1;
  if (what === "edit") state.editIssue(REPO, number, { title: `Edited ${at}`, body: `Text ${at}` });
  else if (what === "close") {
    const state_reason = at % 2 === 0 ? "completed" : "not_planned";
    state.editIssue(REPO, number, { state: "closed", state_reason, closed_at: state.now() });
  } else if (what === "label") {
    const labels = LABELS.filter((_label, place) => (at >> place) % 2 === 1);
    state.editIssue(REPO, number, { labels });
  } else if (what === "own") state.editIssue(REPO, number, { assignees: [`person-${at % 5}`] });
  else if (what === "comment") state.addComment(REPO, number, { body: `Said ${at}` });
  else if (what === "parent") state.setParent(REPO, number, parent);
  else state.addIssue(REPO, { parent });
}

/** A project that is bound to a repository which changes before each request while `isLively`. */
async function lively(open: OpenStore, { apart, before }: Story) {
  const during = { isLively: false, requests: 0 };
  let advance: (ms: number) => void = () => undefined;
  const happenAll = (host: HostState, all: readonly Happening[]): void => {
    for (const one of all) {
      advance(one.after);
      happen(host, one);
    }
  };
  const { state, host, provider, close } = await hosted({
    before: (of) => () => {
      if (during.isLively) happenAll(of, before[during.requests++ % before.length] ?? []);
    },
  });
  const s = await syncWorld(open, {
    issueSync: { repositories: [], provider: async () => provider },
  });
  advance = (ms) => {
    s.w.clock.advance(ms);
    state.nowMs = s.w.clock.nowMs();
  };
  for (let n = 1; n <= ISSUES; n++) {
    state.addIssue(REPO);
    for (let k = 0; k < n % 4; k++) state.addComment(REPO, n, { body: `Comment ${k} of ${n}` });
    advance(apart);
  }
  // So the second run does not read everything once more.
  advance(600_000);
  await s.enable({ config: { host, owner: "ann", repo: "tracker" } });
  return {
    s,
    state,
    during,
    advance,
    close,
    happen: (all: Story["between"]) => happenAll(state, all),
  };
}

type Lively = Awaited<ReturnType<typeof lively>>;

async function shownHere({ s }: Lively, number: number) {
  const { issue, labels, comments, parent } = await s.show(number);
  return {
    title: issue.title,
    body: issue.body.split(/\n*---\n/)[0],
    status: issue.status,
    reason: issue.closed_reason ?? undefined,
    owner: issue.owner ?? undefined,
    labels: labels.map(({ label }) => label).toSorted(),
    comments: comments.map(({ body }) => body).toSorted(),
    parent: parent?.uid,
  };
}

function shownThere(issue: HostIssue, uidOf: (number: number) => string | undefined) {
  const { number, title, body, state, state_reason, assignees, labels, comments, parent } = issue;
  const reason = state_reason === "not_planned" ? "wontfix" : "done";
  return {
    title: `[GitHub #${number}] ${title}`,
    body: body ?? "",
    status: state,
    reason: state === "closed" ? reason : undefined,
    owner: assignees[0],
    labels: labels.toSorted(),
    comments: comments.map(({ body: said }) => said).toSorted(),
    parent: parent === null ? undefined : uidOf(Number(parent)),
  };
}

async function expectSame(world: Lively): Promise<void> {
  const issues = [...world.state.repository(REPO).issues.values()];
  const { s } = world;
  const listed = await s.w.store.read(
    async (reader) => await reader.issues.list({ project_uid: s.project.uid }, "created"),
  );
  const uids = new Map(
    listed.map(({ title, uid }) => [Number(/^\[GitHub #(\d+)\]/.exec(title)?.[1]), uid]),
  );
  expect(listed).toHaveLength(issues.length);
  expect(uids.size).toBe(issues.length);
  for (const issue of issues)
    expect(await shownHere(world, issue.number)).toEqual(
      shownThere(issue, (number) => uids.get(number)),
    );
}

describeStore("a repository that changes before each request of a run", (open) => {
  test("is copied completely once it no longer changes, and a further run writes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(story, async (told) => {
        const world = await lively(open, told);
        const { s, during, advance } = world;
        during.isLively = true;
        await s.once();
        during.isLively = false;
        world.happen(told.between);
        during.isLively = true;
        await s.once();
        during.isLively = false;
        expect(during.requests).toBeGreaterThan(ISSUES / 50);
        advance(600_000);
        await s.once({ parents: true });
        await expectSame(world);
        // The run after it asks for the two minutes before it once more.
        advance(600_000);
        const events = (await s.w.events()).length;
        const again = await s.once({ parents: true });
        expect(again.import).toMatchObject({ created: 0, updated: 0, comments: 0, links: 0 });
        expect(await s.w.events()).toHaveLength(events);
        await expectFolded(s.w.store);
        await world.close();
      }),
      { numRuns: RUNS },
    );
  }, 600_000);
});
