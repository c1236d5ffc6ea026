import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseHostPort } from "../../src/config/addresses.ts";
import { type ConfigInput, loadConfig } from "../../src/config/load.ts";
import { SvcError } from "../../src/contract/errors.ts";
import { type Daemon, StartError, settingsFrom, startDaemon } from "../../src/daemon/index.ts";

/** The settings of a daemon, as a person writes them. */
export interface Attempt {
  /** The text of config.toml, with `$HOME` for its folder. */
  readonly file?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: ConfigInput["flags"];
  readonly requests?: readonly Sent[];
}

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** `made` stands for the token that the test made for ann. */
  readonly bearer?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Which of the daemon's listeners; by default the last. */
  readonly at?: number;
}

export interface Outcome {
  readonly refused?: { readonly message: string; readonly hint: string | undefined };
  readonly idle?: boolean;
  /** Where it listened, without ports, the home folder as `$HOME`. */
  readonly addresses?: readonly string[];
  /** The code of the error, or else the status. */
  readonly answers?: readonly (string | number)[];
}

/** Starts a real daemon, sends the requests to its listener, and stops it. */
export async function attempt({ file, env, flags, requests = [] }: Attempt): Promise<Outcome> {
  const home = mkdtempSync(join(tmpdir(), "svc-start-"));
  try {
    if (file !== undefined)
      writeFileSync(join(home, "config.toml"), file.replaceAll("$HOME", home), { mode: 0o600 });
    const config = await loadConfig({
      env: { SVC_HOME: home, XDG_RUNTIME_DIR: home, ...env },
      cwd: home,
      ...(flags === undefined ? {} : { flags }),
    });
    const settings = settingsFrom(config, "1.2.3");
    const daemon = await startDaemon(settings);
    try {
      const answers = await answersOf(daemon, requests);
      const addresses = daemon.endpoints.map(({ address }) =>
        address.replace(home, "$HOME").replace(/:\d+$/, ""),
      );
      return { idle: settings.idleTimeoutMs !== undefined, addresses, answers };
    } finally {
      await daemon.stop();
    }
  } catch (error) {
    if (!(error instanceof SvcError || error instanceof StartError)) throw error;
    return { refused: { message: error.message, hint: error.hint } };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Answers to wrong tokens are delayed. So this waits for the first answer, and then sends all others together. */
async function answersOf(
  { endpoints }: Daemon,
  [first, ...others]: readonly Sent[],
): Promise<readonly (string | number)[]> {
  let made: unknown;
  const answerTo = async ({ bearer, at = -1, ...sent }: Sent): Promise<string | number> => {
    const endpoint = endpoints.at(at);
    if (endpoint === undefined) throw new Error("the daemon has no such listener");
    const token = bearer === "made" ? made : bearer;
    const given = typeof token === "string" ? { bearer: token } : {};
    const { status, body } = await ask(endpoint, { ...sent, ...given });
    made ??= body["plaintext"];
    const error = body["error"] as { readonly code: string } | undefined;
    return error?.code ?? status;
  };
  if (first === undefined) return [];
  return [await answerTo(first), ...(await Promise.all(others.map(answerTo)))];
}

async function ask({ network, address }: Daemon["endpoint"], sent: Omit<Sent, "at">) {
  const to = network === "unix" ? { socketPath: address } : reached(address);
  const { method, path, body, bearer } = sent;
  const headers = {
    host: network === "unix" ? "localhost" : address,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    ...sent.headers,
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({
      ...to,
      method,
      path: path.startsWith("/debug/") ? path : `/api/v1${path}`,
      headers,
      agent: false,
    })
      .once("response", resolve)
      .once("error", reject)
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
  const { statusCode: status = 0, headers: given } = response;
  if (given["content-type"] === "text/event-stream") {
    response.destroy();
    return { status, body: {} };
  }
  let text = "";
  for await (const piece of response.setEncoding("utf8")) text += String(piece);
  if (!text.startsWith("{")) return { status, body: {} };
  return { status, body: JSON.parse(text) as Readonly<Record<string, unknown>> };
}

/** A wildcard address is called by its loopback address. */
function reached(address: string) {
  const { host = "", port = 0 } = parseHostPort(address) ?? {};
  return { host: { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host, port };
}
