import { expect, test } from "vitest";
import { closeIssue, reopenIssue } from "../../src/contract/actions.ts";
import { createComment } from "../../src/contract/comments.ts";
import {
  clearIssueRequest,
  listInbox,
  listInboxGlobal,
  notifyIssue,
} from "../../src/contract/inbox.ts";
import { patchIssueMetadata, showIssue } from "../../src/contract/issues.ts";
import { acquireIssueLease } from "../../src/contract/leases.ts";
import { mergeProject } from "../../src/contract/project-actions.ts";
import { moveIssue } from "../../src/contract/removal.ts";
import { undoGlobal } from "../../src/contract/undo.ts";
import { slotOf } from "../../src/domain/inbox/slot.ts";
import { takePatch } from "../../src/shared/requests.ts";
import { created, uid } from "../store/drafts.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

type GivenIssue = Awaited<ReturnType<World["given"]["issue"]>>;

async function notified(
  w: World,
  issue: GivenIssue,
  to = "worker",
  message = "look",
  actor = "ann",
) {
  const sent = await w.call(notifyIssue, {
    params: issue.path,
    body: { to, message, actor },
  });
  if (sent.event === null) throw new Error("a request is always an event");
  return { ...sent, event: sent.event };
}

const inboxOf = async (w: World, address = "worker") =>
  await w.call(listInboxGlobal, { query: { for: address } });

const messages = async (w: World, address?: string) =>
  (await inboxOf(w, address)).requests.map(({ message }) => message);

describeStore("the inbox", (open) => {
  test("an issue with 101 requests is shown with the senders of 100", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({});
    const key = (number: number): string => slotOf(`worker-${number}`);
    const request = { from: "somebody", message: "look" };
    const patch = async (numbers: readonly number[]) =>
      await w.call(patchIssueMetadata, {
        params: issue.path,
        body: {
          actor: "ann",
          patch: Object.fromEntries(numbers.map((number) => [key(number), request])),
        },
      });
    const senders = async () => (await w.call(showIssue, { params: issue.path })).requests;
    await patch(Array.from({ length: 100 }, (_, number) => number));
    expect(await senders()).toHaveLength(100);
    await patch([100]);
    expect(await senders()).toHaveLength(100);
    expect(new Set((await senders())?.map(({ from }) => from))).toEqual(new Set(["ann"]));
  });

  test("a request is stored in the metadata of its issue, and appears in the inbox with its sender", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({ title: "Mend it" });
    w.clock.advance(1000);
    const { event, issue: changed } = await notified(w, issue, "worker/adapter", "is it red?");
    expect(changed).toMatchObject({
      revision: 2,
      updated_at: "2026-01-01T00:00:01.000Z",
      metadata: { "notify.d29ya2VyL2FkYXB0ZXI": { from: "ann", message: "is it red?" } },
    });
    expect(event).toMatchObject({ type: "issue.metadata_updated", actor: "ann" });
    expect(await inboxOf(w, "worker/adapter")).toEqual({
      recipient: "worker/adapter",
      all_projects: true,
      cursor: event.id,
      requests: [
        {
          ref: issue.qualified_id,
          project: "web",
          title: "Mend it",
          from: "ann",
          message: "is it red?",
          project_id: issue.project_id,
          issue_uid: issue.uid,
          revision: 2,
          event_uid: event.uid,
          requested_at: "2026-01-01T00:00:01.000Z",
        },
      ],
      skipped: [],
    });
    expect(await w.eventKinds()).toEqual(["issue.created", "issue.metadata_updated"]);
  });

  test.each(["worker/adapter", "Worker", "work", "worker-a", "*"])(
    "an address is exact: a request for worker does not appear for %s",
    async (address) => {
      const w = await world({ store: open });
      await notified(w, await w.given.issue());
      expect(await messages(w, address)).toEqual([]);
      expect(await messages(w)).toEqual(["look"]);
    },
  );

  test("a request replaces the earlier one to the same address, and no other", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    await notified(w, issue, "worker", "first");
    await notified(w, issue, "bea", "yours");
    await notified(w, issue, "worker", "second", "bea");
    expect(await messages(w)).toEqual(["second"]);
    expect(await messages(w, "bea")).toEqual(["yours"]);
    const { issue: shown } = await w.call(showIssue, { params: issue.path });
    expect(shown.metadata[slotOf("worker")]).toEqual({ from: "bea", message: "second" });
  });

  test("a request reports which one it replaced, unless that one was malformed", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const first = await notified(w, issue, "worker", "first");
    expect(first).not.toHaveProperty("replaced");
    const second = await notified(w, issue, "worker", "second", "bea");
    expect(second).toMatchObject({
      replaced: {
        from: "ann",
        message: "first",
        event_uid: first.event.uid,
        requested_at: first.event.created_at,
      },
    });
    expect(await notified(w, issue, "bea")).not.toHaveProperty("replaced");
    const patch = { [slotOf("worker")]: { message: 1 } } as never;
    await w.call(patchIssueMetadata, { params: issue.path, body: { patch } });
    expect(await notified(w, issue, "worker", "third")).not.toHaveProperty("replaced");
  });

  test('the order "oldest" is that in which the requests were made, even within one instant', async () => {
    const w = await world({ store: open });
    const issues = [await w.given.issue(), await w.given.issue(), await w.given.issue()];
    const byRef = issues.sort((a, b) => (a.qualified_id < b.qualified_id ? -1 : 1));
    const [a, b, c] = byRef;
    if (a === undefined || b === undefined || c === undefined) throw new Error("three issues");
    await notified(w, c);
    w.clock.advance(1000);
    await notified(w, b);
    await notified(w, a);
    const order = async (query: { readonly order?: "ref" | "oldest" }) =>
      (await w.call(listInboxGlobal, { query: { for: "worker", ...query } })).requests.map(
        ({ issue_uid }) => issue_uid,
      );
    expect(await order({ order: "oldest" })).toEqual([c.uid, b.uid, a.uid]);
    expect(await order({ order: "ref" })).toEqual([a.uid, b.uid, c.uid]);
    expect(await order({})).toEqual([a.uid, b.uid, c.uid]);
    w.clock.advance(1000);
    await notified(w, c);
    expect(await order({ order: "oldest" })).toEqual([b.uid, a.uid, c.uid]);
  });

  test("a request's teammate is stored with it, and the next request removes it", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const body = { to: "worker", message: "look", teammate: "t-1" };
    await w.call(notifyIssue, { params: issue.path, body });
    expect((await inboxOf(w)).requests).toMatchObject([{ from: "ann", teammate: "t-1" }]);
    await notified(w, issue);
    expect((await inboxOf(w)).requests[0]).not.toHaveProperty("teammate");
  });

  test("an inbox lists only open issues, including parked ones, ordered by their refs", async () => {
    const w = await world({ store: open });
    const shop = await w.given.project("shop");
    const [a, b, c, parked] = [
      await w.given.issue(),
      await w.given.issue(),
      await w.given.issue({ project: shop }),
      await w.given.issue({ metadata: { someday: true } }),
    ];
    for (const issue of [parked, c, b, a]) await notified(w, issue);
    const refs = async () => (await inboxOf(w)).requests.map(({ ref }) => ref);
    const all = [a, b, c, parked].map(({ qualified_id }) => qualified_id).sort();
    expect(await refs()).toEqual(all);
    const shops = await w.call(listInbox, { params: shop.path, query: { for: "worker" } });
    expect(shops).toMatchObject({ recipient: "worker", project: "shop" });
    expect(shops.requests).toMatchObject([{ ref: c.short_id }]);
    expect(shops.requests[0]).not.toHaveProperty("project");

    await w.given.closed(a);
    await w.given.deleted(b);
    await w.given.archived(shop);
    expect(await refs()).toEqual([parked.qualified_id]);
    await w.call(reopenIssue, { params: a.path });
    expect(await refs()).toEqual([a.qualified_id, parked.qualified_id].sort());
  });

  test("a closed issue accepts no request, but a request on it can be cleared", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    await notified(w, issue);
    await w.call(closeIssue, { params: issue.path, body: { source: "tui" } });
    const body = { to: "worker", message: "again" };
    const refused = await w.refused(notifyIssue, { params: issue.path, body });
    expect(refused).toMatchObject({ code: "validation", message: /closed/ });
    const cleared = await w.call(clearIssueRequest, { params: issue.path, body: { to: "worker" } });
    expect(cleared).toMatchObject({ changed: true, issue: { metadata: {} } });
  });

  test("clearing removes the request, and it is no error if there is none", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const { event } = await notified(w, issue);
    await notified(w, issue, "bea");
    const body = { to: "worker", event_uid: event.uid, actor: "bea" };
    const cleared = await w.call(clearIssueRequest, { params: issue.path, body });
    expect(cleared).toMatchObject({
      changed: true,
      issue: { revision: 4 },
      event: { actor: "bea" },
    });
    const again = await w.call(clearIssueRequest, { params: issue.path, body });
    expect(again).toMatchObject({ changed: false, event: null, issue: { revision: 4 } });
    expect(await messages(w)).toEqual([]);
    expect(await messages(w, "bea")).toEqual(["look"]);
  });

  test.each(["look", "look again"])(
    "clearing a handled request is refused if a newer one (%s) has replaced it",
    async (newer) => {
      const w = await world({ store: open });
      const issue = await w.given.issue();
      const params = issue.path;
      const { event: handled } = await notified(w, issue);
      const { event: second } = await notified(w, issue, "worker", newer);
      const body = { to: "worker", event_uid: handled.uid };
      const before = await w.events();
      expect(await w.refused(clearIssueRequest, { params, body })).toMatchObject({
        code: "request_replaced",
        data: { event_uid: second.uid, from: "ann", message: newer },
      });
      expect(await w.events()).toEqual(before);
      const right = { ...body, event_uid: second.uid.toLowerCase() };
      expect(await w.call(clearIssueRequest, { params, body: right })).toMatchObject({
        changed: true,
      });
    },
  );

  test("other changes of the issue do not change its request", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const params = issue.path;
    const { event } = await notified(w, issue);
    await w.given.metadata(issue, { note: "x", other: { [slotOf("worker")]: "x" } });
    await w.call(createComment, { params, body: { body: "a comment" } });
    expect((await inboxOf(w)).requests).toMatchObject([{ event_uid: event.uid }]);
    const body = { to: "worker", event_uid: event.uid };
    expect(await w.call(clearIssueRequest, { params, body })).toMatchObject({ changed: true });
  });

  test("clearing a request can require a revision of the issue", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const params = issue.path;
    const { issue: seen } = await notified(w, issue);
    await w.given.metadata(issue, { note: "x" });
    const body = { to: "worker" };
    const at = (revision: number) => ({ "if-match": `"rev-${revision}"` });
    const stale = { params, body, headers: at(seen.revision) };
    expect(await w.refused(clearIssueRequest, stale)).toMatchObject({ code: "revision_conflict" });
    expect(
      await w.call(clearIssueRequest, { ...stale, headers: at(seen.revision + 1) }),
    ).toMatchObject({ changed: true });
  });

  test("requests set when an issue is created, or through its metadata, appear in the inbox too", async () => {
    const w = await world({ store: open });
    const value = { from: "bot", message: "from the start", extra: 1 };
    const issue = await w.given.issue({ metadata: { [slotOf("worker")]: value } });
    const [created] = (await w.events()).slice(-1);
    expect((await inboxOf(w)).requests).toMatchObject([
      { from: "ann", message: "from the start", event_uid: created?.uid },
    ]);
    expect((await inboxOf(w)).requests[0]).not.toHaveProperty("extra");
    const patch = { [slotOf("worker")]: { from: "bot", message: "later" } };
    const { event } = await w.call(patchIssueMetadata, { params: issue.path, body: { patch } });
    expect((await inboxOf(w)).requests).toMatchObject([
      { message: "later", event_uid: event?.uid },
    ]);
  });

  test("the sender of a request is the actor who wrote it, whatever name its metadata says", async () => {
    const w = await world({ store: open });
    const [first, second] = [await w.given.issue(), await w.given.issue()];
    await notified(w, second, "worker", "look", "bea");
    await notified(w, second, "worker", "no, wait", "bea");
    const forge = async (issue: GivenIssue, message: string, from = "bea") => {
      const patch = { [slotOf("worker")]: { from, message } };
      const body = { patch, actor: "eve" };
      return await w.call(patchIssueMetadata, { params: issue.path, body });
    };
    const from = async () => {
      const { requests } = await inboxOf(w);
      return new Map(requests.map((request) => [request.issue_uid, request.from]));
    };
    await forge(first, "look");
    await forge(second, "delete it all");
    expect(await from()).toEqual(new Map([first, second].map(({ uid }) => [uid, "eve"])));

    const { event } = await forge(first, "look", "bea again");
    const replaced = await notified(w, second);
    expect(replaced).toMatchObject({ replaced: { from: "eve", message: "delete it all" } });
    const body = { to: "worker", event_uid: replaced.event.uid };
    expect(await w.refused(clearIssueRequest, { params: first.path, body })).toMatchObject({
      code: "request_replaced",
      data: { event_uid: event?.uid, from: "eve" },
    });
  });

  test("a restored request with an invalid sender name counts as sent by its writer", async () => {
    const w = await world({ store: open });
    const shop = await w.given.project("shop");
    const metadata = { [slotOf("worker")]: { from: "bea\u0000\ud800", message: "look" } };
    await w.store.write(async (tx) => await tx.append(created(shop.uid, uid(9), { metadata })));
    expect((await inboxOf(w)).requests).toMatchObject([{ message: "look", from: "ann" }]);
  });

  test("a request keeps its sender when another actor moves or restores the issue", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const params = issue.path;
    await notified(w, issue);
    const taken = takePatch(
      { [slotOf("worker")]: { from: "ann", message: "look" } },
      { shared: "worker", own: "worker/1" },
    );
    await w.call(patchIssueMetadata, { params, body: { patch: taken as never, actor: "eve" } });
    expect((await inboxOf(w, "worker/1")).requests).toMatchObject([{ from: "ann" }]);
    const body = { to: "worker/1", actor: "eve" };
    await w.call(clearIssueRequest, { params, body });
    expect((await inboxOf(w, "worker/1")).requests).toEqual([]);
    const undo = { of_actor: "eve", since: "2026-01-01T00:00:00Z", until: "2027-01-01T00:00:00Z" };
    const asked = { ...undo, actor: "eve" };
    const { confirm } = await w.call(undoGlobal, { body: { ...asked, dry_run: true } });
    await w.call(undoGlobal, { body: asked, headers: { "x-svc-confirm": confirm } });
    expect((await inboxOf(w)).requests).toMatchObject([{ from: "ann", message: "look" }]);
  });

  test.each<[string, unknown, string]>([
    ["text", "look", "is no object"],
    ["a list", [1], "is no object"],
    ["a request without a sender", { message: "x" }, "has no text in from"],
    ["a request whose message is a number", { from: "x", message: 5 }, "has no text in message"],
  ])("a stored request that is %s is skipped and reported", async (_, value, reason) => {
    const w = await world({ store: open });
    const key = slotOf("worker");
    const issue = await w.given.issue({ metadata: { [key]: value as string } });
    expect(await inboxOf(w)).toMatchObject({
      requests: [],
      skipped: [{ ref: issue.qualified_id, reason: `${key} ${reason}` }],
    });
  });

  test("an invalid teammate is left out of its request, and reported", async () => {
    const w = await world({ store: open });
    const value = { from: "bot", message: "look", teammate: "two words" };
    await w.given.issue({ metadata: { [slotOf("worker")]: value } });
    const { requests, skipped } = await inboxOf(w);
    expect(requests).toMatchObject([{ from: "ann", message: "look" }]);
    expect(requests[0]).not.toHaveProperty("teammate");
    expect(skipped).toHaveLength(1);
  });

  test("a lease does not prevent other actors from sending or clearing requests, but a wrong fence does", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const params = issue.path;
    await w.call(acquireIssueLease, { params, body: { actor: "bea" } });
    await notified(w, issue, "bea", "how long?");
    const clear = { params, body: { to: "bea", actor: "ann" } };
    const fenced = { ...clear, headers: { "x-svc-fence": "7" } as object };
    expect(await w.refused(clearIssueRequest, fenced)).toMatchObject({ code: "claim_not_held" });
    expect(await w.call(clearIssueRequest, clear)).toMatchObject({ changed: true });
    const patch = { [slotOf("bea")]: null, note: "x" };
    const mixed = await w.refused(patchIssueMetadata, { params, body: { patch } });
    expect(mixed.code).toBe("claim_denied");
  });

  test.each([
    ["of another actor's lease", "bea", "1", "claim_denied"],
    ["of an expired lease", "ann", "1", "claim_expired"],
    ["that no lease ever had", "ann", "7", "claim_not_held"],
    ["of the previous lease", "again", "1", "fence_stale"],
  ])("a request under the fence %s is refused", async (_, holder, fence, code) => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const params = issue.path;
    const [to, message] = ["worker", "look"];
    await notified(w, issue);
    const actor = holder === "again" ? "ann" : holder;
    const lease = { actor, claim_kind: "timed", ttl_seconds: 60 } as const;
    await w.call(acquireIssueLease, { params, body: lease });
    if (holder !== "bea" && fence === "1") w.clock.advance(60_000);
    if (holder === "again") await w.call(acquireIssueLease, { params, body: lease });
    const headers = { "x-svc-fence": fence } as object;
    const before = await w.events();
    for (const refused of [
      await w.refused(notifyIssue, { params, headers, body: { to, message } }),
      await w.refused(clearIssueRequest, { params, headers, body: { to } }),
    ])
      expect(refused.code).toBe(code);
    expect(await w.events()).toEqual(before);
  });

  test.each<[string, object, boolean]>([
    ["1024 bytes of message", { message: "x".repeat(1024) }, true],
    ["1025 bytes of message", { message: "x".repeat(1025) }, false],
    ["1026 bytes of message in 513 characters", { message: "é".repeat(513) }, false],
    ["a blank message", { message: " \n" }, false],
    ["a message that shows nothing", { message: "\u200b\u2800" }, false],
    ["an address that shows nothing", { to: "\u3164" }, false],
    ["NUL in the message", { message: "a\u0000" }, false],
    ["an address of 128 bytes", { to: "a".repeat(128) }, true],
    ["an address of 129 bytes", { to: "a".repeat(129) }, false],
    ["white space around the address", { to: " worker " }, true],
    ["an address of white space", { to: "  " }, false],
    ["a teammate of 64 characters", { teammate: "t".repeat(64) }, true],
    ["a teammate of 65 characters", { teammate: "t".repeat(65) }, false],
  ])("a request with %s is accepted or refused", async (_, fields, taken) => {
    const w = await world({ store: open });
    const { path: params } = await w.given.issue();
    const body = { to: "worker", message: "look", ...fields };
    const response = await w.send(notifyIssue, { params, body });
    expect(response.status).toBe(taken ? 200 : 400);
    const to = body.to.trim();
    if (taken) expect(await messages(w, to)).toEqual([body.message]);
    else expect(await w.eventKinds()).toEqual(["issue.created"]);
  });

  test.each(["", " ", "a\nb", "x".repeat(129)])("the inbox of %j is refused", async (address) => {
    const w = await world({ store: open });
    const query = { for: address };
    const { path: params } = await w.given.project();
    expect(await w.refused(listInboxGlobal, { query })).toMatchObject({ code: "validation" });
    expect(await w.refused(listInbox, { params, query })).toMatchObject({ code: "validation" });
  });

  test("a request moves with its issue, and with its project in a merge", async () => {
    const w = await world({ store: open });
    const shop = await w.given.project("shop");
    const issue = await w.given.issue();
    const { event, issue: asked } = await notified(w, issue);
    const { issue: moved } = await w.call(moveIssue, {
      params: issue.path,
      headers: { "if-match": `"rev-${asked.revision}"` },
      body: { to_project_uid: shop.uid },
    });
    const request = { ref: moved.qualified_id, project: "shop", event_uid: event.uid };
    expect((await inboxOf(w)).requests).toMatchObject([request]);
    await w.call(mergeProject, {
      params: { project_id: issue.project_id },
      body: { source_project_id: shop.id },
    });
    expect((await inboxOf(w)).requests).toMatchObject([{ project: "web", event_uid: event.uid }]);
  });
});
