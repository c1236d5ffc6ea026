/**
 * Calls every tool of `svc mcp serve --http` against a real daemon, also the loaders (`svc.load_<section>`), which add
 * the tools of a section. Each call is a new process of the MCP Inspector's command line, and its result is printed.
 * The measurement fails if a tool is not called, if an answer is not as support/tool-calls.ts expects, or if the
 * Inspector finds a schema that some clients cannot read. The Inspector is installed into a temporary folder; the
 * project does not depend on it.
 *
 * npm run bench -- mcp-inspector [legacy | modern] [version of the Inspector]
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { loaderName, SECTION_NAMES, toolNames } from "../src/mcp/sections.ts";
import { TOOL_CALLS, type ToolCall } from "./support/tool-calls.ts";
import { startToolSite } from "./support/tool-site.ts";

const ERA = process.argv[2] ?? "legacy";
const VERSION = process.argv[3] ?? "2.12.0";
const PLANNED = "not available on this daemon";

interface Result {
  readonly isError?: boolean;
  readonly content?: readonly { readonly text?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

const folder = mkdtempSync(path.join(tmpdir(), "svc-inspector-"));
const inspector = installInspector();
const root = path.join(folder, "exports");
mkdirSync(root);
const site = await startToolSite(
  ...["--all-projects", "--enable-token-admin", "--storage-root", root],
  ...["--storage-target", `copy=${path.join(folder, "copy.db")}`],
);
try {
  callAll();
  checkSchemas();
} finally {
  await site.stop();
  rmSync(folder, { recursive: true, force: true });
}

function installInspector(): string {
  const name = "@modelcontextprotocol/inspector";
  const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder];
  execFileSync("npm", [...words, `${name}@${VERSION}`], { stdio: "ignore" });
  return path.join(folder, "node_modules", name, "clients/launcher/build/index.js");
}

function callAll(): void {
  const answers = new Map<string, Readonly<Record<string, unknown>>>();
  const called = new Map<string, string>();
  for (const call of TOOL_CALLS) {
    const { said, answer } = outcomeOf(call, answers);
    if (answer !== undefined) answers.set(call.name.replace("svc.", ""), answer);
    const before = called.get(call.name) ?? said;
    called.set(call.name, before.startsWith("FAILED") ? before : said);
  }
  const names = SECTION_NAMES.flatMap((section) => [loaderName(section), ...toolNames(section)]);
  for (const name of names) {
    const said = called.get(name) ?? "FAILED: it was not called";
    if (said.startsWith("FAILED")) process.exitCode = 1;
    console.log(`${name.padEnd(34)} ${said}`);
  }
  const counted = names.filter((name) => called.get(name)?.startsWith("FAILED") === false).length;
  console.log(`${counted} of ${names.length} as expected (${ERA})`);
}

function outcomeOf(
  call: ToolCall,
  answers: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
) {
  const args = JSON.stringify(call.args(answers));
  const asked = ["--method", "tools/call", "--tool-name", call.name, "--tool-args-json", args];
  const { stdout, stderr } = runInspector(asked);
  const { isError, content, structuredContent } = resultIn(stdout);
  const text = content?.[0]?.text ?? stderr.trim();
  if (call.isPlanned)
    return { said: text.includes(PLANNED) ? `refused: ${PLANNED}` : failureText(text) };
  if (isError === true || structuredContent === undefined) return { said: failureText(text) };
  return { said: "ok", answer: structuredContent };
}

function failureText(text: string): string {
  return `FAILED: ${text.slice(0, 300)}`;
}

/** Returns the result that the Inspector printed, or an empty object if the call failed and printed no JSON. */
function resultIn(stdout: string): Result {
  try {
    const printed = JSON.parse(stdout) as Result & { readonly result?: Result };
    return printed.result ?? printed;
  } catch {
    return {};
  }
}

/** Lets the Inspector check that all clients can read the schemas of all tools. */
function checkSchemas(): void {
  const { status, stdout, stderr } = runInspector(["--method", "tools/list", "--strict"]);
  const { tools = [] } = resultIn(stdout) as { readonly tools?: readonly unknown[] };
  if (status !== 0) process.exitCode = 1;
  console.log(`schemas of ${tools.length} tools: ${status === 0 ? "ok" : stderr.trim()}`);
}

function runInspector(words: readonly string[]) {
  const place = ["--server-url", `http://127.0.0.1:${site.port}/mcp`, "--transport", "http"];
  const headers = ["--header", `Authorization: Bearer ${site.token}`];
  const how = ["--protocol-era", ERA, "--format", "json"];
  return spawnSync(process.execPath, [inspector, "--cli", ...place, ...headers, ...how, ...words], {
    cwd: folder,
    encoding: "utf8",
    // The Inspector writes its settings and secrets into the home folder, so it gets a temporary one.
    env: { ...process.env, HOME: folder },
    maxBuffer: 64 * 1024 * 1024,
  });
}
