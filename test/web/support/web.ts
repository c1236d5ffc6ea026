import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { expect, test } from "vitest";
import { readRecords } from "../../../src/client/record.ts";
import { type DaemonProcess, daemonProcess } from "../../support/daemon-process.ts";
import { freePort } from "../../support/free-port.ts";
import { browser } from "./chromium.ts";
import { type Faults, watchFaults } from "./faults.ts";
import { CHROMIUM } from "./installed-chromium.ts";

export interface WebOptions {
  /** The text of the daemon's `config.toml`. */
  readonly toml?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Width, colours, touch and so on of the pages. */
  readonly context?: BrowserContextOptions;
  /** Whether another program that the test needs is installed; without it the test is skipped. */
  readonly hasProgram?: boolean;
}

/** What can be different after a restart. */
interface Restart extends Pick<WebOptions, "toml" | "env"> {
  readonly args?: readonly string[];
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A built daemon with a home of its own, and a browser that has nothing of earlier tests. */
export interface Web {
  readonly daemon: DaemonProcess;
  /** The origin of the daemon's own listener for pages. */
  readonly origin: string;
  /** The origin of the listener for programs. */
  readonly api: string;
  readonly context: BrowserContext;
  readonly faults: Faults;
  /** Starts a daemon again at the same address with the same home, after `daemon` has ended. */
  startAgain(changed?: Restart): Promise<DaemonProcess>;
  /** Opens an address of the daemon in a new tab. */
  open(path?: string): Promise<Page>;
  /** Sends a request of the API as a program does, not as a page; `path` begins after `/api/v1`. */
  call(
    method: string,
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
}

/**
 * The function that declares a test in Chromium; a test file calls it `inChromium`, by which the linter knows it. The
 * test gets a `Web`. It fails if a page of it wrote an error to the console, did what the policy forbids, or sent a
 * request to another origin. Without a Chromium the test is skipped.
 */
export function webTest(options: WebOptions = {}) {
  const extended = test.extend<{ web: Web }>({
    // vitest reads in the parameter which fixtures this one needs.
    // oxlint-disable-next-line no-empty-pattern
    web: async ({}, use) => await within(options, use),
  });
  const inChromium = extended.skipIf(CHROMIUM === undefined || options.hasProgram === false);
  return (name: string, body: (fixtures: { web: Web }) => Promise<void>, timeout?: number): void =>
    inChromium(name, timeout === undefined ? {} : { timeout }, body);
}

async function within(
  { toml, env = {}, context: shape }: WebOptions,
  use: (web: Web) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "svc-web-"));
  mkdirSync(join(folder, "home"), { mode: 0o700 });
  const pages = `127.0.0.1:${await freePort()}`;
  const configure = (text: string): void =>
    writeFileSync(join(folder, "home", "config.toml"), withPages(text, pages), { mode: 0o600 });
  configure(toml ?? "");
  const daemon = await daemonProcess({ folder, args: ["--listen", "127.0.0.1:0"], env });
  let running = daemon;
  const { address } = daemon.endpoint;
  const [origin, api] = [`http://${pages}`, `http://${address}`];
  const startAgain: Web["startAgain"] = async (changed = {}) => {
    if (changed.toml !== undefined) configure(changed.toml);
    const args = ["--listen", address, ...(changed.args ?? [])];
    running = await daemonProcess({ folder, args, env: { ...env, ...changed.env } });
    return running;
  };
  const context = await (await browser()).newContext({ baseURL: origin, ...shape });
  try {
    await proveOwner(context, daemon, origin);
    const faults = await watchFaults(context, origin);
    const open = async (path = "/svc"): Promise<Page> => {
      const page = await context.newPage();
      await page.goto(path);
      return page;
    };
    await use({ daemon, origin, api, context, faults, startAgain, open, call: caller(api) });
    expect(faults.seen).toEqual([]);
  } finally {
    await context.close();
    await running.end("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Gives the browser the cookie of one in which the owner has opened a page by `svc ui`, where a page needs no token. In
 * other browsers a page of such a daemon closes no issue without evidence.
 */
async function proveOwner(
  context: BrowserContext,
  { pid, runtimeDir }: DaemonProcess,
  origin: string,
): Promise<void> {
  const record = readRecords(runtimeDir).find((one) => one.pid === pid);
  const { mode, own_socket: address } = record?.metadata ?? {};
  if (mode !== "open" || address === undefined) return;
  const { code } = JSON.parse(await codeAt(address)) as { readonly code: string };
  const headers = { origin };
  await context.request.post(`${origin}/api/v1/ui/session/local`, { headers, data: { code } });
}

async function codeAt(socketPath: string): Promise<string> {
  const path = "/api/v1/ui/session/code";
  const headers = { host: "svc", "content-type": "application/json" };
  const asked = request({ socketPath, path, method: "POST", headers }).end("{}");
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  return (await answer.setEncoding("utf8").toArray()).join("");
}

/** The settings with an address for pages, which a page of the owner opens without a token. */
function withPages(toml: string, address: string): string {
  const listen = `[web]\nlisten = "${address}"\n`;
  return toml.includes("[web]\n") ? toml.replace("[web]\n", listen) : toml + listen;
}

function caller(origin: string): Web["call"] {
  return async (method, path, body, headers = {}) => {
    const answer = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
  };
}
