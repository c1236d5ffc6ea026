import type { H3Event } from "h3";
import { SvcError } from "../../contract/errors.ts";
import { namesTag } from "../../domain/entity-tags.ts";
import { isForwarded } from "../access/peer.ts";
import type { App } from "../app.ts";
import { pageFolder, readPage, type ServedFile } from "../page/files.ts";
import { ALWAYS_ASK, KEEP_FOREVER } from "../page/headers.ts";
import { ENCODINGS, PAGE_PATH } from "../page/manifest.ts";
import { bestCoding } from "../replies/accept-encoding.ts";
import { Reply } from "../replies/reply.ts";
import { headerOf, SocketEvent } from "../requests/event.ts";
import { namedHost } from "../requests/host.ts";
import { isLoopbackHost } from "../requests/loopback-host.ts";

/**
 * Serves the browser application: the page and its assets. They are the same for everybody, so no credential is needed.
 * The files are read at the first request and then kept in memory, so that they do not delay the daemon's start.
 */
export function pageRoutes(app: App, folder: () => string = pageFolder): void {
  let files: ReadonlyMap<string, ServedFile> | undefined;
  const answer = (event: H3Event): Reply => {
    const end = app.host.beginForeground();
    try {
      const there = SHOWN.has(event.url.pathname) ? canonicalAddress(event) : undefined;
      if (there !== undefined) return new Reply(302, { location: there });
      files ??= readPage(folder());
      if (files === undefined) throw notBuilt();
      const file = files.get(event.url.pathname);
      return file === undefined ? missingPage() : fileReply(event, file);
    } finally {
      end();
    }
  };
  const toPage = (): Reply => new Reply(302, { location: PAGE_PATH });
  app.on("GET", "/", toPage, "shell");
  app.on("GET", `${PAGE_PATH}/**`, answer, "shell");
}

const SHOWN: ReadonlySet<string> = new Set([PAGE_PATH, `${PAGE_PATH}/`]);

/**
 * Returns the address to which a request for the page is redirected, or `undefined` if it is answered where it is. A
 * request is redirected if it names another loopback name than the origin of the daemon's pages, such as `localhost`
 * instead of `127.0.0.1`, because a page at another name could change nothing. A request that names another port is not
 * redirected, because a tunnel or a proxy may listen at this port and lead the browser back again and again.
 */
function canonicalAddress(event: H3Event): string | undefined {
  if (!(event instanceof SocketEvent) || isForwarded(event)) return undefined;
  const { listener, req } = event.connection;
  const named = namedHost(req);
  if (listener.origin === undefined || !isLoopbackHost(named)) return undefined;
  const own = new URL(listener.origin);
  const target = new URL(`${own.protocol}//${named}`);
  const isOther = isLoopbackHost(own.host) && target.host !== own.host && target.port === own.port;
  return isOther ? own.origin + event.url.pathname + event.url.search : undefined;
}

function fileReply(event: H3Event, { type, etag, lasting, plain, encoded }: ServedFile): Reply {
  const encoding = bestCoding(
    headerOf(event, "accept-encoding") ?? "",
    ENCODINGS.filter((known) => encoded.has(known)),
  );
  // The bytes differ for each encoding, so each needs a strong ETag of its own.
  const tag = encoding === undefined ? etag : etag.replace(/"$/, `-${encoding}"`);
  const headers = {
    "cache-control": lasting ? KEEP_FOREVER : ALWAYS_ASK,
    vary: "accept-encoding",
    etag: tag,
  };
  if (namesTag(headerOf(event, "if-none-match"), tag)) return new Reply(304, headers);
  const body = encoding === undefined ? plain : (encoded.get(encoding) ?? plain);
  const coding = encoding === undefined ? {} : { "content-encoding": encoding };
  return new Reply(200, { ...headers, ...coding, "content-type": type }, body);
}

/** The reply for a path below `/svc` that does not exist. People follow links to such paths, so the reply is a page. */
function missingPage(): Reply {
  const headers = {
    "cache-control": ALWAYS_ASK,
    "content-type": "text/html; charset=utf-8",
  };
  return new Reply(404, headers, MISSING);
}

const MISSING = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Not found - svc</title>
<h1>Not found</h1>
<p>There is nothing at this address. <a href="${PAGE_PATH}">Open the issues</a></p>
</html>
`;

function notBuilt(): SvcError {
  return new SvcError(
    "not_found",
    {},
    { message: "the browser page is not built", hint: "npm run build, then restart the daemon" },
  );
}
