/**
 * Runs several daemons in one process, each with one issue. They share compiled code and memory, and differ only in
 * their settings `[auth]`. Prints their addresses and tokens as JSON. After that, each line on its standard input makes
 * it print the processor time that this process has used so far.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { loadConfig } from "../../src/config/load.ts";
import { settingsFrom, startDaemon } from "../../src/daemon/index.ts";

const CONFIGURED = "configured-token-0123456789";
const STATIC = `[auth]\ntoken = "${CONFIGURED}"\n`;
const IDENTITY = `${STATIC}require_token_identity = true\n`;

export interface Served {
  readonly name: string;
  readonly url: string;
  readonly token: string | undefined;
}

const [folder = ""] = process.argv.slice(2);
const daemons = [
  await daemon("no token", "", async () => undefined),
  await daemon("static token", STATIC, async () => CONFIGURED),
  await daemon("person's token", IDENTITY, async (origin) => {
    const made = await send(origin, "tokens", { actor: "ann" }, CONFIGURED);
    return made["plaintext"] as string;
  }),
];
console.log(JSON.stringify(daemons.map(({ served }) => served)));
for await (const _line of createInterface(process.stdin)) {
  const { user, system } = process.cpuUsage();
  console.log(user + system);
}
for (const { stop } of daemons) await stop();

async function daemon(
  name: string,
  auth: string,
  tokenOf: (origin: string) => Promise<string | undefined>,
) {
  const home = path.join(folder, name.replaceAll(/\W/g, "-"));
  mkdirSync(home, { mode: 0o700 });
  const file = `listen = "127.0.0.1:0"\n${auth}`;
  writeFileSync(path.join(home, "config.toml"), file, { mode: 0o600 });
  const config = await loadConfig({ env: { SVC_HOME: home, XDG_RUNTIME_DIR: home }, cwd: home });
  const { endpoint, stop } = await startDaemon(settingsFrom(config, "1.2.3"));
  const origin = `http://${endpoint.address}/api/v1`;
  const token = await tokenOf(origin);
  await send(origin, "projects", { name: "p", actor: "ann" }, token);
  const issue = { title: "an issue", body: "with some text", actor: "ann" };
  const made = await send(origin, "projects/1/issues", issue, token);
  const { short_id } = made["issue"] as { readonly short_id: string };
  const served: Served = { name, url: `${origin}/projects/1/issues/${short_id}`, token };
  return { served, stop };
}

async function send(origin: string, to: string, body: object, token: string | undefined) {
  const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { "content-type": "application/json", ...bearer };
  const answer = await fetch(`${origin}/${to}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the daemon answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Readonly<Record<string, unknown>>;
}
