import { Agent, request } from "node:http";
import { join } from "node:path";
import { examineDatabase, type StorageReport } from "../../src/archive/doctor.ts";
import { openSnapshot } from "../../src/store/open.ts";
import { daemonProcess } from "./daemon-process.ts";

const WRITERS = 32;

/** What a writer got as an answer: the event is in the log, and what it created exists. */
interface Acknowledged {
  readonly event: string;
  readonly table: "issue" | "comment";
  readonly uid: string;
}

export interface Round {
  /** How the daemon ended; it must be our signal. */
  readonly ended: number | string | null;
  /** The time from the start of the process, with the files of the last round, until the daemon is announced. */
  readonly startMs: number;
  readonly acknowledged: number;
  /** Uids that the daemon acknowledged and the database does not have. */
  readonly lost: readonly string[];
  readonly events: number;
  /** What doctor finds; empty if all is well. */
  readonly faults: readonly unknown[];
}

/**
 * Runs one round: a daemon in another process, 32 writers that each wait for their answers, and SIGKILL after `answers`
 * answers. Then the database is read as the kill left it. The next round starts with the files that remain in the
 * folder.
 */
export async function killRound(folder: string, answers: number): Promise<Round> {
  const begun = performance.now();
  const daemon = await daemonProcess({ folder });
  const startMs = performance.now() - begun;
  const agent = new Agent({ keepAlive: true, maxSockets: WRITERS });
  const { address: socketPath } = daemon.endpoint;
  const post: Post = async (path, body) => await send(agent, socketPath, path, body);
  const project = (await post("/projects", { name: "kill" })).project.id;
  const acknowledged: Acknowledged[] = [];
  const told = (entry: Acknowledged): void => {
    acknowledged.push(entry);
    if (acknowledged.length === answers) process.kill(daemon.pid, "SIGKILL");
  };
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    await writeUntilCut(post, project, writer, told);
  });
  await Promise.all(writers);
  const ended = await daemon.exited;
  agent.destroy();
  return { ended, startMs, ...(await examine(join(folder, "home", "svc.db"), acknowledged)) };
}

type Post = (path: string, body: Readonly<Record<string, unknown>>) => Promise<Body>;

interface Body {
  readonly project: { readonly id: number };
  readonly issue: { readonly uid: string; readonly short_id: string };
  readonly comment: { readonly uid: string };
  readonly event: { readonly uid: string };
}

async function writeUntilCut(
  post: Post,
  project: number,
  writer: number,
  told: (entry: Acknowledged) => void,
): Promise<void> {
  const issues = `/projects/${project}/issues`;
  try {
    for (let turn = 0; ; turn++) {
      const title = `writer ${writer} turn ${turn}`;
      const { issue, event } = await post(issues, { title, labels: ["a"], force_new: true });
      told({ event: event.uid, table: "issue", uid: issue.uid });
      const commented = await post(`${issues}/${issue.uid}/comments`, { body: title });
      told({ event: commented.event.uid, table: "comment", uid: commented.comment.uid });
    }
  } catch (error) {
    // The kill ends every writer, but a refusal is a fault of the round.
    if (error instanceof Refused) throw error;
  }
}

class Refused extends Error {}

async function send(
  agent: Agent,
  socketPath: string,
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<Body> {
  const headers = { "content-type": "application/json" };
  return await new Promise((resolve, reject) => {
    const sent = request(
      { agent, socketPath, method: "POST", path: `/api/v1${path}`, headers },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (piece: string) => {
          text += piece;
        });
        // Only a complete answer is an acknowledgement.
        response.on("error", reject).on("end", () => {
          if (response.statusCode === 200) resolve(JSON.parse(text));
          else reject(new Refused(`${response.statusCode}: ${text}`));
        });
      },
    );
    sent.on("error", reject).end(JSON.stringify({ actor: "ann", ...body }));
  });
}

type Examination = Omit<Round, "ended" | "startMs">;

async function examine(path: string, acknowledged: readonly Acknowledged[]): Promise<Examination> {
  const report = await examineDatabase({ dialect: "sqlite", dsn: path });
  const snapshot = await openSnapshot({ dsn: path });
  const there = new Set<string>();
  for await (const { uid } of snapshot.rows("event")) there.add(uid);
  for await (const { uid } of snapshot.rows("issue")) there.add(uid);
  for await (const { uid } of snapshot.rows("comment")) there.add(uid);
  await snapshot.close();
  const lost = acknowledged.flatMap(({ event, uid }) =>
    [event, uid].filter((known) => !there.has(known)),
  );
  return {
    acknowledged: acknowledged.length,
    lost,
    events: report.events,
    faults: faultsOf(report),
  };
}

function faultsOf({
  integrity,
  changedEvents,
  brokenChain,
  fold,
  derived,
}: StorageReport): readonly unknown[] {
  return [...integrity, ...changedEvents, ...brokenChain, fold ?? [], derived ?? []].flat();
}
