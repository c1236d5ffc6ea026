import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { box } from "./box.ts";

interface Graph {
  readonly nodes: readonly { readonly uid: string }[];
}

test("the built daemon computes a large graph beside other work, and stops the computation when it stops", {
  timeout: 60_000,
}, async () => {
  const b = box();
  await b.json("init", "--project", "web");
  const issues = Array.from({ length: 600 }, (_, at) => ({
    name: `n${at}`,
    title: `n${at}`,
    ...(at === 0 ? {} : { parent: "n0" }),
  }));
  writeFileSync(join(b.work, "plan.json"), JSON.stringify({ issues }));
  const made = await b.json<{ issues: { uid: string }[] }>("plan", "apply", "plan.json");
  const [top, below] = made.issues;
  const graph = async (uid = "") =>
    (await b.json<Graph>("graph", uid, "--max-bytes", "0")).nodes.map((one) => one.uid);
  const all = await graph(top?.uid);
  expect(all).toHaveLength(600);
  expect((await graph(below?.uid)).sort()).toEqual([...all].sort());
  expect((await b.svc("daemon", "logs")).stdout).toContain("read-worker.started");
  expect(await b.svc("daemon", "stop")).toMatchObject({ code: 0 });
});
