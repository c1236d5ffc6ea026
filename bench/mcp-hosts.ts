/**
 * Lets agent hosts and libraries from npm do a short piece of work with `svc mcp serve`, configured by `svc mcp
 * install`. Each runs without a terminal and in an empty home. A mock model on loopback calls the tools that the host
 * offers, and records what the host passes on of each answer. Everything runs in a network namespace that has only
 * loopback.
 *
 * It fails if a step does not work, or if a host behaves differently than `src/cli/agent-hosts/tried.json` says. svc
 * chooses the flags that it writes for a host from that file. With `write`, what was seen is written into that file and
 * into docs/mcp.md. The packages are installed outside of the repository.
 *
 *   npm run bench -- mcp-hosts [part of a title | write]
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type HostTrial, TRIED } from "../src/cli/agent-hosts/tried.ts";
import { installed } from "./support/hosts/installed.ts";
import { startModel } from "./support/hosts/model.ts";
import { PROGRAMS, type Program } from "./support/hosts/programs.ts";
import { STEP_NAMES } from "./support/hosts/steps.ts";
import { hostTable, withHostTable } from "./support/hosts/table.ts";
import { type Trial, tryProgram } from "./support/hosts/trial.ts";

const INSIDE = "SVC_BENCH_IN_NAMESPACE";
const ROOT = path.resolve(import.meta.dirname, "..");
const ROWS = path.join(ROOT, "src/cli/agent-hosts/tried.json");
const PAGE = path.join(ROOT, "docs/mcp.md");
const [asked = ""] = process.argv.slice(2);
const part = asked === "write" ? "" : asked.toLowerCase();
const programs = PROGRAMS.filter(({ title }) => title.toLowerCase().includes(part));

if (process.env[INSIDE] === undefined) {
  for (const { packages } of programs) installed(packages);
  process.exitCode = inNamespace();
} else await tryAll();

/**
 * Runs this file again in a network namespace that has only loopback, so that no host can send data to another machine.
 */
function inNamespace(): number {
  const user = process.getuid?.() === 0 ? [] : ["--map-root-user"];
  const script = 'ip link set lo up && exec "$@"';
  const again = [process.execPath, import.meta.filename, ...process.argv.slice(2)];
  const words = [...user, "--net", "sh", "-c", script, "sh", ...again];
  const env = { ...process.env, [INSIDE]: "1" };
  return spawnSync("unshare", words, { stdio: "inherit", env }).status ?? 1;
}

async function tryAll(): Promise<void> {
  const model = await startModel();
  const rows: HostTrial[] = [];
  for (const program of programs) {
    const trial = await tryProgram(program, model);
    const row = rowOf(program, trial);
    if (row === undefined || trial.missing.length > 0 || row.steps < STEP_NAMES.length)
      fail(`${program.title}: ${trial.fault ?? trial.missing.join(", ")}`, trial.printed);
    if (row !== undefined) rows.push(row);
  }
  model.stop();
  console.log(hostTable(rows));
  if (asked === "write") {
    writeFileSync(ROWS, `[\n${rows.map((row) => `  ${jsonWithSpaces(row)}`).join(",\n")}\n]\n`);
    writeFileSync(PAGE, withHostTable(readFileSync(PAGE, "utf8"), rows));
  } else for (const row of rows) compare(row);
}

function rowOf({ title, client, packages }: Program, { seen, done }: Trial): HostTrial | undefined {
  if (seen === undefined) return undefined;
  const [, name = "", version = ""] = /^(.+)@([^@]+)$/.exec(packages[0] ?? "") ?? [];
  return {
    title,
    ...(client === undefined ? {} : { client }),
    package: name,
    version,
    date: new Date().toISOString().slice(0, 10),
    lists_again: seen.listsAgain,
    reads: seen.reads,
    copies: seen.copies,
    dots: seen.dots,
    steps: done.length,
  };
}

function compare(row: HostTrial): void {
  const { date: _today, ...now } = row;
  const { date: _then, ...known } = TRIED.find(({ title }) => title === row.title) ?? row;
  if (!isDeepStrictEqual(now, known))
    fail(
      `${row.title} is not as in tried.json`,
      `${jsonWithSpaces(known)}\n${jsonWithSpaces(now)}`,
    );
}

/** JSON on one line, as the formatter of the repository leaves it. */
function jsonWithSpaces(value: object): string {
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${JSON.stringify(member)}`,
  );
  return `{ ${members.join(", ")} }`;
}

function fail(message: string, details: string): void {
  process.exitCode = 1;
  console.log(`${message}\n${details}`);
}
