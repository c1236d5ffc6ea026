import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

/** For each rule of .oxlintrc.json, code that it must refuse and code that it must accept. */
const root = join(import.meta.dirname, "..");

const CASES: readonly (readonly [file: string, code: string, cure: string | undefined])[] = [
  ["src/ops/x.ts", "export const x = Date.now();", "deps.clock.now()"],
  ["src/domain/x.ts", "export const x = new Date();", "deps.clock.now()"],
  ["test/ops/x.ts", "export const x = Date.now();", "deps.clock.now()"],
  ["src/base/x.ts", "export const x = Date.now();", undefined],
  ["src/domain/dates.ts", "export const x = Date.UTC(2026, 1);", undefined],
  ["bench/x.ts", "export const x = Date.now();", undefined],
  ["src/daemon/x.ts", "export const x = setTimeout(() => {}, 1);", "deps.clock.sleep"],
  ["src/domain/dates.ts", "export const x = setTimeout(() => {}, 1);", "does not wait"],
  ["src/client/x.ts", 'export { setTimeout } from "node:timers/promises";', "deps.clock.sleep"],
  ["src/store/x.ts", "export const x = Math.random();", "deps.ids"],
  ["src/base/x.ts", "export const x = Math.random();", undefined],
  ["test/store/x.ts", "export const x = Math.random();", "fast-check"],
  ["src/ops/x.ts", "export const x = crypto.randomUUID();", "deps.ids"],
  ["src/ops/x.ts", 'import { randomUUID } from "node:crypto";\nrandomUUID();', "deps.ids"],
  ["src/ops/x.ts", 'import { createHash } from "node:crypto";\ncreateHash("x");', undefined],
  ["src/ops/x.ts", 'import { ulid } from "ulid";\nulid();', "deps.ids.ulid()"],
  ["src/base/x.ts", 'import { ulid } from "ulid";\nulid();', undefined],
  ["src/domain/x.ts", 'import { fromZonedTime } from "date-fns-tz";\nfromZonedTime();', "own path"],
  ["src/domain/x.ts", 'import { x } from "date-fns-tz/fromZonedTime";\nx();', undefined],
  ["src/daemon/x.ts", 'export const x = process.env["SVC_HOME"];', "src/config/settings.ts"],
  ["src/base/x.ts", 'export const x = process.env["SVC_HOME"];', "src/config/settings.ts"],
  ["src/config/x.ts", 'export const x = process.env["SVC_HOME"];', undefined],
  ["src/ops/x.ts", 'console.log("x");', "Unexpected console"],
  ["src/cli/x.ts", 'console.log("x");', undefined],
  ["src/ops/x.ts", "export const x = (y: any) => y;", "any"],
  ["test/x.test.ts", 'import { test } from "vitest";\ntest.only("x", () => {});', "focused"],
  ["test/x.test.ts", 'import { test } from "vitest";\ntest.skip("x", () => {});', "isabled"],
  ["web/x.tsx", "export const x = Date.now();", "clock that is handed in"],
  ["web/x.tsx", "export const x = setTimeout(() => {}, 1);", "clock.sleep"],
  ["web/x.tsx", 'export const x = new EventSource("/");', "by fetch"],
  ["web/x.tsx", 'export const x = sessionStorage.getItem("x");', "Nothing of a session"],
  ["web/x.tsx", 'export const x = <b dangerouslySetInnerHTML={{ __html: "" }} />;', "anger"],
  [
    "web/parts/issue/prose.tsx",
    'export const x = <b dangerouslySetInnerHTML={{ __html: "" }} />;',
    undefined,
  ],
  ["web/x.tsx", 'export const x = <img src="/x.svg" />;', "alt"],
  ["web/x.tsx", 'export const x = <img src="/x.svg" alt="x" />;', undefined],
  ["web/x.tsx", 'export const x = eval("1");', "eval"],
  ["web/x.tsx", 'export const x = document.querySelector("main");', undefined],
  ["src/ops/x.ts", `// ${"TO"}${"DO"}: later\nexport const x = 1;`, "later"],
];

let folder = "";
let messages: ReadonlyMap<string, string> = new Map();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-lint-"));
  for (const [place, [file, code]] of CASES.entries()) {
    // Each case has its own folder, so that the paths of the configuration match.
    const at = join(folder, String(place));
    mkdirSync(dirname(join(at, file)), { recursive: true });
    cpSync(join(root, ".oxlintrc.json"), join(at, ".oxlintrc.json"));
    writeFileSync(join(at, file), `${code}\n`);
  }
  messages = lint();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const numbered = CASES.map(([file, code, cure], place) => [file, code, cure, place] as const);

test.each(numbered.filter(([, , cure]) => cure !== undefined))(
  "the file %s may not contain: %s (the linter says %s)",
  (_file, _code, cure, place) => {
    expect(messages.get(String(place))).toContain(cure);
  },
);

test.each(numbered.filter(([, , cure]) => cure === undefined))(
  "the file %s may contain: %s",
  (_file, _code, _cure, place) => {
    expect(messages.get(String(place))).toBeUndefined();
  },
);

/** Returns for each case everything that the linter reports about its file. */
function lint(): ReadonlyMap<string, string> {
  const tool = join(root, "node_modules/oxlint/bin/oxlint");
  const run = spawnSync(process.execPath, [tool, "--format", "json", "."], {
    cwd: folder,
    encoding: "utf8",
  });
  const { diagnostics }: { diagnostics: { filename: string; message: string; help?: string }[] } =
    JSON.parse(run.stdout);
  const found = new Map<string, string>();
  for (const { filename, message, help } of diagnostics) {
    const place = filename.split(/[\\/]/, 1)[0] ?? "";
    found.set(place, `${found.get(place) ?? ""}${message} ${help ?? ""}\n`);
  }
  return found;
}
