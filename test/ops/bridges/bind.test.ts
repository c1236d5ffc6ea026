import { expect, test } from "vitest";
import { closeIssue } from "../../../src/contract/actions.ts";
import { bindExternalRoot } from "../../../src/contract/bridges.ts";
import { createComment } from "../../../src/contract/comments.ts";
import { restoreProject } from "../../../src/contract/project-actions.ts";
import { ConnectorFault } from "../../../src/ops/bridges/far-side.ts";
import { FakeClock } from "../../support/clock.ts";
import { makeHub } from "../../support/federated.ts";
import { describeStore } from "../../support/store.ts";
import { syncWorld } from "../issue-sync/synced.ts";
import { bridgedWorld, codeOf } from "./bridged.ts";
import { Provider } from "./provider.ts";

describeStore("a bind", (open) => {
  test("gives the issue the words of the root and keeps all else, and the event of the bind comes first", async () => {
    const b = await bridgedWorld(open);
    const bridge = await b.bind();
    expect(bridge).toMatchObject({
      ...{ connector_instance: "files", active: true, enabled: true, publish_comments: false },
      ...{ receive_comments: true, complete_external: true, last_external_state: "open" },
      ...{ consecutive_failures: 0, field_conflicts: [], last_success_at: b.clock.now() },
    });
    expect(JSON.stringify(bridge)).not.toMatch(/account|"r"/);
    expect(await b.shown()).toMatchObject({ title: "Ship it", body: "All of it." });
    const labels = await b.store.read(async (reader) => await reader.labels.of(b.issue.uid));
    expect(labels.map(({ label }) => label)).toEqual(["mine"]);
    const kinds = (await b.eventKinds()).slice(-2);
    expect(kinds).toEqual(["issue.external_root_bound", "issue.updated"]);
    const [event] = (await b.events()).slice(-1);
    expect(event).toMatchObject({
      actor: "connector:files",
      payload: { source: { connector_instance: "files", external_revision: "1" } },
    });
    expect(b.provider.calls).not.toContain("complete_root");
    await b.folded();
  });

  test("stores nothing if a call before it fails", async () => {
    const b = await bridgedWorld(open);
    const before = (await b.events()).length;
    for (const method of ["describe", "resolve_root", "list_comments"]) {
      b.provider.failNext(method, new ConnectorFault("timeout"));
      expect(await codeOf(b.bind())).toBe("connector_error");
    }
    expect((await b.events()).length).toBe(before);
    expect(await codeOf(b.run())).toBe("bridge_not_found");
  });

  test.each([
    ["only spaces", " \n"],
    ["a zero width space", "\u200b"],
    ["an empty Braille cell", "\u2800"],
    ["NUL", "a\0b"],
  ])("is refused, and stores nothing, if a live comment has %s", async (_, body) => {
    const b = await bridgedWorld(open);
    b.provider.comment("r", "c1", body);
    expect(await codeOf(b.bind())).toBe("connector_error");
    expect(await codeOf(b.show())).toBe("bridge_not_found");
    b.provider.editComment("r", "c1", { deleted: true });
    await b.bind();
  });

  test("answers the error of the first reconcile, and the bridge stays and waits", async () => {
    const b = await bridgedWorld(open);
    b.provider.failNext("read_root", new ConnectorFault("request", { code: "busy" }));
    expect(await codeOf(b.bind())).toBe("connector_error");
    const failed = await b.bridge();
    expect(failed).toMatchObject({
      ...{ consecutive_failures: 1, claim_token: null, active: 1, enabled: 1 },
      last_error: "external connector request failed: busy",
    });
    await b.run();
    expect(await b.bridge()).toMatchObject({ consecutive_failures: 0, last_error: null });
    expect(await b.shown()).toMatchObject({ title: "Ship it" });
  });

  test("is refused for an issue or a root that has a bridge, and for a root that ever had one of another issue", async () => {
    const b = await bridgedWorld(open);
    b.provider.add("s");
    const other = await b.given.issue({ title: "another" });
    await b.bind();
    expect(await codeOf(b.bind({ external: "s" }))).toBe("external_root_conflict");
    expect(await codeOf(b.bind({}, other))).toBe("external_root_conflict");
    const ended = await b.unbind();
    expect(ended).toMatchObject({ active: false, enabled: false });
    expect(await codeOf(b.bind({}, other))).toBe("external_root_conflict");
    await b.bind();
    await b.folded();
  });

  test("stores the longest keys, ids and revisions that a connector may give", async () => {
    const b = await bridgedWorld(open);
    // Texts that PostgreSQL cannot compress into a row of an index.
    const longest = (seed: number) =>
      Array.from({ length: 512 }, (_, at) =>
        String.fromCodePoint(0x20000 + ((at * 7919 + seed) % 40_000)),
      ).join("");
    const [key, id, revision] = [longest(1), longest(2), longest(3)];
    b.provider.add(key);
    b.provider.comment(key, id, "hello");
    await b.bind({ external: key });
    b.clock.advance(1000);
    b.provider.editComment(key, id, { body: "edited", revision });
    expect(await b.run()).toMatchObject({ comments_created: 1 });
    await b.folded();
  });

  test("of one root to two issues at once succeeds for one of them", async () => {
    const b = await bridgedWorld(open);
    const other = await b.given.issue({ title: "another" });
    const results = await Promise.allSettled([b.bind(), b.bind({}, other)]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const [refusal] = results.filter((result) => result.status === "rejected");
    expect(refusal?.reason).toMatchObject({ code: "external_root_conflict" });
  });

  test("is refused for another account than the instance had, and for a root of another account", async () => {
    const b = await bridgedWorld(open);
    b.provider.add("s");
    const other = await b.given.issue({ title: "another" });
    await b.bind();
    b.provider.account = "account-4712";
    expect(await codeOf(b.bind({ external: "s" }, other))).toBe("validation");
  });

  test("is refused in a copy that only reads, before anything is stored", async () => {
    const b = await bridgedWorld(open);
    await makeHub(
      b.w,
      { uid: b.issue.project_uid ?? "" },
      { role: "spoke", hub_url: "https://hub.example" },
    );
    const before = (await b.events()).length;
    expect(await codeOf(b.bind())).toBe("federated_read_only");
    expect((await b.events()).length).toBe(before);
    expect(await codeOf(b.show())).toBe("bridge_not_found");
  });

  test("is refused for an issue that issue sync owns, and stores nothing", async () => {
    const clock = new FakeClock();
    const provider = new Provider(clock);
    provider.add("r");
    const { w, host, project, enable, once, list } = await syncWorld(open, {
      roots: provider,
      clock,
    });
    host.put(1);
    await enable();
    await once();
    const [synced] = await list();
    const own = await w.given.issue({ project });
    const bind = (ref: string) => ({
      params: { project_id: project.id, ref },
      body: { connector: "files", external: "r" },
    });
    const before = (await w.events()).length;
    expect(await w.refused(bindExternalRoot, bind(synced?.uid ?? ""))).toMatchObject({
      code: "external_root_conflict",
    });
    expect((await w.events()).length).toBe(before);
    await w.call(bindExternalRoot, bind(own.uid));
  });

  test("that publishes is refused if the connector cannot, and one that does not is not", async () => {
    const b = await bridgedWorld(open);
    b.provider.capabilities = [];
    expect(await codeOf(b.bind({ publish: true }))).toBe("external_root_conflict");
    await b.bind();
  });

  test("of the same root again repeats no comment, and knows which ones it had", async () => {
    const b = await bridgedWorld(open);
    b.provider.comment("r", "c1", "before the bind");
    await b.bind();
    b.provider.comment("r", "c2", "after the bind");
    expect(await b.run()).toMatchObject({ comments_created: 1 });
    await b.unbind();
    await b.bind();
    b.clock.advance(1000);
    b.provider.editComment("r", "c2", { body: "edited" });
    expect(await b.run()).toMatchObject({ comments_created: 0, comments_edited: 1 });
    expect(await b.comments()).toEqual(["connector:files: edited"]);
    await b.folded();
  });
});

describeStore("a second bind of the same two", (open) => {
  test("takes over what was known of comments that the provider does not list now", async () => {
    const b = await bridgedWorld(open);
    const first = await b.bind();
    b.provider.comment("r", "c1", "hidden for a while");
    await b.run();
    await b.unbind();
    const record = b.provider.record("r");
    const hidden = record.comments;
    record.comments = [];
    const second = await b.bind();
    record.comments = hidden;
    expect(await b.run()).toMatchObject({ comments_created: 0 });
    expect(await b.comments()).toEqual(["connector:files: hidden for a while"]);
    const known = async (uid: string) =>
      await b.store.read(async ({ bridges }) => await bridges.comments(uid));
    expect(await known(first.uid)).toEqual([]);
    expect((await known(second.uid)).map(({ side, state }) => [side, state])).toEqual([
      ["external", "imported"],
      ["local", "imported"],
    ]);
    await b.folded();
  });
});

describeStore("a pause", (open) => {
  test("is refused during a run, and ends a claim that a killed run left", async () => {
    const b = await bridgedWorld(open);
    await b.bind();
    const pause = async () => await b.pause("holiday");
    let during: string | undefined;
    b.provider.during("read_root", async () => {
      during = await codeOf(pause());
    });
    await b.run();
    expect(during).toBe("external_root_conflict");
    await b.claimed();
    expect(await codeOf(pause())).toBe("external_root_conflict");
    b.clock.advance(5 * 60_000);
    expect(await pause()).toMatchObject({ enabled: false, paused_reason: "holiday" });
    expect(await codeOf(b.run())).toBe("external_root_claim_lost");
    expect(await b.bridge()).toMatchObject({ claim_token: null, claim_started_at: null });
    await b.folded();
  });

  test("by an archive stays after a restore, until somebody resumes the bridge", async () => {
    const b = await bridgedWorld(open);
    await b.bind();
    await b.given.archived({ uid: b.issue.project_uid ?? "" });
    const params = { project_id: b.issue.path.project_id };
    await b.call(restoreProject, { params });
    expect(await b.show()).toMatchObject({ enabled: false, paused_reason: "project_archived" });
    expect(await codeOf(b.run())).toBe("external_root_claim_lost");
    expect(await b.resume()).toMatchObject({ enabled: true });
    b.provider.edit("r", { title: "New" });
    expect(await b.run()).toMatchObject({ root_updated: true });
    await b.folded();
  });

  test("leaves the issue open to comments and closes", async () => {
    const b = await bridgedWorld(open);
    await b.bind();
    await b.pause();
    await b.call(createComment, { params: b.issue.path, body: { body: "still here" } });
    await b.call(closeIssue, { params: b.issue.path, body: { source: "tui" } });
    expect((await b.shown()).status).toBe("closed");
  });
});
