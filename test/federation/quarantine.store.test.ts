import { expect, test } from "vitest";
import { closeIssue } from "../../src/contract/actions.ts";
import {
  retryFederationQuarantine,
  skipFederationQuarantine,
} from "../../src/contract/federation-quarantine.ts";
import { editIssue } from "../../src/contract/issues.ts";
import { asBoundActor } from "../../src/domain/federation/bound-actor.ts";
import { created } from "../store/drafts.ts";
import { answer } from "../support/replica.ts";
import { describeStore } from "../support/store.ts";
import { type WritingCopy, writingCopy } from "./push-world.ts";

/** Lets the hub refuse what it is sent, like a hub that has lost an issue. */
function refuse({ server, hub }: WritingCopy): void {
  const body = JSON.stringify({ error: { code: "validation", message: "event 1: unknown issue" } });
  server.intercept((request, response) => {
    if (request.method === "POST") response.writeHead(400).end(body);
    else void answer(hub, request, response);
  });
}

async function decide({ spoke, local, quarantine }: WritingCopy, verb: "skip" | "retry") {
  const { id = 0 } = (await quarantine()) ?? {};
  const params = { project_id: local.id, quarantine_id: id };
  const headers = { "x-svc-confirm": `${verb.toUpperCase()} FEDERATION BATCH ${id}` };
  const route = verb === "skip" ? skipFederationQuarantine : retryFederationQuarantine;
  return await spoke.call(route, { params, headers });
}

const titles = async ({ hub }: WritingCopy) =>
  (await hub.events()).flatMap(({ payload }) => ("title" in payload ? [payload.title] : []));

describeStore("a batch that the hub refused", (open) => {
  test("is sent again after a retry, and counts as sent once the hub accepts it", async () => {
    const it = await writingCopy(open);
    await it.spoke.given.issue({ project: it.local, title: "one" });
    refuse(it);
    await it.pull();
    const row = await it.quarantine();
    it.mend();
    await decide(it, "retry");
    expect(await it.pull()).toMatchObject({ outcome: "current" });
    expect(it.batches[0]?.events.map(({ event_uid }) => event_uid)).toEqual(row?.event_uids);
    expect((await it.binding())?.push_cursor_event_id).toBeGreaterThanOrEqual(
      row?.last_event_id ?? Number.POSITIVE_INFINITY,
    );
    expect(await titles(it)).toContain("one");
    await it.expectOneHistory();
  });

  test("gets a new number if the hub refuses it again after a retry", async () => {
    const it = await writingCopy(open);
    await it.spoke.given.issue({ project: it.local, title: "one" });
    refuse(it);
    await it.pull();
    await decide(it, "retry");
    expect(await it.pull()).toMatchObject({ outcome: "failed", code: "validation" });
    expect(await it.quarantine()).toMatchObject({ id: 2 });
  });

  test("never reaches the hub once it is skipped, but later changes do", async () => {
    const known = { uid: "" };
    const it = await writingCopy(open, async (hub, project) => {
      known.uid = (await hub.given.issue({ project, title: "of the hub" })).uid;
    });
    const { spoke, local } = it;
    const path = { project_id: local.id, ref: known.uid };
    await spoke.call(editIssue, { params: path, body: { title: "refused" } });
    const made = await spoke.given.issue({ project: local, title: "refused too" });
    refuse(it);
    await it.pull();
    await spoke.given.issue({ project: local, title: "later" });
    await spoke.given.comment({ on: made, body: "about what the hub never gets" });
    it.mend();
    expect(await decide(it, "skip")).toMatchObject({ skipped_event_count: 3 });
    expect(await it.pull()).toMatchObject({ outcome: "current" });
    expect(await titles(it)).toContain("later");
    expect((await titles(it)).join()).not.toContain("refused");
    expect(await it.status()).toMatchObject({ pending_push_count: 0, active_quarantine_count: 0 });
    await it.expectOneHistory();
  });

  test("loses the commit of a skipped close, and gets it back if the hub turns out to have the close", async () => {
    const it = await writingCopy(open);
    const { spoke, hub, local, server } = it;
    const made = await spoke.given.issue({ project: local, title: "closed" });
    expect(await it.pull()).toMatchObject({ outcome: "current" });
    const sha = "0123456789abcdef0123456789abcdef01234567";
    const close = {
      reason: "done" as const,
      evidence: [{ type: "commit" as const, sha }],
      message: "The fix is in the commit, and its test passes now.",
    };
    await spoke.call(closeIssue, { params: made.path, body: close });
    const found = async () =>
      (await spoke.store.read(async ({ marks }) => await marks.closedBy(sha, 10))).length;
    expect(await found()).toBe(1);
    server.intercept((request, response) => {
      const end = response.end.bind(response);
      Object.assign(response, { writeHead: () => response, end: () => response.destroy() });
      void answer(hub, request, response).then(end);
    });
    await it.pull();
    refuse(it);
    await it.pull();
    it.mend();
    await decide(it, "skip");
    expect(await found()).toBe(0);
    expect(await it.pull()).toMatchObject({ outcome: "current" });
    expect(await found()).toBe(1);
    await it.expectOneHistory();
  });

  test("comes back after a skip as far as the hub has its events, if an answer was lost before the refusal", async () => {
    const it = await writingCopy(open);
    const { hub, spoke, server, local } = it;
    const made = await spoke.given.issue({ project: local, title: "arrived" });
    server.intercept((request, response) => {
      const end = response.end.bind(response);
      Object.assign(response, { writeHead: () => response, end: () => response.destroy() });
      void answer(hub, request, response).then(end);
    });
    expect(await it.pull()).toMatchObject({ outcome: "failed", code: "hub_unavailable" });
    await spoke.call(editIssue, { params: made.path, body: { title: "refused" } });
    refuse(it);
    await it.pull();
    expect((await it.quarantine())?.event_uids).toHaveLength(2);
    it.mend();
    await decide(it, "skip");
    expect(await spoke.store.read(async ({ issues }) => await issues.find(made.uid))).toBe(
      undefined,
    );
    expect(await it.pull()).toMatchObject({ outcome: "current" });
    const back = await spoke.store.read(async ({ issues }) => await issues.find(made.uid));
    expect(back).toMatchObject({ title: "arrived", short_id: made.short_id });
    await it.expectOneHistory();
  });

  test("gets its issue back with the hub's short id, even if an issue made after the skip has got this short id", async () => {
    const it = await writingCopy(open);
    const { hub, spoke, server, local, project } = it;
    const made = await spoke.given.issue({ project: local, title: "arrived" });
    server.intercept((request, response) => {
      const end = response.end.bind(response);
      Object.assign(response, { writeHead: () => response, end: () => response.destroy() });
      void answer(hub, request, response).then(end);
    });
    await it.pull();
    await spoke.call(editIssue, { params: made.path, body: { title: "refused" } });
    refuse(it);
    await it.pull();
    it.mend();
    await decide(it, "skip");
    const short = made.short_id;
    const uid = `01J${"0".repeat(22 - short.length)}Z${short.toUpperCase()}`;
    const draft = created(project.uid, uid, { short_id: short, title: "made meanwhile" });
    await spoke.store.write(async (tx) => await tx.append(asBoundActor(draft, "sam")));
    for (let pass = 0; pass < 2; pass += 1)
      expect(await it.pull()).toMatchObject({ outcome: "current" });
    const shortIdOf = async (of: string) =>
      (await spoke.store.read(async ({ issues }) => await issues.find(of)))?.short_id;
    expect(await shortIdOf(made.uid)).toBe(short);
    expect((await shortIdOf(uid))?.length).toBeGreaterThan(short.length);
    await it.expectOneHistory();
  });
});
