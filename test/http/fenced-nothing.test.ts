import { expect, test } from "vitest";
import * as actions from "../../src/contract/actions.ts";
import { createComment, editComment } from "../../src/contract/comments.ts";
import { clearIssueRequest } from "../../src/contract/inbox.ts";
import { ROUTES } from "../../src/contract/index.ts";
import { editIssue, patchIssueMetadata } from "../../src/contract/issues.ts";
import { addLabel, removeLabel } from "../../src/contract/labels.ts";
import { acquireIssueLease } from "../../src/contract/leases.ts";
import { createLink, deleteLink } from "../../src/contract/links.ts";
import { deleteIssue, restoreIssue } from "../../src/contract/removal.ts";
import type { Route } from "../../src/contract/route.ts";
import { describeStore } from "../support/store.ts";
import { type CallInput, type World, world } from "../support/world.ts";

const MINUTE = 60_000;

type Issue = Awaited<ReturnType<World["given"]["issue"]>>;
type AnyInput = CallInput<Route>;

interface Row {
  readonly route: Route;
  /** Prepares the issue so that the request finds nothing to change. */
  given?(w: World, issue: Issue): Promise<unknown>;
  ask(issue: Issue, given: unknown): AnyInput;
}

const ROWS: readonly Row[] = [
  { route: editIssue, ask: ({ title }) => ({ body: { title } }) },
  {
    route: patchIssueMetadata,
    given: async (w, issue) => await w.given.metadata(issue, { area: "ui" }),
    ask: () => ({ body: { patch: { area: "ui" } } }),
  },
  {
    route: actions.closeIssue,
    given: async (w, issue) => await w.given.closed(issue),
    ask: () => ({ body: { source: "tui" } }),
  },
  { route: actions.reopenIssue, ask: () => ({}) },
  {
    route: actions.assignIssue,
    given: async (w, { path: params }) =>
      await w.call(actions.assignIssue, { params, body: { owner: "bea" } }),
    ask: () => ({ body: { owner: "bea" } }),
  },
  { route: actions.unassignIssue, ask: () => ({}) },
  {
    route: actions.claimIssue,
    given: async (w, { path: params }) => await w.call(actions.claimIssue, { params }),
    ask: () => ({}),
  },
  {
    route: actions.setIssuePriority,
    given: async (w, { path: params }) =>
      await w.call(actions.setIssuePriority, { params, body: { priority: 2 } }),
    ask: () => ({ body: { priority: 2 } }),
  },
  { route: clearIssueRequest, ask: () => ({ body: { to: "cyd" } }) },
  {
    route: deleteIssue,
    given: async (w, issue) => await w.given.deleted(issue),
    ask: ({ qualified_id }) => ({ headers: { "x-svc-confirm": `DELETE ${qualified_id}` } }),
  },
  { route: restoreIssue, ask: () => ({}) },
  {
    route: editComment,
    given: async (w, { path: params }) =>
      (await w.call(createComment, { params, body: { body: "first" } })).comment,
    ask: ({ path }, given) => {
      const { uid } = given as { readonly uid: string };
      return { params: { ...path, comment_ref: uid }, body: { body: "first" } };
    },
  },
  {
    route: addLabel,
    given: async (w, { path: params }) => await w.call(addLabel, { params, body: { label: "ui" } }),
    ask: () => ({ body: { label: "ui" } }),
  },
  {
    route: removeLabel,
    ask: ({ path }) => ({ params: { ...path, label: "ui" }, query: { actor: "ann" } }),
  },
  {
    route: createLink,
    given: async (w, issue) => {
      const peer = await w.given.issue();
      await w.given.link(issue, "related", peer);
      return peer;
    },
    ask: (_, given) => {
      const { uid } = given as { readonly uid: string };
      return { body: { type: "related", to_ref: uid } };
    },
  },
  {
    route: deleteLink,
    ask: ({ path }) => ({ params: { ...path, link_id: 999 }, query: { actor: "ann" } }),
  },
];

/** These always change something, refuse, or act on the lease itself (lease-fences.test.ts). */
const ALWAYS_CHANGE = ["notifyIssue", "moveIssue", "purgeIssue", "createComment"];

test("each route with a fence is in this test or in the list of routes that always change something", () => {
  const fenced = ROUTES.filter((route) => route.fenced === "gate");
  const here = [...ROWS.map(({ route }) => route.id), ...ALWAYS_CHANGE];
  expect(here.toSorted()).toEqual(fenced.map(({ id }) => id).toSorted());
});

async function acquire(w: World, { path: params }: Issue): Promise<number> {
  const body = { claim_kind: "timed", ttl_seconds: 60 } as const;
  return (await w.call(acquireIssueLease, { params, body })).lease?.fence ?? 0;
}

describeStore("a request that would change nothing", (open) => {
  test.each(ROWS.map((row) => [row.route.id, row] as const))(
    "%s is refused under a stale fence, like a request that changes something",
    async (_, { route, given, ask }) => {
      const w = await world({ store: open });
      const issue = await w.given.issue({ title: "Parser" });
      const stale = await acquire(w, issue);
      w.clock.advance(MINUTE);
      // Another worker with the same name acquires a new lease.
      const current = await acquire(w, issue);
      const asked = { params: issue.path, ...ask(issue, await given?.(w, issue)) };
      const under = (fence: number): AnyInput => ({
        ...asked,
        headers: { ...asked.headers, "x-svc-fence": String(fence) },
      });
      const before = await w.events();
      expect(await w.refused(route, under(stale))).toMatchObject({
        code: "fence_stale",
        data: { fence: stale, current },
      });
      expect(await w.refused(route, under(current + 1))).toMatchObject({ code: "claim_not_held" });
      expect(await w.call(route, under(current))).toMatchObject({ changed: false });
      w.clock.advance(MINUTE);
      expect(await w.refused(route, under(current))).toMatchObject({ code: "claim_expired" });
      expect(await w.call(route, asked)).toMatchObject({ changed: false });
      expect(await w.events()).toEqual(before);
    },
  );

  test("gets its first answer again if it repeats an earlier request, whatever has happened to the lease", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const fence = String(await acquire(w, issue));
    const params = issue.path;
    const headers = { "x-svc-fence": fence, "idempotency-key": "k1" };
    const comment = { params, headers, body: { body: "found it" } };
    const close = {
      params,
      headers,
      body: { source: "tui", retry_protocol: "close-v1" },
    } as const;
    const first = await w.call(createComment, comment);
    await w.call(actions.closeIssue, close);
    w.clock.advance(MINUTE);
    await acquire(w, issue);
    const again = await w.call(createComment, comment);
    expect(again).toMatchObject({ changed: false, comment: { uid: first.comment.uid } });
    expect(await w.call(actions.closeIssue, close)).toMatchObject({ reused: true });
  });
});
