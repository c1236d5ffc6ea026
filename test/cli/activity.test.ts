import { describe, expect, test } from "vitest";
import { describeEvent } from "../../src/shared/event-text.ts";
import { projectWorld } from "./harness.ts";

const MESSAGE = "The parser now keeps the last line of a file without a newline.";
const SINCE = "2025-12-31T00:00:00Z";

describe("log", () => {
  test("shows an issue's history, one line for each change", async () => {
    const w = await projectWorld();
    const parent = await w.issue("parent");
    const issue = await w.issue("story", "--label", "bug", "--priority", "1", "--parent", parent);
    await w.ok(["edit", issue, "--title", "the story", "--owner", "bea", "-q"]);
    await w.ok(["edit", issue, "--blocked-by", parent, "-q"]);
    await w.ok(["comment", issue, "-m", "two\nlines", "--as", "bea"]);
    await w.ok(["close", issue, "--done", "--commit", "1f2e3d4", "-m", MESSAGE, "-q"]);
    await w.ok(["reopen", issue]);
    const out = w.named(await w.ok(["log", issue]));
    expect(out.replaceAll("2026-01-01 00:00Z  ", "")).toBe(`\
ann  created it: story, P1, labels bug, 1 link
ann  renamed it from "story" to "the story", gave it to bea
ann  +blocked_by <parent>
bea  commented: two\\nlines
ann  closed it (done): ${MESSAGE}, evidence commit:1f2e3d4
ann  reopened it
`);
    const agent = await w.ok(["log", issue, "--agent"]);
    expect(agent).toMatch(
      /^OK log count=6 next=\d+\n- id=\d+ type=issue.created actor=ann at=2026-01-01T/,
    );
    const json = JSON.parse(await w.ok(["log", issue, "--json"]));
    expect(json.events).toHaveLength(6);
    expect(await w.ok(["log", issue, "-q", "--limit", "1"])).toBe(`${issue}\n`);
    const cut = await w.run(["log", issue, "--limit", "2"]);
    expect(cut.err).toMatch(
      /^\.\.\. showing 2 \(raise --limit to see more, --after \d+ goes on\)\n$/,
    );
    const after = /--after (\d+)/.exec(cut.err)?.[1] ?? "";
    expect((await w.ok(["log", issue, "--after", after])).split("\n")).toHaveLength(5);
  });

  test.each([
    ["issue.unassigned", { owner: null }, "took it from its owner"],
    ["issue.priority_set", { priority: 0, old_priority: 2 }, "set the priority to P0 from P2"],
    ["issue.priority_set", { priority: 0 }, "set the priority to P0"],
    ["issue.unlabeled", { label: "bug" }, "-label bug"],
    ["issue.unlinked", { type: "blocks", from_short_id: "a", to_short_id: "b" }, "-blocks a → b"],
    [
      "issue.links_changed",
      { parent_set: "a", related_removed: ["b", "c"] },
      "+parent a, -related b, -related c",
    ],
    ["issue.metadata_updated", { diff: { a: { to: 1 }, b: { from: 2, to: null } } }, "a = 1, -b"],
    ["issue.moved", { from_short_id: "a", to_short_id: "a" }, "moved it here from another project"],
    ["claim.acquired", { holder: "bea", fence: 3 }, "leased to bea, fence 3"],
    ["close.throttled", { reason: "sibling-burst" }, "a close was refused: sibling-burst"],
    ["issue.closed", { reason: 5 }, "closed it (5)"],
    ["issue.updated", {}, "changed nothing"],
    ["issue.of_the_future", {}, "issue.of_the_future"],
    ["toString", {}, "toString"],
  ])("describes the event $0 with the words: $2", (type, payload, expected) => {
    expect(describeEvent({ type, payload })).toBe(expected);
  });
});

describe("digest", () => {
  test("names each actor with what they did to which issue", async () => {
    const w = await projectWorld();
    const issue = await w.issue("one", "--label", "bug");
    await w.ok(["comment", issue, "-m", "x", "--as", "bea"]);
    w.clock.advance(1000);
    const words = ["digest", "--since", SINCE, "--until", "2026-01-02T00:00:00Z"];
    expect(w.named(await w.ok(words))).toBe(`\
3 events from 2025-12-31 00:00Z to 2026-01-02 00:00Z
ann: 1 created, 1 labeled, 1 other
  <one>  created, labeled
bea: 1 commented
  <one>  commented
`);
    expect(await w.ok([...words, "--agent", "--actor", "bea", "--all-projects"])).toBe(`\
OK digest events=1
- actor actor=bea commented=1
- issue actor=bea issue=web#${issue} actions=commented
`);
    expect(JSON.parse(await w.ok([...words, "--json"])).event_count).toBe(3);
    const quiet = ["digest", "--since", "2025-01-01T00:00:00Z", "--until", SINCE];
    expect(await w.ok([...quiet, "-q"])).toBe("");
  });

  test.each([
    [["digest"], 2],
    [["digest", "--since", "soon"], 3],
    [["digest", "--since", "1d", "--project-id", "0"], 3],
    [["digest", "--since", "1d", "--all", "--project", "web"], 2],
    [["digest", "--since", "1d", "--until", "2d"], 3],
  ])("refuses the command line %j", async (words, code) => {
    const w = await projectWorld();
    expect((await w.refused(words)).code).toBe(code);
  });
});

describe("audit closes", () => {
  test("lists closes with their evidence and flags, and continues after the last one shown", async () => {
    const w = await projectWorld();
    const [one, two] = [await w.issue("one"), await w.issue("two")];
    await w.ok(["close", one, "--done", "--commit", "1f2e3d4", "-m", MESSAGE, "-q"]);
    await w.ok(["close", two, "--wontfix", "-m", "x".repeat(60), "-q", "--as", "bea"]);
    w.clock.advance(1000);
    const until = ["--until", "2026-01-02T00:00:00Z"];
    expect(w.named(await w.ok(["audit", "closes", ...until]))).toBe(`\
2026-01-01 00:00Z  ann  web#<one>  done  commit:1f2e3d4  ${MESSAGE}
2026-01-01 00:00Z  bea  web#<two>  wontfix  [no-evidence]  ${"x".repeat(60)}
`);
    const agent = await w.cut(["audit", "closes", "--limit", "1", "--agent"]);
    expect(agent).toMatch(
      new RegExp(
        `^OK closes count=1 next=(\\d+) truncated=true\\n- id=\\1 time=\\S+ actor=ann issue=web#${one} `,
      ),
    );
    expect(agent).toContain("evidence=commit ");
    expect(agent).toContain(" values=commit:1f2e3d4\n");
    expect(JSON.parse(await w.ok(["audit", "closes", "--json"])).rows).toMatchObject([
      {
        message: MESSAGE,
        evidence_types: ["commit"],
        evidence: [{ type: "commit", sha: "1f2e3d4" }],
      },
      { evidence_types: [] },
    ]);
    const next = /next=(\d+)/.exec(agent)?.[1] ?? "";
    expect(w.named(await w.ok(["audit", "closes", "--after", next, "-q"]))).toBe("web#<two>\n");
    expect(await w.ok(["audit", "closes", "--reason", "duplicate"])).toBe("No closes.\n");
    expect((await w.refused(["audit", "closes", "--reason", "tired"])).code).toBe(2);
    expect((await w.refused(["audit", "closes", "--limit", "-1"])).code).toBe(3);
  });
});

describe("the evidence of a close", () => {
  test("is shown by svc show, svc log and svc audit closes, in each form of output", async () => {
    const w = await projectWorld();
    const id = await w.issue("one");
    const given = ["--commit", "1f2e3d4", "--test", "npm test", "--reviewed", "src/a.ts"];
    await w.ok(["close", id, "--done", ...given, "-m", MESSAGE, "--as", "bea"]);
    const evidence = ["commit:1f2e3d4", "test:npm test", "reviewed-paths:src/a.ts"];
    const all = (between: string) => evidence.join(between);
    expect(await w.ok(["show", id])).toContain(
      `\n--- close ---\ndone by bea\n${MESSAGE}\nevidence ${all("\nevidence ")}`,
    );
    expect(await w.ok(["show", id, "--agent"])).toContain(
      `\nReason: done\nClosed-By: bea\nMessage: ${MESSAGE}\nEvidence: ${all("\nEvidence: ")}\n`,
    );
    for (const mode of [[], ["--agent"]]) {
      for (const command of [
        ["log", id],
        ["audit", "closes", "--until", "2026-01-02T00:00:00Z"],
      ]) {
        const out = await w.ok([...command, ...mode]);
        for (const text of [MESSAGE, "done", ...evidence]) expect(out).toContain(text);
      }
    }
    const values = [
      { type: "commit", sha: "1f2e3d4" },
      { type: "test", command: "npm test" },
      { type: "reviewed-paths", paths: ["src/a.ts"] },
    ];
    const json = async (...words: string[]) => JSON.parse(await w.ok([...words, "--json"]));
    const said = { actor: "bea", reason: "done", message: MESSAGE, evidence: expect.anything() };
    const { close } = await json("show", id);
    const { rows } = await json("audit", "closes", "--until", "2026-01-02T00:00:00Z");
    const { events } = await json("log", id);
    const { payload } = events.at(-1);
    expect([close, rows[0], payload].map((one) => new Set(one.evidence))).toEqual(
      [1, 2, 3].map(() => new Set(values)),
    );
    expect(close).toMatchObject(said);
    expect(rows[0]).toMatchObject(said);
    expect(payload.message).toBe(MESSAGE);
  });

  test("is shortened in the output for agents, which says what is missing", async () => {
    const w = await projectWorld();
    const id = await w.issue("large", "--body", "word ".repeat(3000));
    const paths = Array.from({ length: 40 }, (_, n) => `--reviewed=src/${"x".repeat(80)}/${n}.ts`);
    await w.ok(["close", id, "--done", ...paths, "-m", "it holds ".repeat(2000)]);
    const out = await w.cut(["show", id, "--agent"]);
    expect(Buffer.byteLength(out)).toBeLessThanOrEqual(8192);
    expect(out).toContain("\nMessage: it holds it holds");
    expect(out).toMatch(/\nMissing: .*close message \d+ of 18000 bytes/);
  });
});
