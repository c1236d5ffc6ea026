import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import { freePort } from "../../test/support/free-port.ts";
import type { Connection } from "./connection.ts";
import { type BenchDaemon, startBenchDaemon } from "./daemon.ts";

const SVC = path.resolve(import.meta.dirname, "../../bin/svc");

export type AnswerBody = Readonly<Record<string, unknown>>;

/** Sends a request below `/api/v1`. Throws if the daemon refuses it. */
export async function call(
  connection: Connection,
  method: string,
  at: string,
  body?: object,
): Promise<AnswerBody> {
  const text = body === undefined ? "" : JSON.stringify(body);
  const answer = await connection.send(method, `/api/v1${at}`, text);
  if (answer.status >= 300) throw new Error(`${at}: ${answer.status} ${answer.body}`);
  return JSON.parse(answer.body) as AnswerBody;
}

/** A home whose daemon listens on TCP too. The daemon keeps its address when it is started again. */
export interface HubHome {
  readonly home: string;
  readonly url: string;
  start(): Promise<BenchDaemon>;
}

export async function hubHome(folder: string): Promise<HubHome> {
  const home = mkdtempSync(path.join(folder, "hub"));
  const address = `127.0.0.1:${await freePort()}`;
  const config = `listen = ["unix://${home}/hub.sock", "${address}"]\n`;
  writeFileSync(path.join(home, "config.toml"), config, { mode: 0o600 });
  return {
    home,
    url: `http://${address}`,
    start: async () => await startBenchDaemon({ home }),
  };
}

/** Creates a project with one issue. Returns the path below which comments on the issue are written. */
export async function commentsOf(connection: Connection, name: string): Promise<string> {
  const { project } = (await call(connection, "POST", "/projects", { name, actor: "bench" })) as {
    readonly project: { readonly id: number };
  };
  const at = `/projects/${project.id}/issues`;
  const { issue } = (await call(connection, "POST", at, { title: "beside", actor: "bench" })) as {
    readonly issue: { readonly uid: string };
  };
  return `/api/v1${at}/${issue.uid}/comments`;
}

/** Returns the output of a command, even if the command fails. `svc doctor` fails if it finds a fault, for example. */
export function svc({ env }: Pick<BenchDaemon, "env">, ...words: readonly string[]): string {
  try {
    return execFileSync(SVC, words, { env, maxBuffer: 1 << 28 }).toString();
  } catch (error) {
    return String((error as { readonly stdout?: unknown }).stdout ?? error);
  }
}

export function tellDoctor(daemon: BenchDaemon): void {
  const doctor = svc(daemon, "doctor", "--json");
  console.log(doctor.includes('"status":"error"') ? `doctor: ${doctor}` : "doctor finds no error");
}

/** Restores an export into a new home, and returns the seconds that it takes. */
export function restore(folder: string, file: string): number {
  const home = mkdtempSync(path.join(folder, "restored"));
  const begun = performance.now();
  const env = { ...process.env, SVC_HOME: home, XDG_RUNTIME_DIR: home };
  execFileSync(SVC, ["import", "--input", file], { env, stdio: ["ignore", "ignore", "inherit"] });
  return (performance.now() - begun) / 1000;
}
