import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { resolve } from "node:path";
import { type Clock, instantToMs, parseInstant } from "../../base/clock.ts";
import { errorCode } from "../../base/error-code.ts";
import { isPlainObject, type JsonValue } from "../../base/json.ts";
import { pathFault } from "../../config/path-fault.ts";
import type { ProviderSyncApp } from "../../config/provider-sync.ts";
import { readIfThere } from "../../config/toml.ts";
import { redactor } from "../../outgoing/redact.ts";
import { Waits } from "../../outgoing/waits.ts";
import { ProviderFault } from "../provider.ts";
import { ask, farSideOf, WAIT_LIMITS } from "./client.ts";
import type { CredentialRequest } from "./credential-request.ts";
import { faultOfAnswer, undecodable } from "./faults.ts";

interface StoredToken {
  readonly token: string;
  readonly untilMs: number;
}

/** A token with less time left than this is not used any more, so that a token lasts for a whole run. */
const LEAST_LEFT_MS = 10 * 60_000;

/** Tokens of installed apps. Each is kept until shortly before it ends, and only in memory. */
export class AppTokens {
  readonly #options: { readonly clock: Clock; readonly home: string };
  readonly #kept = new Map<string, StoredToken>();

  constructor(options: { readonly clock: Clock; readonly home: string }) {
    this.#options = options;
  }

  /** Throws if the key cannot be read or the host gives no token. No other credential is tried then. */
  async tokenOf(app: ProviderSyncApp, wanted: CredentialRequest): Promise<string> {
    const { clock } = this.#options;
    // Read the key even if a token is kept: once the key is removed, the token must not be used any more.
    const key = this.#keyOf(app);
    const name = JSON.stringify([app.host, app.app_id, app.installation_id]);
    const kept = this.#kept.get(name);
    if (kept !== undefined && kept.untilMs - LEAST_LEFT_MS > clock.nowMs()) return kept.token;
    const fresh = await this.#ask(app, key, wanted);
    this.#kept.set(name, fresh);
    return fresh.token;
  }

  /** Called when the host refused a token: the next run asks for a new one. */
  forget(): void {
    this.#kept.clear();
  }

  #keyOf({ private_key_path }: ProviderSyncApp): KeyObject {
    const path = resolve(this.#options.home, private_key_path);
    const fault = pathFault(path, "set private_key_path to a file of your own");
    if (fault !== undefined) throw unusable(`${fault.path} ${fault.what}`, fault.hint);
    const pem = textOfKey(path);
    if (pem === undefined) throw unusable(`${path} is not there`, NAME_KEY);
    const key = keyIn(pem);
    if (key?.asymmetricKeyType !== "rsa") throw unusable(`${path} holds no RSA key`, NAME_KEY);
    return key;
  }

  async #ask(
    app: ProviderSyncApp,
    key: KeyObject,
    wanted: CredentialRequest,
  ): Promise<StoredToken> {
    const { clock } = this.#options;
    const { endpoints, progress, signal } = wanted;
    const proof = proofOf(app.app_id, key, clock.nowMs());
    const farSide = farSideOf({ clock }, endpoints.rest, proof);
    try {
      const id = encodeURIComponent(app.installation_id);
      const request = {
        method: "POST",
        url: `${endpoints.rest}/app/installations/${id}/access_tokens`,
        body: JSON.stringify({ permissions: { metadata: "read", issues: "read" } }),
        repeatable: true,
      } as const;
      const waits = new Waits({ clock }, WAIT_LIMITS);
      const answer = await ask(farSide, request, { waits, progress, signal });
      // A successful answer contains the token, so no part of such an answer is shown.
      if (answer.status !== 201) throw faultOfAnswer(answer, "installation", farSide.redact);
      return tokenIn(answer.body);
    } finally {
      farSide.close();
    }
  }
}

function textOfKey(path: string): string | undefined {
  try {
    return readIfThere(path);
  } catch (error) {
    throw unusable(`${path} cannot be read${suffix(error)}`, NAME_KEY);
  }
}

function suffix(error: unknown): string {
  const code = errorCode(error instanceof Error ? error.cause : undefined);
  return code === undefined ? "" : ` (${code})`;
}

function keyIn(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    // The reason is not shown: it may quote the file.
    return undefined;
  }
}

/**
 * Returns the proof that svc has the key of the app: a JWT signed with RS256. It is valid for nine minutes, which begin
 * a minute ago, because clocks differ.
 */
function proofOf(appId: string, key: KeyObject, nowMs: number): string {
  const now = Math.floor(nowMs / 1000);
  const parts = [
    { alg: "RS256", typ: "JWT" },
    { iat: now - 60, exp: now + 8 * 60, iss: appId },
  ];
  const text = parts
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${text}.${sign("RSA-SHA256", Buffer.from(text), key).toString("base64url")}`;
}

function tokenIn(body: Buffer): StoredToken {
  const value = objectIn(body);
  const { token, expires_at } = isPlainObject(value) ? value : {};
  const until = typeof expires_at === "string" ? parseInstant(expires_at) : undefined;
  if (typeof token !== "string" || !/^[\x21-\x7e]{1,4096}$/.test(token) || until === undefined)
    throw undecodable("no token for the installation of the app");
  return { token, untilMs: instantToMs(until) };
}

function objectIn(body: Buffer): JsonValue {
  try {
    return JSON.parse(body.toString("utf8")) as JsonValue;
  } catch {
    throw undecodable("no JSON where a token was asked");
  }
}

const NAME_KEY = "name the file of the app's private key (PEM) as private_key_path";

function unusable(what: string, hint: string): ProviderFault {
  const shown = redactor([])(`the private key of [[provider_sync.app]] cannot be used: ${what}`);
  return new ProviderFault("credentials", shown, hint);
}
