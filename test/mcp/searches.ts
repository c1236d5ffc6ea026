import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "h3";
import { expect, onTestFinished } from "vitest";
import { UNAVAILABLE, type UnavailableReason } from "../../src/domain/meaning/unavailable.ts";
import { Local } from "../client/local.ts";
import { tempFolder } from "../support/daemon.ts";
import type { World } from "../support/world.ts";
import { ToolWorld } from "./tools.ts";

/** Stands in the text of a refusal of the provider. */
export const SECRET = "sk-0123456789";

export const MODES = ["lexical", "auto", "hybrid", "semantic"] as const;
export type Mode = (typeof MODES)[number];

/** The mode that answers, why words alone answer, or the status and the code of a refusal. */
export type Outcome = Mode | UnavailableReason | readonly [status: number, code: string];

/** Serves the routes of a world over HTTP. Returns the origin. */
export async function served(w: World): Promise<string> {
  const server = createServer(toNodeHandler(w.app.h3));
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await listening;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Answer {
  readonly mode?: string;
  readonly degraded?: boolean;
  readonly degraded_reason?: string;
  readonly results?: readonly Result[];
  readonly error?: { readonly code: string; readonly message: string };
}

interface Result {
  readonly issue: { readonly uid: string };
  readonly matched_in: readonly string[];
}

/** Searches of the daemon at this origin, over HTTP and through a tool server. */
export async function searchesAt(origin: string) {
  const local = new Local(tempFolder());
  const client = await local.client(local.home, {
    SVC_SERVER: origin,
    SVC_HTTP_TIMEOUT: "60s",
  });
  const tools = await new ToolWorld(local, client).serve("all");
  return {
    ask: async (project_id: number, asked: Readonly<Record<string, string>>) => {
      const path = `/api/v1/projects/${project_id}/search?${new URLSearchParams(asked)}`;
      const answer = await fetch(`${origin}${path}`);
      return { status: answer.status, body: (await answer.json()) as Answer };
    },
    /** The same search through the tool. `failure` is the text of a refusal. */
    call: async (query: string, mode: Mode) => {
      const { answer, failure } = await tools.call("svc.search", { query, mode });
      return { answer: answer as Answer, failure };
    },
  };
}

type Searches = Awaited<ReturnType<typeof searchesAt>>;

/** Searches in a mode over HTTP, expects that the tool says the same, and returns the outcome. */
export async function expectSameOutcome(
  { ask, call }: Searches,
  project_id: number,
  mode: Mode,
): Promise<Outcome> {
  const q = `slow ${mode}`;
  const { status, body } = await ask(project_id, { q, mode });
  expect(JSON.stringify(body)).not.toContain(SECRET);
  const { answer, failure } = await call(q, mode);
  if (body.error !== undefined) {
    expect(failure, mode).toContain(body.error.message);
    return [status, body.error.code];
  }
  expect([status, failure], mode).toEqual([200, undefined]);
  const { degraded = false, degraded_reason } = body;
  expect([answer.mode, answer.degraded, answer.degraded_reason], mode).toEqual([
    body.mode,
    degraded,
    degraded_reason,
  ]);
  if (!degraded) return body.mode as Mode;
  expect(body.mode).toBe("lexical");
  const reasons = Object.keys(UNAVAILABLE) as UnavailableReason[];
  const reason = reasons.find((one) => UNAVAILABLE[one] === degraded_reason);
  if (reason === undefined) throw new Error(`another reason: ${degraded_reason}`);
  return reason;
}
