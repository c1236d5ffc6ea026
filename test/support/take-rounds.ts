import { Agent, request } from "node:http";
import { systemClock } from "../../src/base/clock.ts";
import { openSnapshot } from "../../src/store/open.ts";
import type { DaemonProcess } from "./daemon-process.ts";

/** The answer to a take: which issue was taken, and by which claim. */
export interface TakeAnswer {
  readonly issue: string;
  /** The id of the lease; a claim without a lease has none. */
  readonly claim: string | undefined;
}

/**
 * A worker that takes one issue after another, each with its own key. It uses the next key only when it knows the
 * result of the last one. So it can continue when its daemon is killed.
 */
export class Worker {
  readonly #name: string;
  readonly #body: object;
  readonly told = new Map<string, TakeAnswer>();
  #turn = 0;

  constructor(name: string, lease: boolean) {
    this.#name = name;
    this.#body = lease ? { lease: { ttl_seconds: 3600 } } : {};
  }

  /** Takes issues until the connection breaks, or `turns` times. */
  async work(post: Post, tell: () => void, turns = Number.POSITIVE_INFINITY): Promise<void> {
    for (let done = 0; done < turns; done++) {
      const key = `${this.#name}/${this.#turn}`;
      const answer = await post(key, { actor: this.#name, ...this.#body });
      if (answer === undefined) return;
      const { issue, lease } = answer;
      if (issue === null) throw new Error("the test has too few issues");
      this.told.set(key, { issue: issue.uid, claim: lease?.claim_uid });
      this.#turn += 1;
      tell();
    }
  }
}

interface Taken {
  readonly issue: { readonly uid: string } | null;
  readonly lease?: { readonly claim_uid: string };
}

type Post = (key: string, body: object) => Promise<Taken | undefined>;

/** Runs all workers at the same time against a daemon, which is killed this long after this many answers. */
export async function takeRound(
  daemon: DaemonProcess,
  workers: readonly Worker[],
  { path, answers, ms }: { readonly path: string; readonly answers: number; readonly ms: number },
): Promise<number | string | null> {
  let told = 0;
  const kill = async (): Promise<void> => {
    await systemClock.sleep(ms);
    process.kill(daemon.pid, "SIGKILL");
  };
  const tell = (): void => {
    told += 1;
    if (told === answers) void kill();
  };
  await atOnce(daemon, path, workers, async (worker, post) => await worker.work(post, tell));
  return await daemon.exited;
}

/** Lets every worker repeat its last key until it gets an answer. */
export async function lastTurn(
  daemon: DaemonProcess,
  workers: readonly Worker[],
  path: string,
): Promise<void> {
  await atOnce(daemon, path, workers, async (worker, post) => {
    await worker.work(post, () => undefined, 1);
  });
}

async function atOnce(
  { endpoint }: DaemonProcess,
  path: string,
  workers: readonly Worker[],
  work: (worker: Worker, post: Post) => Promise<void>,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: workers.length });
  const post: Post = async (key, body) => {
    for (;;) {
      const answer = await take(agent, endpoint.address, { path, key, body });
      if (answer !== "busy") return answer;
    }
  };
  await Promise.all(workers.map(async (worker) => await work(worker, post)));
  agent.destroy();
}

/**
 * `undefined` means that the connection broke. `busy` means that PostgreSQL has not noticed the kill of the last
 * daemon, and that the request was not carried out. Any other refusal is a fault of the round.
 */
async function take(
  agent: Agent,
  socketPath: string,
  { path, key, body }: { readonly path: string; readonly key: string; readonly body: object },
): Promise<Taken | "busy" | undefined> {
  const headers = { "content-type": "application/json", "idempotency-key": key };
  return await new Promise((resolve, reject) => {
    const sent = request({ agent, socketPath, method: "POST", path, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      response.on("error", () => resolve(undefined));
      response.on("end", () => {
        if (response.statusCode === 200) resolve(JSON.parse(text));
        else if (text.includes('"code":"busy"')) resolve("busy");
        else reject(new Error(`${response.statusCode}: ${text}`));
      });
    });
    sent.on("error", () => resolve(undefined)).end(JSON.stringify(body));
  });
}

/** Returns the claims in the log, by the key with which each was made. */
export async function claimsOf(
  place: Parameters<typeof openSnapshot>[0],
): Promise<readonly (readonly [key: string, made: TakeAnswer])[]> {
  const found: (readonly [string, TakeAnswer])[] = [];
  const snapshot = await openSnapshot(place);
  for await (const event of snapshot.rows("event")) {
    if (event.type !== "issue.assigned" && event.type !== "claim.acquired") continue;
    const { idempotency_key: key = "without a key" } = event.payload;
    const claim = event.type === "claim.acquired" ? event.payload.claim_uid : undefined;
    found.push([key, { issue: event.issue_uid ?? "", claim }]);
  }
  await snapshot.close();
  return found;
}
