import { describe, expect, onTestFinished, test } from "vitest";
import { msToInstant, systemClock } from "../../src/base/clock.ts";
import { call } from "../../src/client/call.ts";
import type { Client } from "../../src/client/client.ts";
import type { EventQuery } from "../../src/client/events.ts";
import { type WaitNews, type WaitOptions, waitUntil } from "../../src/client/wait.ts";
import { type WaitIssuesOptions, waitForIssues } from "../../src/client/wait-issues.ts";
import { closeIssue } from "../../src/contract/actions.ts";
import { createIssue, patchIssueMetadata, showIssueByUID } from "../../src/contract/issues.ts";
import { addLabel } from "../../src/contract/labels.ts";
import { createLink } from "../../src/contract/links.ts";
import { removeProject } from "../../src/contract/project-actions.ts";
import { initProject } from "../../src/contract/projects.ts";
import { moveIssue, purgeIssue } from "../../src/contract/removal.ts";
import { folderWith } from "../config/folder.ts";
import { Local } from "./local.ts";
import { json, PONG, standIn } from "./stand-in.ts";

const NEVER_MS = 600_000;
const actor = "ann";

async function world() {
  const local = new Local(folderWith());
  let daemon = await local.daemon();
  const client = await local.client();
  const project = async (name: string) =>
    (await call(client, initProject, { body: { name, actor } })).project;
  const web = await project("web");
  const issue = async (title: string, project_id = web.id) => {
    const body = { title, actor, force_new: true };
    return (await call(client, createIssue, { params: { project_id }, body })).issue;
  };
  type Issue = Awaited<ReturnType<typeof issue>>;
  const pathOf = ({ project_id, uid }: Issue) => ({ project_id, ref: uid });
  const over = new AbortController();
  onTestFinished(() => over.abort());
  return {
    client,
    web,
    project,
    issue,
    pathOf,
    over,
    waiter: async (): Promise<Client> => await local.client(),
    restart: async () => {
      await daemon.stop();
      daemon = await local.daemon();
    },
    stop: async () => await daemon.stop(),
    start: async () => {
      daemon = await local.daemon();
    },
    close: async (of: Issue) =>
      await call(client, closeIssue, { params: pathOf(of), body: { actor, source: "tui" } }),
    label: async (of: Issue, label: string) =>
      await call(client, addLabel, { params: pathOf(of), body: { actor, label } }),
    labels: async (of: Issue, asker: Client) => {
      const params = { uid: of.uid };
      return (await call(asker, showIssueByUID, { params, query: {} })).issue.labels;
    },
    purge: async (of: Issue) => {
      const confirm = { "x-svc-confirm": `PURGE ${of.qualified_id}` };
      await call(client, purgeIssue, { params: pathOf(of), headers: confirm, body: { actor } });
    },
    /** Starts a wait for issues, and returns when its first check is done. */
    async wait(uids: readonly string[], options: Partial<WaitIssuesOptions> = {}) {
      let looked = (): void => undefined;
      const first = new Promise<void>((resolve) => {
        looked = resolve;
      });
      const { met = ({ shown }) => (shown.issue.status === "closed" ? "closed" : undefined) } =
        options;
      let looks = 0;
      const waited = waitForIssues(await local.client(), {
        uids,
        ready: false,
        any: false,
        signal: over.signal,
        pollMs: NEVER_MS,
        ...options,
        met: (now, before) => {
          if (++looks === uids.length) looked();
          return met(now, before);
        },
      });
      await Promise.race([first, waited]);
      return { waited };
    },
  };
}

type World = Awaited<ReturnType<typeof world>>;

/** Waits for a label on the issue. `during` runs right after a check has read the issue. */
function labelWait(w: World, issue: Parameters<World["close"]>[0], label: string) {
  const heard: WaitNews[] = [];
  return {
    heard,
    options: (asker: Client, during: (look: number) => Promise<unknown>): WaitOptions<string> => ({
      signal: w.over.signal,
      pollMs: NEVER_MS,
      check: async (news) => {
        heard.push(news);
        const labels = await w.labels(issue, asker);
        await during(heard.length);
        const filter = { issue: [issue.uid] };
        return { filter, done: labels.includes(label) ? "there" : undefined };
      },
    }),
  };
}

describe("waiting for a condition", () => {
  test("sees changes made during its first read", async () => {
    const w = await world();
    const issue = await w.issue("one");
    const { options, heard } = labelWait(w, issue, "x");
    const asker = await w.waiter();
    const during = async (look: number) => (look === 1 ? await w.label(issue, "x") : undefined);
    expect(await waitUntil(asker, options(asker, during))).toBe("there");
    expect(heard).toEqual(["all", new Set([issue.uid])]);
  });

  test.each([3_600_000, -3_600_000])(
    "reports how long the wait took, even if the system clock is changed by %d ms meanwhile",
    async (setBy) => {
      const w = await world();
      const issue = await w.issue("one");
      let shift = 0;
      const nowMs = () => systemClock.nowMs() + shift;
      const clock = { ...systemClock, nowMs, now: () => msToInstant(nowMs()) };
      const met = () => {
        shift = setBy;
        return "there";
      };
      const { waited } = await w.wait([issue.uid], { clock, met });
      const ms = (await waited).met[0]?.waitedMs;
      expect(ms).toBeGreaterThanOrEqual(0);
      expect(ms).toBeLessThan(3_600_000);
    },
  );

  test("sees changes to an issue that is watched only from the middle of the wait", async () => {
    const w = await world();
    const [one, other] = [await w.issue("one"), await w.issue("other")];
    const asker = await w.waiter();
    const filters: EventQuery[] = [];
    const found = waitUntil(asker, {
      signal: w.over.signal,
      pollMs: NEVER_MS,
      check: async () => {
        const labels = await w.labels(other, asker);
        const look = filters.length;
        const filter = { issue: look === 0 ? [one.uid] : [one.uid, other.uid] };
        filters.push(filter);
        if (look === 0) await w.label(one, "wake");
        if (look === 1) await w.label(other, "x");
        return { filter, done: labels.includes("x") ? filters.length : undefined };
      },
    });
    expect(await found).toBeGreaterThanOrEqual(3);
  });

  test("reads again once the daemon is back, and not before", async () => {
    const w = await world();
    const issue = await w.issue("one");
    const { options, heard } = labelWait(w, issue, "x");
    const asker = await w.waiter();
    let first = (): void => undefined;
    const looked = new Promise<void>((resolve) => {
      first = resolve;
    });
    const waiting = waitUntil(
      asker,
      options(asker, async () => first()),
    );
    await looked;
    await w.restart();
    await w.label(issue, "x");
    expect(await waiting).toBe("there");
    expect(heard.length).toBeLessThanOrEqual(4);
  });

  test("polls if the daemon's stream is not available", async () => {
    const server = await standIn((request) => {
      if (request.startsWith("GET /api/v1/ping ")) return json(200, PONG);
      if (request.startsWith("GET /api/v1/instance "))
        return json(200, { instance_uid: "x", version: "1", last_event_id: 3 });
      return json(401, { status: 401, error: { code: "auth_required", message: "no" } });
    }, "tcp");
    const client = await new Local(folderWith()).remoteClient(server);
    const heard: WaitNews[] = [];
    const found = await waitUntil(client, {
      signal: AbortSignal.timeout(20_000),
      pollMs: 1,
      check: async (news) => ({ filter: {}, done: heard.push(news) === 4 ? "done" : undefined }),
    });
    expect(found).toBe("done");
    expect(heard).toEqual(["all", "all", "all", "all"]);
    const streams = server.requests.filter((request) => request.includes("/events/stream"));
    expect(streams).toHaveLength(1);
  });

  test("needs a daemon that reports its last event", async () => {
    const server = await standIn(
      (request) =>
        request.startsWith("GET /api/v1/ping ") ? json(200, PONG) : json(200, { version: "1" }),
      "tcp",
    );
    const client = await new Local(folderWith()).remoteClient(server);
    const options = { signal: AbortSignal.timeout(20_000), pollMs: 1 };
    const waiting = waitUntil(client, { ...options, check: async () => ({ filter: {} }) });
    await expect(waiting).rejects.toMatchObject({ code: "daemon_api_too_old" });
  });

  test("ends with an error if the daemon refuses a request", async () => {
    const w = await world();
    const options = { signal: w.over.signal, pollMs: NEVER_MS };
    const look = async () => ({ filter: { type: ["nonsense"] } });
    const waiting = waitUntil(await w.waiter(), { ...options, check: look });
    await expect(waiting).rejects.toMatchObject({ code: "validation" });
    const gone = async () => ({ filter: { issue: ["01M7YPD9HK0SR9DFRB44M11X64"] } });
    const asking = waitUntil(await w.waiter(), { ...options, check: gone });
    await expect(asking).rejects.toMatchObject({ code: "issue_not_found" });
  });

  test("ends without an answer when it is aborted, even in the middle of a read", async () => {
    const w = await world();
    const issue = await w.issue("one");
    const asker = await w.waiter();
    const stop = new AbortController();
    let looks = 0;
    const waiting = waitUntil(asker, {
      signal: stop.signal,
      pollMs: NEVER_MS,
      check: async () => {
        if (++looks === 1) await w.label(issue, "x");
        else {
          stop.abort();
          await new Promise(() => undefined);
        }
        return { filter: { issue: [issue.uid] } };
      },
    });
    expect(await waiting).toBeUndefined();
    expect(looks).toBe(2);
  });
});

describe("waiting for issues", () => {
  test("goes on if the issue moves to another project", async () => {
    const w = await world();
    const [issue, shop] = [await w.issue("one"), await w.project("shop")];
    const { waited } = await w.wait([issue.uid]);
    await call(w.client, moveIssue, {
      params: w.pathOf(issue),
      headers: { "if-match": `"rev-${issue.revision}"` },
      body: { actor, to_project_uid: shop.uid },
    });
    await w.close({ ...issue, project_id: shop.id });
    const { met } = await waited;
    expect(met).toMatchObject([{ uid: issue.uid, reason: "closed" }]);
    expect(met[0]?.shown.issue.project_id).toBe(shop.id);
  });

  test("goes on after another issue is purged, although the purge resets the event stream", async () => {
    const w = await world();
    const [issue, other] = [await w.issue("one"), await w.issue("other")];
    const { waited } = await w.wait([issue.uid]);
    await w.stop();
    await w.start();
    await w.close(issue);
    await w.purge(other);
    expect(await waited).toMatchObject({ satisfied: true });
    const second = await w.issue("two");
    const { waited: later } = await w.wait([second.uid]);
    await w.purge(await w.issue("three"));
    await w.close(second);
    expect(await later).toMatchObject({ satisfied: true });
  });

  test("ends once an issue is purged or its project is removed", async () => {
    const w = await world();
    const shop = await w.project("shop");
    const [one, there] = [await w.issue("one"), await w.issue("there", shop.id)];
    const purged = await w.wait([one.uid, there.uid]);
    const hidden = await w.wait([there.uid]);
    await w.purge(one);
    expect(await purged.waited).toMatchObject({
      satisfied: false,
      abandoned: [{ uid: one.uid, reason: "gone" }],
      pending: [there.uid],
    });
    await call(w.client, removeProject, {
      params: { project_id: shop.id },
      query: { actor, force: true },
    });
    expect(await hidden.waited).toMatchObject({ abandoned: [{ uid: there.uid, reason: "gone" }] });
  });

  test("a wait for any of several issues goes on when all but one are gone, and ends when all are", async () => {
    const w = await world();
    const [one, two, three] = [await w.issue("1"), await w.issue("2"), await w.issue("3")];
    const some = await w.wait([one.uid, two.uid], { any: true });
    const none = await w.wait([one.uid, three.uid], { any: true });
    await w.purge(one);
    await w.close(two);
    expect(await some.waited).toMatchObject({ satisfied: true, met: [{ uid: two.uid }] });
    await w.purge(three);
    expect(await none.waited).toMatchObject({ satisfied: false, met: [], pending: [] });
  });

  test("a wait for an issue to become ready notices that a blocker of its parent is closed in another project", async () => {
    const w = await world();
    const shop = await w.project("shop");
    const [parent, child] = [await w.issue("parent"), await w.issue("child")];
    const blocker = await w.issue("blocker", shop.id);
    const link = async (from: typeof child, type: "parent" | "blocks", to: typeof child) =>
      await call(w.client, createLink, {
        params: w.pathOf(from),
        body: { actor, type, to_ref: to.uid },
      });
    await link(child, "parent", parent);
    await link(blocker, "blocks", parent);
    let looks = 0;
    const { waited } = await w.wait([child.uid], {
      ready: true,
      met: ({ ready }) => {
        looks++;
        return ready ? "ready" : undefined;
      },
    });
    // The label concerns no issue that stands in the way, so nothing is checked again.
    await w.label(await w.issue("unrelated"), "x");
    await w.close(blocker);
    expect(await waited).toMatchObject({ met: [{ uid: child.uid, reason: "ready" }] });
    expect(looks).toBe(2);
  });

  test("a wait for an issue to become ready ends at the issue's scheduled time", async () => {
    const w = await world();
    const issue = await w.issue("one");
    const scheduled_on = msToInstant(systemClock.nowMs() + 500);
    await call(w.client, patchIssueMetadata, {
      params: w.pathOf(issue),
      body: { actor, patch: { scheduled_on } },
    });
    const met: WaitIssuesOptions["met"] = ({ ready }) => (ready ? "ready" : undefined);
    const { waited } = await w.wait([issue.uid], { ready: true, met });
    expect(await waited).toMatchObject({ satisfied: true });
  });
});
