import { mkdirSync, writeFileSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { onTestFinished } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { parseHostPort } from "../../../src/config/addresses.ts";
import { createApp } from "../../../src/daemon/app.ts";
import { listen } from "../../../src/daemon/listeners/listeners.ts";
import type { PageManifest } from "../../../src/daemon/page/manifest.ts";
import { pageRoutes } from "../../../src/daemon/routes/page.ts";
import { tempFolder } from "../../support/daemon.ts";
import { DETACHED_HOST } from "../../support/detached-host.ts";

interface Got {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export type Get = (
  path: string,
  headers?: Readonly<Record<string, string>>,
  method?: string,
) => Promise<Got>;

/** Requests go out as they are written: fetch would resolve dots and add headers. */
export function getter(address: string): Get {
  const { host = "", port = 0 } = parseHostPort(address) ?? {};
  return async (path, headers = {}, method = "GET") =>
    await new Promise((resolve, reject) => {
      request({ host, port, path, method, headers, agent: false })
        .once("error", reject)
        .once("response", (answer) => {
          const { statusCode: status, headers: received } = answer;
          buffer(answer).then((body) => resolve({ status, headers: received, body }), reject);
        })
        .end();
    });
}

const FILES: Readonly<Record<string, string | Buffer>> = {
  "index.html.br": "page as br",
  "index.html.gz": gzipSync("<!doctype html>page"),
  "assets/main-ABC.js.gz": gzipSync("script"),
  "assets/icon-DEF.svg": "icon",
};
const MANIFEST: PageManifest = {
  page: { type: "text/html; charset=utf-8", etag: '"p"', encodings: ["br", "gzip"] },
  assets: {
    "main-ABC.js": {
      type: "text/javascript; charset=utf-8",
      etag: '"m"',
      encodings: ["gzip"],
    },
    "icon-DEF.svg": { type: "image/svg+xml", etag: '"i"', encodings: [] },
  },
};

/** Starts an app that serves a page made by the test from `folder`. */
export async function made(): Promise<{ readonly get: Get; readonly folder: string }> {
  const folder = tempFolder();
  mkdirSync(join(folder, "assets"));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(MANIFEST));
  return { get: await served(folder), folder };
}

export async function served(folder: string): Promise<Get> {
  const app = createApp(DETACHED_HOST, (given) => pageRoutes(given, () => folder));
  const listener = await listen(app, { host: "127.0.0.1", port: 0 }, systemClock);
  onTestFinished(async () => await listener.close());
  return getter(listener.endpoint?.address ?? "");
}

/** The headers that every answer about the page has. */
export const GUARDS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; font-src 'self'; worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};
