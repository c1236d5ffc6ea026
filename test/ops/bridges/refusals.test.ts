import { expect, test } from "vitest";
import { ConnectorFault } from "../../../src/ops/bridges/far-side.ts";
import { givenBridge } from "../../support/bridges.ts";
import { describeStore } from "../../support/store.ts";
import { type Bridged, bridgedWorld, codeOf } from "./bridged.ts";

type Ask = (b: Bridged) => Promise<unknown>;

const OF_ISSUES: readonly Ask[] = [
  async (b) => b.show(),
  async (b) => b.run(),
  async (b) => b.pause(),
  async (b) => b.resume(),
  async (b) => b.unbind(),
  async (b) => b.resolveComment("skip"),
  async (b) => b.resolveField("local"),
];

const OF_CONNECTORS: Readonly<Record<string, Ask>> = {
  "run by key": async (b) => b.runByKey("r"),
  "bind with an unknown connector": async (b) => b.bind({ connector: "other" }),
  "list fields of an unknown connector": async (b) => b.fields("other"),
  "map a field of an unknown connector": async (b) => b.map("deadline_on", "due", "other"),
  "unmap a field of an unknown connector": async (b) => b.unmap("deadline_on", "other"),
};

/** What a run that is under way refuses, and with which code. */
const RUNNING: Readonly<Record<string, readonly [Ask, string]>> = {
  run: [async (b) => b.run(), "external_root_claim_lost"],
  "run by key": [async (b) => b.runByKey("r"), "external_root_claim_lost"],
  "resolve a field": [async (b) => b.resolveField("local"), "external_root_claim_lost"],
  pause: [async (b) => b.pause(), "external_root_conflict"],
  unbind: [async (b) => b.unbind(), "external_root_conflict"],
  "resolve a comment": [async (b) => b.resolveComment("retry"), "external_root_conflict"],
  "map a field": [async (b) => b.map("deadline_on", "due"), "external_root_conflict"],
};

/** The requests that ask the connector, each of which ends in the fault of the connector. */
const CALLING: Readonly<Record<string, Ask>> = {
  run: async (b) => b.run(),
  "run by key": async (b) => b.runByKey("r"),
  "list fields": async (b) => b.fields(),
  "map a field": async (b) => b.map("scheduled_on", "start"),
  "resolve a field": async (b) => b.resolveField("local"),
  "adopt a comment": async (b) => b.resolveComment("adopt", "c1"),
};

/** A bound issue with a field in conflict and a comment whose answer was lost. */
async function troubled(open: Parameters<typeof bridgedWorld>[0]): Promise<Bridged> {
  const b = await bridgedWorld(open);
  await b.bind({ publish: true });
  await b.map("deadline_on", "due");
  await b.w.given.metadata(b.issue, { deadline_on: "2026-03-01" });
  b.provider.record("r").fields.set("due", { kind: "date", value: "2026-03-02" });
  await b.w.given.comment({ on: b.issue });
  b.provider.failNext("publish_comment", new ConnectorFault("timeout"));
  await codeOf(b.run());
  return b;
}

describeStore("requests about bridges", (open) => {
  test("find nothing without a bridge or a connector", async () => {
    const b = await bridgedWorld(open);
    for (const ask of OF_ISSUES) expect(await codeOf(ask(b))).toBe("bridge_not_found");
    for (const [name, ask] of Object.entries(OF_CONNECTORS))
      expect(await codeOf(ask(b)), name).toBe("bridge_not_found");
  });

  test("are unavailable in a daemon without connectors, whatever they ask, and change nothing", async () => {
    const b = await bridgedWorld(open, { hasConnectors: false });
    await givenBridge(b.w, b.issue);
    const before = await b.bridge();
    for (const ask of [...OF_ISSUES, async () => await b.bind(), ...Object.values(OF_CONNECTORS)])
      expect(await codeOf(ask(b)), String(ask)).toBe("unavailable");
    expect(await b.bridge()).toEqual(before);
  });

  test("name a project and an issue that are there", async () => {
    const b = await bridgedWorld(open);
    const { project_id } = b.issue.path;
    for (const [path, code] of [
      [{ project_id: 99, ref: b.issue.uid }, "project_not_found"],
      [{ project_id, ref: "zzzz" }, "issue_not_found"],
    ] as const) {
      b.lookAt(path);
      for (const ask of [...OF_ISSUES, async () => await b.bind()])
        expect(await codeOf(ask(b))).toBe(code);
    }
  });

  test("find an issue of an archived project if they show a bridge, end it or decide about a comment", async () => {
    const b = await troubled(open);
    await b.w.given.archived({ uid: b.issue.project_uid ?? "" });
    const paused = { enabled: false, paused_reason: "project_archived" };
    expect(await b.show()).toMatchObject(paused);
    expect(await codeOf(b.run())).toBe("project_not_found");
    expect(await b.resolveComment("skip")).toMatchObject(paused);
    expect(await b.unbind()).toMatchObject({ active: false });
    await b.folded();
  });

  test("are refused while a run works on the bridge, except those that only look", async () => {
    const b = await troubled(open);
    await b.claimed();
    for (const [name, [ask, code]] of Object.entries(RUNNING))
      expect(await codeOf(ask(b)), name).toBe(code);
    expect((await b.show()).field_conflicts).toHaveLength(1);
  });

  test("say of a connector that fails one of four texts and its code, and nothing of its own", async () => {
    const b = await troubled(open);
    for (const [name, ask] of Object.entries(CALLING)) {
      const fault = new ConnectorFault("request", { code: "busy", detail: "the secret detail" });
      b.provider.failNext("describe", fault);
      const refusal = await ask(b).then(
        () => "",
        (error: unknown) => String(error),
      );
      expect(refusal, name).toBe("Error: connector_error: external connector request failed: busy");
    }
    await b.pause();
    b.provider.failNext("read_root", new ConnectorFault("process"));
    expect(await codeOf(b.resume())).toBe("connector_error");
    expect((await b.show()).enabled).toBe(false);
  });

  test("that need the same account are refused with another one", async () => {
    const b = await troubled(open);
    b.provider.account = "account-4712";
    expect(await codeOf(b.resolveField("local"))).toBe("external_root_conflict");
    expect(await codeOf(b.resolveComment("adopt", "c1"))).toBe("external_root_conflict");
    b.provider.capabilities = [];
    expect(await codeOf(b.fields())).toBe("external_root_conflict");
  });

  test("of a bind whose first run loses its claim say so, and the bridge stays", async () => {
    const b = await bridgedWorld(open);
    b.provider.during("describe", () => {
      b.provider.during("describe", async () => await b.claimed());
    });
    expect(await codeOf(b.bind())).toBe("external_root_claim_lost");
    expect(await b.show()).toMatchObject({ active: true, consecutive_failures: 0 });
  });
});
