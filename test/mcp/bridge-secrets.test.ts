import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { createLog } from "../../src/base/log.ts";
import { runCommand } from "../cli/harness.ts";
import { folderWith } from "../config/folder.ts";
import { filesConnector } from "../connectors/files.ts";
import { FakeClock } from "../support/clock.ts";
import { ToolWorld } from "./tools.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const TELLS = join(ROOT, "test", "connectors", "programs", "tells.mjs");
const FILES = join(ROOT, "examples", "connectors", "files.mjs");
const KEY = "keyof4711account";
const LOCATOR = "locator-4712.md";
const MISSING = "missing-4713.md";

const escaped = (text: string) =>
  [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");

/** Errors with which the connector tells its secrets: plainly, escaped, in pieces, and in the code. */
const ERRORS = (folder: string) => [
  JSON.stringify({ code: "denied", message: `${KEY} may not read ${folder}` }),
  `{"code":"denied","message":"${escaped(KEY)} may not read ${escaped(folder)}"}`,
  JSON.stringify({ code: "denied", message: `${KEY.slice(0, 8)} ${KEY.slice(8)} ${LOCATOR}` }),
  JSON.stringify({ code: `no_${KEY}`, message: "denied" }),
];

/** A daemon whose connector tells secrets, and everything that anybody is told: answers, output, log. */
async function telling() {
  const files = filesConnector({ [LOCATOR]: "# Ship it\n\nAll of it.\n" });
  const fault = join(folderWith(), "fault");
  const entry = { ...files.entry, args: [TELLS, fault, FILES], env: { KEY: "FILES_KEY" } };
  const told: string[] = [];
  const sink = { write: (line: string) => void told.push(line), reopen() {}, close() {} };
  const world = await ToolWorld.open({
    connectors: { entries: [entry], environment: { FILES_KEY: KEY } },
    clock: new FakeClock(),
    log: createLog(sink, systemClock, "debug"),
  });
  const { id } = await world.project("web");
  const { qualified_id: ref, short_id } = await world.issue(id, "old title");
  const client = await world.serve("all");
  /** Calls a tool and returns its text. */
  const ask = async (name: string, args: object = {}): Promise<string> => {
    const { text } = await client.call(`svc.${name}`, { ...args });
    told.push(text);
    return text;
  };
  const env = { ...world.local.env, SVC_PROJECT: "web", USER: "ann" };
  const type = async (...words: string[]): Promise<string> => {
    const { out, err } = await runCommand(words, { env, cwd: world.local.home });
    told.push(out, err);
    return out + err;
  };
  const fail = (method: string, error: string) =>
    writeFileSync(fault, JSON.stringify({ method, error }));
  return { files, world, ref, short_id, ask, type, fail, told };
}

test("no answer, event, export, log, output or table has what the connector was given or calls its account", async () => {
  const { files, world, ref, short_id, ask, type, fail, told } = await telling();
  const { folder } = files;
  const account = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  await ask("connectors");
  await ask("connector_field_map", {
    ...{ instance: "files", svc_field: "deadline_on", external_field: "due" },
  });
  await ask("connector_fields", { instance: "files" });
  const bind = { ref, connector: "files", publish_comments: true };
  expect(await ask("bridge_bind", { ...bind, external: MISSING })).toContain("root_not_found");
  expect(await ask("bridge_bind", { ...bind, external: LOCATOR })).toContain('"active":true');

  await ask("set_deadline", { ref, deadline: "2026-03-01" });
  const due = files.read(LOCATOR).replace("---\n", "---\ndue: 2026-03-02\n");
  files.write(LOCATOR, `${due}\n<!-- comments -->\n\n<!-- comment by=bea -->\nWhen?\n`);
  expect(await ask("bridge_reconcile", { ref })).toContain('"field_conflicts":1');
  await type("bridge", "show", short_id, "--json");
  expect(
    await ask("bridge_resolve_field", { ref, svc_field: "deadline_on", use: "local" }),
  ).toContain('"field_conflicts":[]');

  await ask("comment", { ref, body: "Done?", idempotency_key: "c" });
  const [plain = "", hidden = "", ...others] = ERRORS(folder);
  for (const [method, error] of [
    ...[plain, hidden, ...others].map((one) => ["describe", one] as const),
    ["read_root", hidden],
    ["publish_comment", plain],
  ] as const) {
    fail(method, error);
    expect(await ask("bridge_reconcile", { ref }), `${method} ${error}`).toMatch(
      /^502 connector_error: external connector request failed: (denied|connector_error) —/,
    );
    await type("bridge", "show", short_id, "--json");
  }
  fail("describe", plain);
  expect(await type("connector", "status", "files")).toContain("failing");
  await ask("bridge_resolve_comment", { ref, action: "retry" });
  await ask("bridge_resolve_comment", { ref, action: "adopt", external_comment_id: "none" });
  expect(await ask("bridge_reconcile", { ref })).toContain('"consecutive_failures":0');
  await ask("bridge_pause", { ref, reason: "it moves" });
  for (const form of ["--json", "--agent"]) await type("bridge", "show", short_id, form);
  await type("connector", "list", "--json");
  await type("doctor", "--json");
  const archive = join(folderWith(), "all.jsonl");
  await type("export", "--output", archive, "--allow-running-daemon");
  told.push(readFileSync(archive, "utf8"));
  await ask("events", { limit: 100 });
  await type("events", "--json");
  await ask("show", { ref });
  await ask("bridge_unbind", { ref });

  const all = told.join("\n");
  for (const word of ["issue.external_root_bound", "external_root_binding", "daemon.connectors"])
    expect(all).toContain(word);
  const tables = readdirSync(world.local.home)
    .filter((name) => name.startsWith("svc.db"))
    .map((name) => readFileSync(join(world.local.home, name), "latin1"));
  expect(tables.join("")).toContain("issue.external_root_unbound");
  for (const secret of [KEY, "FILES_KEY", folder, account, LOCATOR, MISSING, TELLS])
    for (const [where, text] of [["told", all], ...tables.map((one, at) => [`table ${at}`, one])])
      expect((text ?? "").includes(secret), `${where} has ${secret}`).toBe(false);
}, 180_000);
