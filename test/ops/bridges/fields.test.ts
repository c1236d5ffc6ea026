import { expect, test } from "vitest";
import { instantToMs } from "../../../src/base/clock.ts";
import type { JsonObject } from "../../../src/base/json.ts";
import type { FieldValue } from "../../../src/domain/bridges/values.ts";
import { ConnectorFault } from "../../../src/ops/bridges/far-side.ts";
import { describeStore } from "../../support/store.ts";
import { type Bridged, bridgedWorld, codeOf } from "./bridged.ts";
import { DUE, day, NONE } from "./provider.ts";

/** A bound issue whose deadline is mapped, and both sides have this day. */
async function agreed(open: Parameters<typeof bridgedWorld>[0], value = "2026-03-01") {
  const b = await bridgedWorld(open);
  await b.bind();
  await b.map("deadline_on", "due");
  await b.w.given.metadata(b.issue, { deadline_on: value });
  await b.run();
  expect(there(b)).toEqual(day(value));
  return b;
}

const there = ({ provider }: Bridged) => provider.record("r").fields.get("due") ?? NONE;
const edit = ({ provider }: Bridged, value: string) =>
  provider.record("r").fields.set("due", day(value));
const here = async (b: Bridged) => (await b.shown()).metadata["deadline_on"];
const set = async (b: Bridged, patch: JsonObject) => await b.w.given.metadata(b.issue, patch);

const [A, B, C, D] = ["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"] as const;

/** The values that the one conflict of the issue shows: the one here, and the one there. */
const candidates = async (b: Bridged) =>
  (await b.show()).field_conflicts.flatMap((one) => [one.local_candidate, one.external_candidate]);

describeStore("mapped fields", (open) => {
  test("are found by id or by a name that only one has, and a mapping again changes nothing", async () => {
    const b = await bridgedWorld(open);
    expect(await codeOf(b.map("deadline_on", "other"))).toBe("external_field_not_found");
    b.provider.fields = [
      DUE,
      { ...DUE, id: "due2" },
      { ...DUE, id: "fixed", display_name: "Fixed", writable: false },
    ];
    expect(await codeOf(b.map("deadline_on", "Due"))).toBe("validation");
    expect(await codeOf(b.map("deadline_on", "fixed"))).toBe("validation");
    const mapped = await b.map("deadline_on", "due");
    expect(mapped).toMatchObject({ external_field_id: "due", active: true });
    expect(await b.map("deadline_on", "due")).toEqual(mapped);
    expect(await codeOf(b.map("scheduled_on", "due"))).toBe("validation");
    await b.map("deadline_on", "due2");
    const { fields, mappings } = await b.fields();
    expect([fields.length, mappings.map(({ external_field_id: id }) => id)]).toEqual([3, ["due2"]]);
    expect(await b.unmap("deadline_on")).toMatchObject({ active: false });
    expect(await codeOf(b.unmap("deadline_on"))).toBe("external_field_not_found");
    b.provider.capabilities = ["fields"];
    expect(await codeOf(b.map("deadline_on", "due"))).toBe("external_root_conflict");
  });

  test("show and keep their names without the account, and fail if an id has it", async () => {
    const b = await bridgedWorld(open);
    const { account } = b.provider;
    b.provider.fields = [{ ...DUE, display_name: `Due of ${account}` }];
    const mapped = await b.map("deadline_on", "due");
    expect(mapped.external_field_name).toBe("Due of [redacted]");
    expect(JSON.stringify(await b.fields())).not.toContain(account);
    expect(await b.map("deadline_on", "due")).toEqual(mapped);
    for (const of of [{ id: `due-${account}` }, { schema_revision: `1-${account}` }]) {
      b.provider.fields = [{ ...DUE, ...of }];
      expect(await codeOf(b.fields())).toBe("connector_error");
    }
    // An account of three letters is a word that ids may have.
    b.provider.account = "due";
    b.provider.fields = [DUE];
    expect((await b.fields()).fields).toMatchObject([{ id: "due", display_name: "Due" }]);
  });

  test("follow the side that changed, also to nothing", async () => {
    const b = await agreed(open);
    edit(b, B);
    await b.run();
    expect(await here(b)).toBe(B);
    await set(b, { deadline_on: null });
    await b.run();
    expect(there(b)).toEqual(NONE);
    const before = (await b.events()).length;
    await b.run();
    expect((await b.events()).length).toBe(before);
    await b.folded();
  });

  test("are in conflict if both sides changed: neither is written, and one event says so", async () => {
    const b = await agreed(open);
    edit(b, B);
    await set(b, { deadline_on: C });
    b.provider.calls = [];
    for (let run = 0; run < 2; run++) {
      expect(await b.run()).toMatchObject({ field_conflicts: 1 });
      expect([await here(b), there(b)]).toEqual([C, day(B)]);
    }
    expect(b.provider.calls).not.toContain("write_fields");
    expect((await b.run()).bridge.field_conflicts).toMatchObject([
      { field: "deadline_on", local_candidate: day(C), external_candidate: day(B) },
    ]);
    const conflicted = (await b.events()).filter(({ type }) => type.includes("field_conflicted"));
    expect(conflicted).toHaveLength(1);
    expect(JSON.stringify(conflicted)).not.toContain(B);
    await b.folded();
  });

  test("are in conflict if the field itself changed or is gone", async () => {
    const b = await agreed(open);
    b.provider.fields = [{ ...DUE, schema_revision: "2" }];
    edit(b, B);
    expect(await b.run()).toMatchObject({ field_conflicts: 1 });
    expect(await here(b)).toBe(A);
    expect(await codeOf(b.resolveField("external"))).toBe("external_field_conflict");
    b.provider.fields = [];
    expect(await b.run()).toMatchObject({ field_conflicts: 1 });
    expect(await b.unmap("deadline_on")).toMatchObject({ active: false });
    expect((await b.run()).bridge.field_conflicts).toEqual([]);
  });

  test("are in conflict if the root has another value when it is written", async () => {
    const b = await agreed(open);
    await set(b, { deadline_on: C });
    b.provider.during("read_fields", () => void edit(b, B));
    expect(await b.run()).toMatchObject({ field_conflicts: 1 });
    expect([await here(b), there(b)]).toEqual([C, day(B)]);
    expect(await candidates(b)).toEqual([day(C), day(B)]);
    expect((await b.resolveField("external")).field_conflicts).toEqual([]);
    expect(await here(b)).toBe(B);
  });

  test("agree if somebody gave the root the same value while it was written", async () => {
    const b = await agreed(open);
    await set(b, { deadline_on: C });
    b.provider.during("read_fields", () => void edit(b, C));
    expect(await b.run()).toMatchObject({ field_conflicts: 0 });
  });

  test("show the value that the issue has by then if the write is refused", async () => {
    const b = await agreed(open);
    await set(b, { deadline_on: C });
    b.provider.failNext(
      "write_fields",
      new ConnectorFault("request", { code: "field_conflict" }),
      true,
    );
    b.provider.during("write_fields", async () => {
      edit(b, B);
      await set(b, { deadline_on: D });
    });
    expect(await b.run()).toMatchObject({ field_conflicts: 1 });
    expect(await candidates(b)).toEqual([day(D), day(B)]);
  });

  test.each(["list_fields", "read_fields", "write_fields"])(
    "that are unmapped during %s of a run are left alone",
    async (method) => {
      const b = await agreed(open);
      await b.map("scheduled_on", "start");
      await set(b, { deadline_on: C, scheduled_on: A });
      b.provider.calls = [];
      b.provider.during(method, async () => {
        edit(b, B);
        await b.unmap("deadline_on");
        await b.unmap("scheduled_on");
      });
      expect(await b.run()).toMatchObject({ field_conflicts: 0 });
      expect([await here(b), there(b)]).toEqual([C, day(B)]);
      expect(b.provider.record("r").fields.get("start")).toBeUndefined();
      const writes = b.provider.calls.filter((call) => call === "write_fields");
      expect(writes).toHaveLength(method === "write_fields" ? 1 : 0);
      expect(await b.eventKinds()).not.toContain("issue.external_field_conflicted");
      await b.folded();
    },
  );

  test("stop the run if the connector has no fields any more, after what came in", async () => {
    const b = await agreed(open);
    b.provider.capabilities = [];
    b.provider.edit("r", { title: "New" });
    expect(await codeOf(b.run())).toBe("connector_error");
    expect((await b.shown()).title).toBe("New");
  });

  test("are written once after the answer was lost", async () => {
    const b = await agreed(open);
    await set(b, { deadline_on: B });
    b.provider.failNext("write_fields", new ConnectorFault("timeout"), true);
    expect(await codeOf(b.run())).toBe("connector_error");
    expect(await b.run()).toMatchObject({ field_conflicts: 0 });
    expect(await b.run()).toMatchObject({ field_conflicts: 0 });
    expect([await here(b), there(b)]).toEqual([B, day(B)]);
  });

  test.each([
    ["changed back", A, day(A)],
    ["cleared", null, NONE],
  ])("that were %s here after the answer was lost are so there too", async (_, to, outcome) => {
    const b = await agreed(open);
    if (to === null) {
      await set(b, { deadline_on: null });
      await b.run();
    }
    await set(b, { deadline_on: B });
    b.provider.failNext("write_fields", new ConnectorFault("timeout"), true);
    expect(await codeOf(b.run())).toBe("connector_error");
    await set(b, { deadline_on: to });
    expect(await b.run()).toMatchObject({ field_conflicts: 0 });
    expect(await here(b)).toBe(to ?? undefined);
    expect(there(b)).toEqual(outcome);
    await b.folded();
  });

  test("keep a change that was made here while the field was written", async () => {
    const b = await agreed(open);
    await set(b, { deadline_on: B });
    b.provider.during("write_fields", async () => await set(b, { deadline_on: C }));
    await b.run();
    await b.run();
    expect([await here(b), there(b)]).toEqual([C, day(C)]);
  });

  test("that are times bring their zone, unless the other date is a time in another zone", async () => {
    const b = await agreed(open);
    const berlin: FieldValue = {
      ...{ kind: "local_datetime", value: "2026-03-01T09:00:00", timezone: "Europe/Berlin" },
    };
    b.provider.record("r").fields.set("due", berlin);
    await b.run();
    expect((await b.shown()).metadata).toMatchObject({
      ...{ deadline_on: "2026-03-01T09:00:00", timezone: "Europe/Berlin" },
    });
    await set(b, { scheduled_on: "2026-03-01T08:00" });
    b.provider
      .record("r")
      .fields.set("due", { ...berlin, timezone: "Europe/Lisbon" } as FieldValue);
    expect(await b.run()).toMatchObject({ field_conflicts: 1 });
    expect((await b.shown()).metadata).toMatchObject({ timezone: "Europe/Berlin" });
    expect(await codeOf(b.resolveField("external"))).toBe("external_field_conflict");
    await set(b, { scheduled_on: "2026-03-01" });
    expect((await b.resolveField("external")).field_conflicts).toEqual([]);
    expect((await b.shown()).metadata).toMatchObject({ timezone: "Europe/Lisbon" });
  });
});

describeStore("a conflict of a field", (open) => {
  async function conflicted() {
    const b = await agreed(open);
    edit(b, B);
    await set(b, { deadline_on: C });
    await b.run();
    return b;
  }

  test("ends with the value of the issue, which is written and read back", async () => {
    const b = await conflicted();
    b.provider.calls = [];
    expect((await b.resolveField("local")).field_conflicts).toEqual([]);
    expect(b.provider.calls.slice(-2)).toEqual(["write_fields", "read_fields"]);
    expect([await here(b), there(b)]).toEqual([C, day(C)]);
    expect((await b.events()).at(-1)).toMatchObject({
      ...{ type: "issue.external_field_resolved", actor: "ann" },
      payload: { svc_field: "deadline_on", action: "resolved" },
    });
    expect(await b.run()).toMatchObject({ field_conflicts: 0 });
    expect(await codeOf(b.resolveField("local"))).toBe("external_field_conflict");
    await b.folded();
  });

  test("ends with the value of the root, which the issue gets", async () => {
    const b = await conflicted();
    expect((await b.resolveField("external")).field_conflicts).toEqual([]);
    expect([await here(b), there(b)]).toEqual([B, day(B)]);
    await b.folded();
  });

  test("is told again by the run that finds another value, with its time", async () => {
    const b = await conflicted();
    const before = await b.eventKinds();
    const [first] = (await b.show()).field_conflicts;
    b.clock.advance(60_000);
    for (const value of [D, D]) {
      edit(b, value);
      await b.run();
    }
    const told = [...before, "issue.external_field_conflicted"];
    expect(await b.eventKinds()).toEqual(told);
    const [second] = (await b.show()).field_conflicts;
    expect(await candidates(b)).toEqual([day(C), day(D)]);
    expect(instantToMs(second?.conflict_at ?? "") - instantToMs(first?.conflict_at ?? "")).toBe(
      60_000,
    );
    await set(b, { deadline_on: "2026-03-05" });
    await b.run();
    expect(await b.eventKinds()).toEqual([
      ...told,
      "issue.metadata_updated",
      "issue.external_field_conflicted",
    ]);
    await b.folded();
  });

  test("is not resolved if a value changed since it was shown", async () => {
    const b = await conflicted();
    edit(b, D);
    const before = await b.eventKinds();
    expect(await codeOf(b.resolveField("external"))).toBe("external_field_conflict");
    expect(await candidates(b)).toEqual([day(C), day(D)]);
    expect(await b.eventKinds()).toEqual([...before, "issue.external_field_conflicted"]);
    edit(b, B);
    await set(b, { deadline_on: "2026-03-05" });
    expect(await codeOf(b.resolveField("local"))).toBe("external_field_conflict");
    expect([await here(b), there(b)]).toEqual(["2026-03-05", day(B)]);
    expect(await candidates(b)).toEqual([day("2026-03-05"), day(B)]);
    // Now the conflict shows what is there, so it can be decided.
    expect((await b.resolveField("local")).field_conflicts).toEqual([]);
    expect(there(b)).toEqual(day("2026-03-05"));
    await b.folded();
  });

  test("shows what the root has if that changed while the value of the issue was written", async () => {
    const b = await conflicted();
    b.provider.during("read_fields", () => void edit(b, D));
    expect(await codeOf(b.resolveField("local"))).toBe("external_field_conflict");
    expect(await candidates(b)).toEqual([day(C), day(D)]);
    expect((await b.resolveField("external")).field_conflicts).toEqual([]);
    expect(await here(b)).toBe(D);
  });

  test.each(["local", "external"] as const)(
    "is not resolved by the %s value if the date is unmapped meanwhile",
    async (use) => {
      const b = await conflicted();
      const method = use === "local" ? "write_fields" : "read_fields";
      b.provider.during(method, async () => void (await b.unmap("deadline_on")));
      expect(await codeOf(b.resolveField(use))).toBe("external_field_conflict");
      expect(await here(b)).toBe(C);
      expect(await b.eventKinds()).not.toContain("issue.external_field_resolved");
    },
  );

  test("ends by itself when both sides have the same value", async () => {
    const b = await conflicted();
    await set(b, { deadline_on: B });
    expect(await b.run()).toMatchObject({ field_conflicts: 0 });
    expect((await b.events()).at(-1)?.type).toBe("issue.external_field_resolved");
  });
});
