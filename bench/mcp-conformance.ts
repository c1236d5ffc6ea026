/**
 * Runs the official conformance scenarios for servers against `svc mcp serve --http`, for each protocol version that it
 * serves. A check that fails or warns is an error, unless support/conformance-reasons.ts says why it does not apply to
 * svc. The suite is fetched by npx into npm's cache; the project does not depend on it.
 *
 *   npm run bench -- mcp-conformance [version of the suite]
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { bearerRelay } from "./support/bearer-relay.ts";
import { isLeftOut, reasonFor } from "./support/conformance-reasons.ts";
import { startToolSite } from "./support/tool-site.ts";

const SUITE = process.argv[2] ?? "0.2.0-alpha.12";
const VERSIONS = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

const folder = mkdtempSync(path.join(tmpdir(), "svc-conformance-"));
const site = await startToolSite();
const relay = await bearerRelay(site);
try {
  for (const version of VERSIONS) report(version, await run(version));
} finally {
  relay.stop();
  await site.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function run(version: string): Promise<ReadonlyMap<string, readonly Check[]>> {
  const results = path.join(folder, version);
  mkdirSync(results);
  const words = ["--url", `http://127.0.0.1:${relay.port}/mcp`, "--suite", "all"];
  const suite = ["--yes", "--package", `@modelcontextprotocol/conformance@${SUITE}`, "conformance"];
  const server = ["server", ...words, "--spec-version", version, "-o", results];
  // The exit code of the suite is ignored, because it is 1 when a check fails. The suite must not block this process,
  // because the relay that adds the token to its requests runs in this process.
  const stderr = await new Promise<string>((resolve) => {
    execFile("npx", [...suite, ...server], { cwd: folder }, (_error, _out, err) => resolve(err));
  });
  const names = readdirSync(results);
  if (names.length === 0) throw new Error(`the suite did not run: ${stderr}`);
  return new Map(
    names.map((name) => {
      const scenario = name.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, "");
      const text = readFileSync(path.join(results, name, "checks.json"), "utf8");
      return [scenario, JSON.parse(text) as readonly Check[]];
    }),
  );
}

function report(version: string, scenarios: ReadonlyMap<string, readonly Check[]>): void {
  const fitting = [...scenarios].filter(([scenario]) => !isLeftOut(scenario));
  const checks = fitting.flatMap(([scenario, all]) => all.map((check) => ({ scenario, check })));
  const passed = checks.filter(({ check }) => check.status === "SUCCESS");
  const open = checks.filter(
    ({ scenario, check: { id, status } }) =>
      ["FAILURE", "WARNING", "SKIPPED"].includes(status) && reasonFor(scenario, id) === undefined,
  );
  console.log(`${version}: ${passed.length} checks pass in ${fitting.length} scenarios`);
  console.log(`  ${fitting.map(([scenario]) => scenario).join(", ")}`);
  for (const [why, names] of leftOut(scenarios)) console.log(`  ${why}: ${names.join(", ")}`);
  for (const { scenario, check } of open) {
    console.log(`  ${check.status} ${scenario} ${check.id}: ${check.errorMessage ?? ""}`);
    process.exitCode = 1;
  }
}

/**
 * Returns, for each reason, the scenarios and the single checks that do not apply to svc. A single check that passes
 * nevertheless is left out.
 */
function leftOut(
  scenarios: ReadonlyMap<string, readonly Check[]>,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const [scenario, checks] of scenarios)
    for (const { id, status } of checks) {
      const why = reasonFor(scenario, id);
      if (why === undefined || (status === "SUCCESS" && !isLeftOut(scenario))) continue;
      const names = found.get(why) ?? new Set();
      found.set(why, names.add(isLeftOut(scenario) ? scenario : `${scenario}/${id}`));
    }
  return new Map([...found].map(([why, names]) => [why, [...names]]));
}
