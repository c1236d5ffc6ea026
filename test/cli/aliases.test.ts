import { expect, test } from "vitest";
import { projectWorld } from "./harness.ts";

const MESSAGE = "this closes the issue of the test, with enough words to pass";

interface ShowAnswer {
  readonly issue: { readonly status: string; readonly owner?: string };
  readonly links: readonly {
    readonly type: string;
    readonly from: { readonly short_id: string };
    readonly to: { readonly short_id: string };
  }[];
}

async function shown(
  w: Awaited<ReturnType<typeof projectWorld>>,
  ref: string,
): Promise<ShowAnswer> {
  return JSON.parse(await w.ok(["show", ref, "--json"])) as ShowAnswer;
}

test("new, ls, view, start and rm are aliases of create, list, show, claim and delete", async () => {
  const w = await projectWorld();
  const ref = (await w.ok(["new", "an issue", "-q"])).trim();
  expect(await w.ok(["ls"])).toBe(await w.ok(["list"]));
  expect(await w.ok(["view", ref])).toBe(await w.ok(["show", ref]));
  await w.ok(["start", ref]);
  expect((await shown(w, ref)).issue.owner).toBe("ann");
  await w.run(["rm", ref, "--force", "--confirm", `DELETE web#${ref}`]);
  expect(await w.ok(["ls", "--agent"])).toBe("OK list count=0\n");
});

test("svc done closes an issue as done, and accepts no other reason", async () => {
  const w = await projectWorld();
  const ref = await w.issue("an issue");
  const { err, code } = await w.refused(["done", ref, "--wontfix", "-m", MESSAGE]);
  expect(code).toBe(2);
  expect(err).toContain("one reason to close, not both done and wontfix");
  expect((await w.refused(["done", ref])).code).toBe(3);
  expect((await shown(w, ref)).issue.status).toBe("open");
  await w.run(["done", ref, "--commit", "1f2e3d4", "-m", MESSAGE]);
  expect(JSON.parse(await w.ok(["show", ref, "--json"])).issue).toMatchObject({
    status: "closed",
    closed_reason: "done",
  });
});

test("svc block makes the first issue block the second, and svc dep add makes the first wait for the second", async () => {
  const w = await projectWorld();
  const [a, b] = [await w.issue("A"), await w.issue("B")];
  const waits = async (ref: string) =>
    JSON.parse(await w.ok(["why", ref, "--json"])).reasons.map(
      ({ blockers }: { blockers: readonly { issue: { short_id: string } }[] }) =>
        blockers.map(({ issue }) => issue.short_id),
    );

  await w.ok(["block", a, b]);
  expect([await waits(a), await waits(b)]).toEqual([[], [[a]]]);
  expect(await w.ok(["block", a, b])).toContain("(no changes applied)");
  await w.ok(["unblock", a, b, "--comment", "not so"]);
  expect([await waits(a), await waits(b)]).toEqual([[], []]);
  expect(await w.ok(["show", a])).toContain("not so");

  await w.ok(["dep", "add", a, b]);
  expect([await waits(a), await waits(b)]).toEqual([[[b]], []]);
  await w.ok(["dep", "remove", a, b]);
  expect([await waits(a), await waits(b)]).toEqual([[], []]);
});

test("svc block is refused for an issue and itself, and for an unknown or missing second issue", async () => {
  const w = await projectWorld();
  const a = await w.issue("A");
  expect((await w.refused(["block", a, a])).code).toBe(3);
  expect((await w.refused(["block", a, "zzzz"])).code).toBe(4);
  expect((await w.refused(["block", a])).err).toContain("missing <blocked>");
  expect((await shown(w, a)).links).toEqual([]);
});

test.each([
  ["blocks", "--blocks", "--remove-blocks"],
  ["blocked-by", "--blocked-by", "--remove-blocked-by"],
  ["related", "--related", "--remove-related"],
  ["child-of", "--parent", "--remove-parent"],
])(
  "svc link %s does the same as svc edit %s, and with --remove the same as svc edit %s",
  async (kind, add, remove) => {
    const w = await projectWorld();
    const refs = [await w.issue("A"), await w.issue("B"), await w.issue("C"), await w.issue("D")];
    const [a = "", b = "", c = "", d = ""] = refs;
    const said = (text: string): string => w.named(text).replace(/<[AC]> [AC]/, "<it>");
    const expected = said(await w.ok(["edit", a, add, b])).replaceAll("<B>", "<other>");
    expect(said(await w.ok(["link", c, kind, d])).replaceAll("<D>", "<other>")).toBe(expected);
    const gone = said(await w.ok(["edit", a, remove, b])).replaceAll("<B>", "<other>");
    expect(said(await w.ok(["link", c, kind, d, "--remove"])).replaceAll("<D>", "<other>")).toBe(
      gone,
    );
  },
);

test("a link of an unknown kind is refused, and the error lists the kinds", async () => {
  const w = await projectWorld();
  const [a, b] = [await w.issue("A"), await w.issue("B")];
  const { err, code } = await w.refused(["link", a, "parent", b]);
  expect(code).toBe(2);
  expect(err).toContain("blocks, blocked-by, related, child-of");
});

test("short flags mean the same as long flags", async () => {
  const w = await projectWorld();
  const flags = ["-l", "bug", "-l", "docs", "-p", "1", "-a", "bea", "-m", "the text"];
  const ref = (await w.ok(["new", "with all", ...flags, "-q"])).trim();
  await w.issue("with none");
  const { issue, labels } = JSON.parse(await w.ok(["show", ref, "--json"]));
  expect(issue).toMatchObject({ priority: 1, owner: "bea", body: "the text" });
  expect(labels.map(({ label }: { label: string }) => label)).toEqual(["bug", "docs"]);

  const first = async (words: readonly string[]) =>
    (await w.ok([...words, "--agent"])).split("\n")[0];
  for (const filter of [
    ["-l", "bug"],
    ["-a", "bea"],
    ["-p", "1"],
    ["-n", "1"],
  ])
    expect((await w.run(["list", ...filter, "--agent"])).out).toMatch(/^OK list count=1\b/);
  expect(await first(["ready", "-l", "bug", "-a", "bea"])).toBe("OK ready count=1");
  expect(await first(["next", "-l", "bug", "-a", "bea"])).toMatch(/^OK next issue=/);
  expect(await first(["search", "with", "-l", "bug", "-n", "1"])).toMatch(/count=1/);

  await w.ok(["edit", ref, "-p", "-", "-a", "", "-m", "other text"]);
  const edited = JSON.parse(await w.ok(["show", ref, "--json"])).issue;
  expect(edited).toMatchObject({ body: "other text" });
  expect([edited.priority, edited.owner]).toEqual([undefined, undefined]);

  await w.run(["export", "-o", "all.jsonl", "--allow-running-daemon"]);
  expect(w.has("all.jsonl")).toBe(true);
  await w.ok(["notify", ref, "--to", "bea", "-m", "please look"]);
  expect(await w.ok(["inbox", "--for", "bea"])).toContain("please look");
});
