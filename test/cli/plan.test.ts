import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectWorld } from "./harness.ts";

const PLAN = {
  plan: "release",
  issues: [
    { name: "api", title: "Write the API", priority: 1 },
    { name: "docs", title: "Describe it", blocked_by: ["api"] },
  ],
};

async function planWorld() {
  const w = await projectWorld();
  const write = (plan: unknown): void =>
    writeFileSync(join(w.work, "plan.json"), JSON.stringify(plan));
  return { ...w, write };
}

describe("plan apply", () => {
  test("a plan is created once, and the answer names what can be worked on", async () => {
    const w = await planWorld();
    w.write(PLAN);
    const out = await w.ok(["plan", "apply", "plan.json"]);
    expect(out).toMatch(/^created 2 issues; ready now:\n {2}[0-9a-z]{4} {2}api +Write the API\n$/);
    expect(await w.ok(["plan", "apply", "plan.json"])).toMatch(
      /^created 0 issues, 2 were there; ready now:\n/,
    );
    const agent = await w.ok(["plan", "apply", "plan.json", "--agent"]);
    expect(agent.split("\n")).toEqual([
      "OK plan plan=release created=0 count=2 ready=1",
      expect.stringMatching(/^- name=api issue=[0-9a-z]{4} created=false ready=true$/),
      expect.stringMatching(/^- name=docs issue=[0-9a-z]{4} created=false ready=false$/),
      "",
    ]);
    expect(await w.ok(["plan", "apply", "plan.json", "-q"])).toMatch(
      /^[0-9a-z]{4}\n[0-9a-z]{4}\n$/,
    );
  });

  test("a bare list of issues from standard input gets a plan name of its own", async () => {
    const w = await planWorld();
    const stdin = JSON.stringify(PLAN.issues);
    const first = JSON.parse(await w.ok(["plan", "apply", "-", "--json"], { stdin }));
    expect(first).toMatchObject({ created: 2, plan: expect.stringMatching(/^[0-9a-f]{16}$/) });
    const other = await w.ok(["plan", "apply", "-", "--name", "two", "--json"], { stdin });
    expect(JSON.parse(other)).toMatchObject({ created: 2, plan: "two" });
  });

  test("a wrong plan is refused with all its faults", async () => {
    const w = await planWorld();
    w.write({ issues: [...PLAN.issues, { name: "api", title: "x", parent: "gone" }] });
    const { err, code } = await w.refused(["plan", "apply", "plan.json"]);
    expect(code).toBe(3);
    expect(err).toContain("  issues[2].name: api is the name of issues[0] already\n");
    expect(err).toContain("  issues[2].parent: no issue gone here\n");
    const agent = await w.refused(["plan", "apply", "plan.json", "--agent"]);
    expect(agent.err).toContain("\nError: issues[2].parent: no issue gone here\n");
    expect(await w.ok(["list", "-q"])).toBe("");
  });

  test.each([
    ["that is missing", undefined, /cannot read plan\.json: there is no such file/],
    ["that is not JSON", "{", /plan\.json is not JSON/],
    ["that holds no plan", "3", /holds no plan/],
  ])("a file %s is refused", async (_, text, message) => {
    const w = await planWorld();
    if (text !== undefined) writeFileSync(join(w.work, "plan.json"), text);
    const { err, code } = await w.refused(["plan", "apply", "plan.json"]);
    expect(code).toBe(3);
    expect(err).toMatch(message);
  });
});
