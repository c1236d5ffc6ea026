import { parseExact } from "../src/base/json.ts";
import { SvcError } from "../src/contract/errors.ts";
import { UnavailableError } from "../src/shared/answer-errors.ts";
import { type CallParts, sentHeaders, targetOf } from "../src/shared/call-parts.ts";
import { refusalIn } from "../src/shared/refusal.ts";
import type { ScreenRoutes, Transport } from "../src/shared/transport.ts";
import { ROUTES } from "./routes.ts";
import { changeHeaders, type Session, type Sessions, sessionHeaders } from "./session.ts";

const ANSWER_MS = 30_000;

/** Sends requests to the daemon that served the page, with the session of this tab. */
export function transportOf(sessions: Sessions, send: typeof fetch): Transport {
  const text = async (id: keyof ScreenRoutes, input: object): Promise<string> => {
    const route = routeOf(id);
    const answer = await answered(sessions, async (session) => {
      return await send(...requestOf(route, input as CallParts, session));
    });
    const body = await sent(async () => await answer.text());
    if (answer.ok) return body;
    throw refusalIn(answer.status, body);
  };
  return {
    text,
    call: async (id, input) => {
      const body = await text(id, input);
      // The cast is safe: the daemon's answers have the types of the contract.
      return (body === "" ? {} : parseExact(body)) as never;
    },
  };
}

/**
 * Sends a request. If the session has ended, sends it again with a new session; this is safe, because the refused
 * request changed nothing.
 */
export async function answered(
  sessions: Sessions,
  send: (session: Session) => Promise<Response>,
): Promise<Response> {
  const session = await sessions.session();
  const answer = await sent(async () => await send(session));
  if (answer.status !== 401) return answer;
  const again = await sessions.after(session);
  // If another person has signed in, the request must not be recorded under that person's name.
  if (session.actor !== undefined && session.actor !== again.actor) return answer;
  return await sent(async () => {
    // An answer that nobody reads keeps its connection busy.
    await answer.text();
    return await send(again);
  });
}

async function sent<Value>(send: () => Promise<Value>): Promise<Value> {
  try {
    return await send();
  } catch (cause) {
    throw new UnavailableError("the daemon does not answer", { cause });
  }
}

type Route = readonly [method: string, path: string];

/** Throws for a route of bridges. The daemon would refuse it to any page, so it is not asked. */
function routeOf(id: keyof ScreenRoutes): Route {
  const routes: Readonly<Partial<Record<keyof ScreenRoutes, Route>>> = ROUTES;
  const route = routes[id];
  if (route !== undefined) return route;
  throw new SvcError("integration_administration_forbidden", {}, NO_PAGE);
}

const NO_PAGE = {
  message: "no page may see or change bridges",
  hint: "use svc tui or svc bridge",
};

function requestOf(
  [method, path]: Route,
  { params = {}, query = {}, headers = {}, body }: CallParts,
  session: Session,
): [url: string, init: RequestInit] {
  const init = {
    method,
    headers: {
      ...sentHeaders(headers),
      ...sessionHeaders(session),
      ...(method === "GET" ? {} : changeHeaders(session)),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    signal: AbortSignal.timeout(ANSWER_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  return [targetOf(path, params, query), init];
}
