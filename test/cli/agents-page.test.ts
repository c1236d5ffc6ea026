import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AGENTS_BLOCK, QUICKSTART } from "../../src/cli/agent-files/guide.ts";
import { NOTHING_LEFT } from "../../src/cli/failure/failure.ts";
import { generatedExport } from "../sources/beads-file.ts";
import { projectWorld } from "./harness.ts";

/**
 * Makes a project from another tracker's file, with parents, blockers and owners. SVC_PAGE_DATA may name a real file.
 */
async function tracker() {
  const w = await projectWorld();
  const real = process.env["SVC_PAGE_DATA"];
  const from = real !== undefined && existsSync(real) ? real : generatedExport(300);
  copyFileSync(from, join(w.work, "b.jsonl"));
  const env = { SVC_HTTP_TIMEOUT: "2m" };
  await w.run(["import", "--merge", "--source-format", "beads", "--input", "b.jsonl"], { env });
  return w;
}

type World = Awaited<ReturnType<typeof tracker>>;
type Placeholders = Readonly<Record<string, string>>;

const NOW_HOLDS = {
  "what now holds, 40 characters or more": "The parser keeps the last line ".repeat(2),
};

describe.each([
  ["AGENTS.md", [...AGENTS_BLOCK.matchAll(/`svc ([^`]+)`/g)]],
  ["svc quickstart", [...QUICKSTART.matchAll(/^ {2}svc (.+?)(?: {2,}.*)?$/gm)]],
])("an agent that knows only %s", (_page, found) => {
  const lines = found.map(([, line = ""]) => line);

  /**
   * Returns the words of the page's command that begins with this text. `given` replaces the placeholders in angle
   * brackets.
   */
  function told(start: string, given: Placeholders = {}): readonly string[] {
    const line = lines.find((text) => text.startsWith(start));
    if (line === undefined) throw new Error(`the page does not tell svc ${start}`);
    const words = (line.match(/"[^"]*"|\S+/g) ?? []).map((word) =>
      word.replaceAll('"', "").replace(/<([^>]+)>/g, (all, name: string) => given[name] ?? all),
    );
    return words.includes("--agent") ? words : [...words, "--agent"];
  }

  const agentIn = (w: World) => (name: string) => ({
    name,
    says: async (start: string, given: Placeholders = {}) =>
      await w.ok(told(start, { name, ...given }), { env: { SVC_AUTHOR: name } }),
    /** Returns the ref of the next issue, or `undefined` if nothing is left to take. */
    takes: async (): Promise<string | undefined> => {
      const { out, code } = await w.run(told("next --claim", { name }), {
        env: { SVC_AUTHOR: name },
      });
      expect([0, NOTHING_LEFT]).toContain(code);
      return code === 0 ? /issue=(\w+)/.exec(out)?.[1] : undefined;
    },
  });

  test("shares its work with two other agents, resumes it, hands it over and finishes it", async () => {
    const w = await tracker();
    const owned = await w.ok(["list", "--owner", "crew/bea", "--agent"]);
    const [red, blue, green] = ["red-1", "blue-2", "green-3"].map(agentIn(w));
    if (red === undefined || blue === undefined || green === undefined) throw new Error("three");
    const taken: string[] = [];
    for (const { name, says } of [red, blue, green]) {
      expect(await says("whoami")).toContain(name);
      expect(await says("list --owner")).toBe("OK list count=0\n");
      expect(await says("inbox")).toContain("count=0");
      const ref = /issue=(\w+)/.exec(await says("next --claim"))?.[1] ?? "";
      expect(await says("show", { ref })).toContain(`Owner: ${name}\n`);
      await says("comment", { ref });
      taken.push(ref);
      // After a restart, the agent finds the issue that it had begun, and none of the others.
      expect(await says("list --owner")).toMatch(new RegExp(`^OK list count=1\n- issue=${ref} `));
    }
    expect(new Set(taken).size).toBe(3);
    const [ofRed = "", ofBlue = "", ofGreen = ""] = taken;
    // A problem that was filed already is found; a new one is filed.
    const { issue } = JSON.parse(await w.ok(["show", ofBlue, "--json"]));
    expect(await red.says("search", { words: issue.title })).toContain(`issue=${ofBlue}`);
    const filed = await red.says("create", { title: "the log grows without end", text: "why" });
    const made = /^OK create (\w+)/.exec(filed)?.[1] ?? "";
    await red.says("close", { ref: ofRed, sha: "1f2e3d4", ...NOW_HOLDS });
    expect(await w.ok(["show", ofRed, "--agent"])).toContain(
      "\nReason: done\nClosed-By: red-1\nMessage: The parser keeps",
    );
    await blue.says("assign", { ref: ofBlue, other: "green-3" });
    await blue.says("notify <ref> --to <other>", { ref: ofBlue, other: "green-3" });
    expect(await green.says("inbox")).toContain("count=1");
    await green.says("notify <ref> --to <name>", { ref: ofBlue });
    expect(await green.says("inbox")).toContain("count=0");
    expect(await green.says("list --owner")).toContain(`issue=${ofBlue}`);
    await green.says("unassign", { ref: ofGreen });
    const left: string[] = [];
    for (;;) {
      const ref = await blue.takes();
      if (ref === undefined) break;
      left.push(ref);
    }
    // The list contains what was given back and what was filed, and nothing that another agent has.
    expect(left).toContain(ofGreen);
    expect(left).toContain(made);
    expect(left).not.toContain(ofBlue);
    expect(left).not.toContain(ofRed);
    expect(new Set(left).size).toBe(left.length);
    expect(await w.ok(["list", "--owner", "crew/bea", "--agent"])).toBe(owned);
  }, 120_000);

  test("an agent that no longer gives its name takes no issue of another agent, and the issue that it claimed is still listed under its name", async () => {
    const w = await tracker();
    const red = agentIn(w)("red-1");
    const mine = /issue=(\w+)/.exec(await red.says("next --claim"))?.[1] ?? "";
    expect(await w.ok(told("whoami"))).toContain("ann");
    const took = await w.ok(told("next --claim"));
    expect(took).toContain(" owner=ann");
    expect(took).not.toContain(`issue=${mine} `);
    const { err, code } = await w.refused(["claim", mine]);
    expect({ err, code }).toEqual({ err: expect.stringContaining("red-1"), code: 5 });
    // The issue that the agent began under its own name is still found by that name.
    expect(await w.ok(told("list --owner", { name: "red-1" }))).toContain(`issue=${mine} `);
  }, 60_000);
});
