import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { expect, test } from "vitest";
import { postgresDsn, query } from "../support/postgres.ts";
import { type Box, box, ended, processesOf } from "./box.ts";

const FIXTURES = join(import.meta.dirname, "..", "daemon", "fixtures");

/** Secrets that must not appear anywhere. The test adds the plaintext of a token when it has made one. */
const PLANTED = {
  bootstrap: "svc_planted-bootstrap-token",
  entry: "svc_planted-token-of-an-entry",
  wrong: "svc_planted-token-that-is-wrong",
  asked: "svc_planted-token-in-a-query",
  database: "planted-password-of-the-database",
  mistyped: "svc_planted-where-an-id-belongs",
  unreachable: "planted-password-of-no-database",
} as const;

const EVERYTHING = [
  ["create", "x", "--project", "tools"],
  ["list", "--project", "tools", "--json"],
  ["show", "zzzz", "--project", "tools"],
  ["daemon", "status", "--json"],
  ["daemon", "locate", "--json"],
  ["daemon", "exposure"],
  ["daemon", "exposure", "--json"],
  ["daemon", "logs"],
  ["daemon", "trust", "--list"],
  ["doctor"],
  ["doctor", "--json"],
  ["health", "--json"],
  ["whoami", "--json"],
  ["tokens", "list", "--json"],
  ["tokens", "revoke", PLANTED.mistyped],
  ["tokens", "revoke", "99"],
  ["export", "--allow-running-daemon"],
  ["backup"],
  ["daemon", "reload"],
  ["events", "--all-projects", "--json"],
  ["storage", "postgres", "status", "--json"],
] as const;

const PROFILES = [
  ...["", "cmdline", "goroutine", "threadcreate"],
  ...["profile?seconds=1", "heap?seconds=1", "allocs?seconds=1", "trace?seconds=1"],
];

function configured({ home }: Box, text: string): void {
  mkdirSync(home, { mode: 0o700, recursive: true });
  writeFileSync(join(home, "config.toml"), text, { mode: 0o600 });
}

/** Sends a request that svc's own clients never send, because its query contains a token. */
async function asks(address: string, ca: Buffer, path: string, token?: string): Promise<string> {
  const [host, port] = address.split(":");
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return await new Promise((resolve, reject) => {
    request({ host, port, path, ca, headers }, (response) => {
      let text = `${response.statusCode} `;
      response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      response.once("close", () => resolve(text));
    })
      .once("error", reject)
      .end();
  });
}

test("planted secrets appear in nothing that a run prints, logs, keeps, exports or starts programs with", async () => {
  const dsn = new URL(await postgresDsn());
  dsn.password = PLANTED.database;
  const host = box();
  configured(
    host,
    `[auth]
token = "${PLANTED.bootstrap}"
require_token_identity = true
[tls]
cert = "cert.pem"
key = "key.pem"
[storage]
dsn = "${dsn.href}"
`,
  );
  copyFileSync(join(FIXTURES, "renewed.pem"), join(host.home, "cert.pem"));
  const key = readFileSync(join(FIXTURES, "other-key.pem"), "utf8");
  writeFileSync(join(host.home, "key.pem"), key, { mode: 0o600 });
  const { address } = await host.json<{ address: string }>(
    ...["daemon", "start", "--listen", "127.0.0.1:0"],
  );
  const make = ["tokens", "create", "--actor", "ann", "--idempotency-key", "once"];
  const { plaintext } = await host.json<{ plaintext: string }>(...make);
  const secrets = [...Object.values(PLANTED), plaintext, ...pemLines(key)];

  const ann = box({ NODE_EXTRA_CA_CERTS: join(host.home, "cert.pem") });
  const entry = (name: string, token: string): string =>
    `[[daemon]]\nname = "${name}"\nurl = "https://${address}"\ntoken = "${token}"\n`;
  configured(ann, entry("team", plaintext) + entry("other", PLANTED.entry));
  expect(await ann.svc("projects", "create", "tools", "--daemon", "team")).toMatchObject({
    code: 0,
  });

  const said: string[] = [];
  const run = async (place: Box, words: readonly string[], env = {}): Promise<void> => {
    const options = { cwd: place.work, env: { ...place.env, ...env } };
    const child = spawn(process.execPath, [place.launcher, ...words], options);
    const { stdout, stderr } = await ended(child);
    said.push(stdout, stderr);
  };
  for (const words of EVERYTHING) {
    await run(host, words);
    await run(ann, [...words, "--daemon", "team"]);
  }
  for (const words of [
    ["list", "--all"],
    ["doctor", "--json"],
    ["daemon", "locate", "--json"],
  ])
    await run(ann, [...words, "--daemon", "other"]);
  await run(ann, ["list", "--all", "--daemon", "team"], { SVC_AUTH_TOKEN: PLANTED.wrong });
  await run(ann, ["list", "--all", "--daemon", "team"], { SVC_AUTH_TOKEN: `${PLANTED.wrong} 2` });
  // A repeated request finds the token and does not print it.
  await run(host, make);
  const nowhere = `postgres://ann:${PLANTED.unreachable}@127.0.0.1:1/none`;
  for (const words of [["list"], ["doctor"], ["storage", "postgres", "status"]])
    await run(box(), words, { SVC_DSN: nowhere });

  const ca = readFileSync(join(FIXTURES, "renewed.pem"));
  for (const name of ["token", "access_token", "authorization", "bearer", "svc_auth_token"]) {
    const path = `/api/v1/projects?${name}=`;
    const answer = await asks(address, ca, `${path}${PLANTED.bootstrap}`);
    expect(answer).toMatch(/^401 .*auth_required/);
    said.push(answer, await asks(address, ca, `${path}Bearer%20${PLANTED.asked}`, PLANTED.wrong));
  }

  // A heap snapshot contains all of these secrets; only a caller who may administer tokens can get one.
  for (const profile of PROFILES) {
    const answer = await asks(address, ca, `/debug/pprof/${profile}`, PLANTED.bootstrap);
    expect([profile, answer.slice(0, 4)]).toEqual([profile, "200 "]);
    said.push(answer);
  }

  const lists = processesOf(host.folder).flatMap((pid) =>
    ["cmdline", "comm"].map((name) => readFileSync(`/proc/${pid}/${name}`, "utf8")),
  );
  if (process.platform === "linux") expect(lists.join("")).toContain("daemon");
  const rows = await query(
    dsn.href,
    "select coalesce(jsonb_agg(t), '[]')::text as all from svc.api_token t",
  );
  await host.svc("daemon", "stop");
  const kept = [...filesBelow(host.folder), ...filesBelow(ann.folder)].filter(
    ([path]) => !/config\.toml$|key\.pem$/.test(path),
  );
  expect(kept.some(([path]) => path.endsWith(".log"))).toBe(true);
  expect(said.join("")).toContain("svc_api_version");
  const texts = [
    ...said.map((text) => ["said", text] as const),
    ...lists.map((text) => ["argument list", text] as const),
    ["database", JSON.stringify(rows)] as const,
    ...kept,
  ];
  const found = texts.flatMap(([where, text]) =>
    secrets.filter((secret) => text.includes(secret)).map((secret) => `${where}: ${secret}`),
  );
  expect(found).toEqual([]);
}, 300_000);

/** The mode in which one token is everybody's, on SQLite, whose files lie in the home. */
test("a static token of a daemon on SQLite appears in nothing that a run prints, logs, keeps or exports", async () => {
  const host = box();
  configured(host, `[auth]\ntoken = "${PLANTED.bootstrap}"\n`);
  const { address } = await host.json<{ address: string }>(
    ...["daemon", "start", "--listen", "127.0.0.1:0"],
  );
  expect(await host.svc("projects", "create", "tools")).toMatchObject({ code: 0 });
  const said: string[] = [];
  const run = async (words: readonly string[], env = {}): Promise<void> => {
    const options = { cwd: host.work, env: { ...host.env, ...env } };
    const { stdout, stderr } = await ended(
      spawn(process.execPath, [host.launcher, ...words], options),
    );
    said.push(stdout, stderr);
  };
  for (const words of EVERYTHING) await run(words);
  await run(["list", "--all"], { SVC_AUTH_TOKEN: PLANTED.wrong });
  await run(["list", "--all"], { SVC_AUTH_TOKEN: `${PLANTED.wrong} 2` });
  const refused = await fetch(`http://${address}/api/v1/projects?token=${PLANTED.asked}`);
  expect(refused.status).toBe(401);
  said.push(await refused.text());
  const lists = processesOf(host.folder).flatMap((pid) =>
    ["cmdline", "comm"].map((name) => readFileSync(`/proc/${pid}/${name}`, "utf8")),
  );
  if (process.platform === "linux") expect(lists.join("")).toContain("daemon");
  await host.svc("daemon", "stop");
  const files = filesBelow(host.folder);
  const holding = (all: readonly (readonly [string, string])[]): readonly string[] =>
    all.flatMap(([where, text]) =>
      Object.values(PLANTED).flatMap((secret) =>
        text.includes(secret) ? [`${where.replace(/.*\//, "")}: ${secret}`] : [],
      ),
    );
  // Only the file in which the token was written has it.
  expect(holding(files)).toEqual([`config.toml: ${PLANTED.bootstrap}`]);
  for (const end of [".log", "svc.db"])
    expect(files.some(([path]) => path.endsWith(end))).toBe(true);
  expect(said.join("")).toContain("svc_api_version");
  expect(holding([...said, ...lists].map((text) => ["said", text] as const))).toEqual([]);
}, 240_000);

/** The lines of a key. A single line must not appear anywhere either. */
function pemLines(pem: string): readonly string[] {
  return pem.split("\n").filter((line) => line.length > 20 && !line.startsWith("-----"));
}

function filesBelow(folder: string): readonly (readonly [string, string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => [path, readFileSync(path, "latin1")] as const);
}
