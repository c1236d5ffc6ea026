/**
 * Calls the listing tools of `svc mcp serve` against a daemon with 20,000 issues, follows the cursors of their answers
 * for some pages, and prints the largest answer of each. It fails if an answer without a `limit` is larger than
 * 8 KB.
 *
 *   npm run bench -- mcp-sizes [issues] [pages]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startBenchDaemon } from "./support/daemon.ts";
import { seed } from "./support/seed.ts";
import { ANSWER_BYTES, ToolLine } from "./support/tool-line.ts";

const ISSUES = Number(process.argv[2] ?? 20_000);
const PAGES = Number(process.argv[3] ?? 20);
const SVC = path.resolve(import.meta.dirname, "../bin/svc");
const SECTIONS = ["issue_discovery", "projects", "activity", "issue_lifecycle"];

const home = mkdtempSync(path.join(tmpdir(), "svc-mcp-sizes-"));
await seed(path.join(home, "svc.db"), { issues: ISSUES, links: ISSUES * 3 });
const daemon = await startBenchDaemon({ home });
const server = spawn(SVC, ["mcp", "serve", "--all-projects", "--as", "bench"], {
  env: daemon.env,
  cwd: home,
  stdio: ["pipe", "pipe", "inherit"],
});
const line = new ToolLine(server);
try {
  for (const section of SECTIONS) await line.call(`load_${section}`, {}, Infinity);
  const project = { project: "bench" };
  const ref = await firstRef();
  await measurePages("list", {});
  await measurePages("list", { ...project, status: "closed" });
  await measurePages("search", { query: "common" });
  await measurePages("ready", {});
  await measurePages("next", {});
  await measurePages("labels", {});
  await measurePages("projects", {});
  await measurePages("events", {});
  await measurePages("digest", { since: "1d" });
  await measurePages("audit_closes", project);
  await measurePages("show", { ref });
  await measurePages("graph", { ref });
  console.log("with the largest limit, which may answer more:");
  for (const tool of ["list", "ready", "events"]) await measurePages(tool, { limit: 100 });
} finally {
  server.stdin?.end();
  await once(server, "exit");
  await daemon.stop();
  rmSync(home, { recursive: true, force: true });
}

async function measurePages(tool: string, args: object): Promise<void> {
  let largest = 0;
  let cursor: string | undefined;
  let count = 0;
  do {
    const more = cursor === undefined ? args : { ...args, cursor };
    const { answer, failure, size } = await line.call(tool, more, Infinity);
    if (failure !== undefined) throw new Error(`svc.${tool} ${JSON.stringify(more)}: ${failure}`);
    largest = Math.max(largest, size);
    cursor = (answer as { next_cursor?: string }).next_cursor;
    count += 1;
  } while (cursor !== undefined && count < PAGES);
  if (largest > ANSWER_BYTES && !("limit" in args)) process.exitCode = 1;
  const rest = cursor === undefined ? "" : " and more";
  const what = `svc.${tool} ${JSON.stringify(args)}`;
  console.log(`  ${what.padEnd(64)} ${String(largest).padStart(6)} bytes, ${count} pages${rest}`);
}

async function firstRef(): Promise<string> {
  const { answer } = await line.call("list", { limit: 1 });
  const [issue] = (answer as { issues: readonly { ref: string }[] }).issues;
  if (issue === undefined) throw new Error("svc.list found no issue");
  return issue.ref;
}
