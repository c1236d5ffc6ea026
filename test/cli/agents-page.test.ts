import { expect, test } from "vitest";
import { AGENTS_BLOCK } from "../../src/cli/guide.ts";
import { projectWorld } from "./harness.ts";

/** The command of the page that begins so, as words; `given` replaces what stands in angle brackets. */
function told(start: string, given: Readonly<Record<string, string>> = {}): readonly string[] {
  const line = [...AGENTS_BLOCK.matchAll(/`svc ([^`]+)`/g)]
    .map(([, text = ""]) => text)
    .find((text) => text.startsWith(start));
  if (line === undefined) throw new Error(`the page does not tell svc ${start}`);
  return (line.match(/"[^"]*"|\S+/g) ?? []).map((word) =>
    word.replaceAll('"', "").replace(/<([^>]+)>/g, (all, name: string) => given[name] ?? all),
  );
}

const NOW_HOLDS = {
  "what now holds, 40 characters or more": "The parser keeps the last line ".repeat(2),
};

test("three agents who follow the page share the work, resume it, hand it over and finish it", async () => {
  const w = await projectWorld();
  const made = [];
  for (const title of ["crash on an empty file", "slow start", "wrong date", "typo in help"])
    made.push(await w.issue(title));
  expect(AGENTS_BLOCK).toContain("`export SVC_AUTHOR=<name>`");
  const as = (name: string) => {
    const env = { SVC_AUTHOR: name };
    return async (start: string, given: Readonly<Record<string, string>> = {}) =>
      await w.ok(told(start, { name, ...given }), { env });
  };
  const agents = ["red-1", "blue-2", "green-3"].map((name) => ({ name, says: as(name) }));
  const taken: string[] = [];
  for (const { name, says } of agents) {
    expect(await says("whoami")).toContain(name);
    expect(await says("list --owner")).toBe("OK list count=0\n");
    expect(await says("inbox --agent")).toContain("count=0");
    const ref = /issue=(\w+)/.exec(await says("next --claim"))?.[1] ?? "";
    expect(await says("show", { ref })).toContain(`Owner: ${name}\n`);
    await says("comment", { ref });
    taken.push(ref);
    // After a restart, the agent finds what it had begun, and nothing of the others.
    expect(await says("list --owner")).toMatch(new RegExp(`^OK list count=1\n- issue=${ref} `));
  }
  expect(new Set(taken).size).toBe(3);
  const [red, blue, green] = agents;
  const [ofRed = "", ofBlue = "", ofGreen = ""] = taken;
  // A problem that is there already is found, and another one is filed.
  expect(await red?.says("search", { words: "slow start" })).toContain(`issue=${made[1]}`);
  await red?.says("create", { title: "the log grows without end" });
  await red?.says("close", { ref: ofRed, sha: "1f2e3d4", ...NOW_HOLDS });
  await blue?.says("assign", { ref: ofBlue, other: "green-3" });
  await blue?.says("notify <ref> --to <other>", { ref: ofBlue, other: "green-3" });
  expect(await green?.says("inbox --agent")).toContain("count=1");
  await green?.says("notify <ref> --to <name>", { ref: ofBlue });
  expect(await green?.says("list --owner")).toContain(`issue=${ofBlue}`);
  await green?.says("unassign", { ref: ofGreen });
  const left = [];
  for (;;) {
    const ref = /issue=(\w+)/.exec((await blue?.says("next --claim")) ?? "")?.[1];
    if (ref === undefined) break;
    left.push(ref);
  }
  // What was given back, what nobody had taken, and what was filed; never what green or red has.
  expect(left).toHaveLength(3);
  expect(left).toContain(ofGreen);
  expect(left).not.toContain(ofBlue);
  expect(left).not.toContain(ofRed);
});

test("an agent that forgot its name takes nothing from the others, and can see who it is", async () => {
  const w = await projectWorld();
  const mine = await w.issue("of red", "--priority", "0");
  const free = await w.issue("free");
  await w.ok(["claim", mine], { env: { SVC_AUTHOR: "red-1" } });
  expect(await w.ok(told("whoami"))).toContain("ann");
  expect(await w.ok(told("next --claim"))).toContain(`issue=${free} owner=ann`);
  expect(await w.ok(told("next --claim"))).toBe("OK take found=false\n");
  expect(await w.ok(told("list --owner", { name: "red-1" }))).toContain(`issue=${mine} `);
});
