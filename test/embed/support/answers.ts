import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  EventsAnswer,
  HealthAnswer,
  PeersAnswer,
  ShowAnswer,
} from "../../../web/embed/answers.ts";
import { daemonProcess } from "../../support/daemon-process.ts";
import { lived } from "../../web/support/lived.ts";

/** A running daemon with a project in which people work. */
export interface Served {
  /** The home of the daemon, by which `svc/client` finds it. */
  readonly home: string;
  /** The issue that has most to show. */
  readonly uid: string;
  /** Asks the API; `path` begins after `/api/v1`. */
  call(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }>;
  end(): Promise<void>;
}

export async function serveLived(): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), "svc-embed-home-"));
  const daemon = await daemonProcess({ folder, args: ["--listen", "127.0.0.1:0"] });
  const call: Served["call"] = async (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = { "content-type": "application/json" };
    const url = `http://${daemon.endpoint.address}/api/v1${path}`;
    const answer = await fetch(url, { method, headers, ...sent });
    return { status: answer.status, body: await answer.json() };
  };
  const end = async (): Promise<void> => {
    await daemon.end("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  };
  const { uid } = await lived({
    call: async (method, path, body) => await call(method, path, body),
  });
  return { home: join(folder, "home"), uid, call, end };
}

export interface Answers {
  readonly issue: ShowAnswer;
  readonly events: EventsAnswer;
  readonly peers: PeersAnswer;
  readonly health: HealthAnswer;
}

/** What a host gives the element to show an issue: answers of a daemon, as they came. */
export async function answersOf({ call }: Served, uid: string): Promise<Answers> {
  const read = async <Answer>(path: string): Promise<Answer> =>
    (await call("GET", path)).body as Answer;
  const issue = await read<ShowAnswer & { readonly issue: { readonly project_id: number } }>(
    `/issues/${uid}`,
  );
  const ends = issue.links.flatMap(({ from, to }) => [from.uid, to.uid]);
  const peers = [...new Set(ends)].map((end) => `issue_uid=${end}`).join("&");
  return {
    issue,
    events: await read(`/projects/${issue.issue.project_id}/issues/${uid}/events`),
    peers: await read(`/issues?${peers}`),
    health: await read("/health"),
  };
}
