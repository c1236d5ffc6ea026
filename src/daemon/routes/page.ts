import type { H3Event } from "h3";
import { SvcError } from "../../contract/errors.ts";
import { namesTag } from "../../domain/entity-tags.ts";
import { bestCoding } from "../accept-encoding.ts";
import type { App } from "../app.ts";
import { headerOf } from "../event.ts";
import { pageFolder, readPage, type Served } from "../page/files.ts";
import { ALWAYS_ASK, GUARD_HEADERS, KEEP_FOREVER } from "../page/headers.ts";
import { ENCODINGS, PAGE_PATH } from "../page/manifest.ts";
import { Reply } from "../reply.ts";

/**
 * Serves the browser application: the page and its assets. They are the same for everybody, so no credential is needed.
 * The files are read at the first request and then kept in memory, so that they do not delay the daemon's start.
 */
export function pageRoutes(app: App, folder: () => string = pageFolder): void {
  let files: ReadonlyMap<string, Served> | undefined;
  const answer = (event: H3Event): Reply => {
    const end = app.host.beginForeground();
    try {
      files ??= readPage(folder());
      if (files === undefined) throw notBuilt();
      const file = files.get(event.url.pathname);
      return file === undefined ? missing() : fileReply(event, file);
    } finally {
      end();
    }
  };
  const toPage = (): Reply => new Reply(302, { ...GUARD_HEADERS, location: PAGE_PATH });
  app.on("GET", "/", toPage, "shell");
  app.on("GET", `${PAGE_PATH}/**`, answer, "shell");
}

function fileReply(event: H3Event, { type, etag, lasting, plain, encoded }: Served): Reply {
  const encoding = bestCoding(
    headerOf(event, "accept-encoding") ?? "",
    ENCODINGS.filter((known) => encoded.has(known)),
  );
  // The bytes differ for each encoding, so each needs a strong ETag of its own.
  const tag = encoding === undefined ? etag : etag.replace(/"$/, `-${encoding}"`);
  const headers = {
    ...GUARD_HEADERS,
    "cache-control": lasting ? KEEP_FOREVER : ALWAYS_ASK,
    vary: "accept-encoding",
    etag: tag,
  };
  if (namesTag(headerOf(event, "if-none-match"), tag)) return new Reply(304, headers);
  const body = encoding === undefined ? plain : (encoded.get(encoding) ?? plain);
  const coding = encoding === undefined ? {} : { "content-encoding": encoding };
  return new Reply(200, { ...headers, ...coding, "content-type": type }, body);
}

/** The answer for a path below the page that does not exist. People follow such links, so the answer is a page too. */
function missing(): Reply {
  const headers = {
    ...GUARD_HEADERS,
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
