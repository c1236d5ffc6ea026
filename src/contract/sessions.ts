import { z } from "zod";
import { SESSION_BODY_BYTES } from "./limits.ts";
import { routesOf } from "./route.ts";
import { component, Nothing, shape } from "./shape.ts";

const route = routesOf("sessions");

/** Header with the secret of a page's session. A request of a page needs the cookie of the daemon too. */
export const SESSION_HEADER = "x-svc-web-session";
/** Header that every change by a page carries. */
export const CSRF_HEADER = "x-svc-csrf";
/** The header with the origin of the pages, in a 401 on a listener that serves pages. */
export const WEB_ORIGIN_HEADER = "x-svc-web-origin";
/**
 * The header in the same 401 that says how a page of this listener signs in. `loopback`: it first tries without a
 * token. `login`: with a token.
 */
export const WEB_AUTHENTICATION_HEADER = "x-svc-web-authentication";

/** The path at which the pages of a daemon begin. */
export const BROWSER_ROUTE = "/svc";

const ReturnPath = shape(() =>
  z
    .string()
    .max(2048)
    .optional()
    .describe("the path to show then, of the same origin; default /svc"),
);

const Session = component("WebSession", () =>
  z.looseObject({
    session: z.string().describe("the value of X-Svc-Web-Session; in no later answer"),
    csrf: z.string().describe("the value of X-Svc-CSRF for every request that is no GET"),
    return_path: z.string(),
    writable: z.boolean().describe("false if the session only reads"),
    updates: z.enum(["sse", "poll"]).describe("poll if the event stream is closed to pages"),
    actor_policy: z
      .enum(["request", "identity"])
      .describe("who writes are attributed to: the actor of the request, or of the session"),
    actor: z.string().optional().describe("that actor, if it is the session's"),
    suggested_actor: z
      .string()
      .optional()
      .describe("for a page of this machine: who the user of the daemon probably is"),
    expires_at: z.string().meta({ format: "date-time" }),
  }),
);

const SetCookie = { "Set-Cookie": "the cookie that belongs to every session of this daemon" };

/** The most characters of a code or a proof that a request may have. Real ones are 43 characters. */
const MAX_SECRET = 128;

export const createWebSessionCode = route({
  id: "createWebSessionCode",
  method: "POST",
  path: "/ui/session/code",
  access: "open",
  summary:
    "a one-time code that opens a session without a token, for the user who runs the daemon; only on the daemon's own socket",
  maxBodyBytes: SESSION_BODY_BYTES,
  body: component("WebSessionCodeRequest", () =>
    z.strictObject({
      proof: z
        .string()
        .max(MAX_SECRET)
        .optional()
        .describe("where the system has no sockets: what the file owner-proof of the daemon says"),
    }),
  ),
  response: component("WebSessionCode", () =>
    z.looseObject({
      code: z.string().describe("for one session; add it to the fragment of the page's address"),
      expires_at: z.string().meta({ format: "date-time" }),
      origin: z.string().describe("the origin of the pages on which the code counts"),
    }),
  ),
  errors: ["not_found"],
});

export const createLocalWebSession = route({
  id: "createLocalWebSession",
  method: "POST",
  path: "/ui/session/local",
  access: "open",
  summary: "open a session for a page of the machine's own user; elsewhere there is no such path",
  maxBodyBytes: SESSION_BODY_BYTES,
  body: component("LocalWebSessionRequest", () =>
    z.strictObject({
      return_path: ReturnPath(),
      code: z
        .string()
        .max(MAX_SECRET)
        .optional()
        .describe("a code of createWebSessionCode, as proof that the owner opens the page"),
    }),
  ),
  response: Session,
  responseHeaders: {
    "Set-Cookie":
      "the cookie that belongs to every session of this daemon, and with a code one that is the proof of this browser from then on",
  },
  errors: ["not_found"],
});

export const loginWebSession = route({
  id: "loginWebSession",
  method: "POST",
  path: "/ui/session/login",
  access: "open",
  summary: "open a session for who has a token",
  maxBodyBytes: SESSION_BODY_BYTES,
  body: component("LoginWebSessionRequest", () =>
    z.strictObject({ token: z.string(), return_path: ReturnPath() }),
  ),
  response: Session,
  responseHeaders: SetCookie,
  errors: ["login_invalid", "not_found"],
});

export const proxyWebSession = route({
  id: "proxyWebSession",
  method: "POST",
  path: "/ui/session/proxy",
  access: "open",
  summary: "open a session for whom a trusted proxy names; elsewhere there is no such path",
  maxBodyBytes: SESSION_BODY_BYTES,
  body: component("ProxyWebSessionRequest", () => z.strictObject({ return_path: ReturnPath() })),
  response: Session,
  responseHeaders: SetCookie,
  errors: ["auth_required", "auth_invalid", "token_invalid", "actor_header_required", "not_found"],
});

export const deleteWebSession = route({
  id: "deleteWebSession",
  method: "DELETE",
  path: "/ui/session",
  access: "open",
  summary: "end the session of a page",
  response: Nothing,
  status: 204,
  errors: ["web_session_required", "csrf_invalid"],
});
