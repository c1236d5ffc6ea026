import type { Stats } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Clock, systemClock } from "../base/clock.ts";
import { isUlid } from "../base/ulid.ts";
import { SvcError } from "../contract/errors.ts";
import { MOVE_HOME } from "./config-file.ts";
import { belongsTo, isTrustedOwner, pathFault } from "./path-fault.ts";
import { openReplacement } from "./replacement-file.ts";
import { fileError, formatToml, isTable, parseToml, readIfThere, type TomlTable } from "./toml.ts";

/** What this daemon shows a hub, to copy one project of it (facts federation 10, credential store). */
export interface Credential {
  /** The base URL of the hub. */
  readonly hub_url: string;
  /** The id of the project on the hub. */
  readonly hub_project_id: number;
  /** The secret. It is sent to the hub alone, and stands in no answer, error or log line. */
  readonly token: string;
  readonly capabilities: readonly string[];
  /** To whom the hub attributes the changes of this daemon. */
  readonly actor: string;
  /** Whether the token may be sent by plain HTTP to a host for which that is refused otherwise. */
  readonly allow_insecure: boolean;
  /** The database that the token was made for. Several databases can share a home, and so this file. */
  readonly spoke_instance_uid: string;
}

export type CredentialStatus = "present" | "missing" | "unreadable";

export function credentialsPath(home: string): string {
  return join(home, "credentials.toml");
}

/**
 * The enrollment tokens of the projects that this daemon copies, by the uid of the project. Each change reads the file,
 * and replaces it by a new one that only its owner can read; changes take turns, also those of other processes. The file
 * has its old or its new content after a crash. A file that cannot be trusted or understood is never replaced.
 */
export class Credentials {
  readonly path: string;
  readonly #clock: Pick<Clock, "nowMs" | "sleep">;
  #last: Promise<unknown> = Promise.resolve();

  constructor(path: string, clock: Pick<Clock, "nowMs" | "sleep"> = systemClock) {
    this.path = path;
    this.#clock = clock;
  }

  /** All credentials. Throws if the file is unreadable. A missing file has none. */
  async all(): Promise<ReadonlyMap<string, Credential>> {
    return (await this.#read()).known;
  }

  async get(uid: string): Promise<Credential | undefined> {
    return (await this.all()).get(uid);
  }

  async status(uid: string): Promise<CredentialStatus> {
    try {
      return (await this.get(uid)) === undefined ? "missing" : "present";
    } catch (error) {
      if (error instanceof SvcError) return "unreadable";
      throw error;
    }
  }

  async store(uid: string, credential: Credential): Promise<void> {
    await this.#change(uid, () => credential);
  }

  /** Repeating it changes nothing. */
  async delete(uid: string): Promise<void> {
    await this.#change(uid, () => undefined);
  }

  /** Returns false, and changes nothing, if the stored credential is neither the expected nor the next one. */
  async replace(uid: string, expected: Credential, next: Credential): Promise<boolean> {
    return await this.#change(uid, (known) =>
      isDeepStrictEqual(known, expected) || isDeepStrictEqual(known, next) ? next : "other",
    );
  }

  async #change(uid: string, nextOf: Change): Promise<boolean> {
    const before = this.#last;
    const change = (async () => {
      await before;
      return await this.#rewrite(uid, nextOf);
    })();
    this.#last = change.catch(() => undefined);
    return await change;
  }

  async #rewrite(uid: string, nextOf: Change): Promise<boolean> {
    const replacement = await openReplacement(this.path, this.#clock);
    try {
      const { table, projects, known } = await this.#read();
      const before = known.get(uid);
      const next = nextOf(before);
      if (next === "other") return false;
      if (isDeepStrictEqual(next, before)) return true;
      const { [uid]: former, ...others } = projects;
      // Fields of an entry that are unknown here stay: a later release wrote them.
      const entry = next === undefined ? {} : { [uid]: { ...former, ...next } };
      replacement.put(await formatToml({ ...table, projects: { ...others, ...entry } }));
      return true;
    } finally {
      replacement.drop();
    }
  }

  async #read() {
    const text = readIfThere(this.path, (found) => requirePrivate(this.path, found)) ?? "";
    const table = await parseToml(text, this.path);
    const projects = projectsIn(table);
    if (projects === undefined) throw fileError(this.path, NOT_AS_WRITTEN, undefined, CURE);
    const known = new Map<string, Credential>();
    for (const [uid, entry] of Object.entries(projects)) {
      const credential = isUlid(uid) ? credentialIn(entry) : undefined;
      if (credential === undefined) throw fileError(this.path, NOT_AS_WRITTEN, undefined, CURE);
      known.set(uid, credential);
    }
    return { table, projects, known };
  }
}

/** Returns the credential to store; undefined for none, `other` to change nothing. */
type Change = (known: Credential | undefined) => Credential | undefined | "other";

const NOT_AS_WRITTEN = "is not as svc writes it";
const CURE = "repair it, or move it away and join the hubs again";

/** Refuses a file that another user could have read or written. */
function requirePrivate(path: string, found: Stats): void {
  if (process.getuid === undefined) return;
  if (!found.isFile()) throw fileError(path, "is not a file");
  if (!isTrustedOwner(found)) throw fileError(path, belongsTo(found), undefined, CURE);
  if ((found.mode & 0o077) !== 0)
    throw fileError(path, "is open to other users", undefined, `chmod 600 ${path}`);
  const fault = pathFault(path, MOVE_HOME);
  if (fault !== undefined)
    throw fileError(path, `does not count: ${fault.path} ${fault.what}`, undefined, fault.cure);
}

function projectsIn(table: TomlTable): Readonly<Record<string, TomlTable>> | undefined {
  const { projects = {} } = table;
  if (!isTable(projects)) return undefined;
  const entries = Object.entries(projects);
  if (!entries.every((entry): entry is [string, TomlTable] => isTable(entry[1]))) return undefined;
  return Object.fromEntries(entries);
}

function credentialIn(entry: TomlTable): Credential | undefined {
  const { hub_url, hub_project_id, token, capabilities, actor, allow_insecure } = entry;
  const { spoke_instance_uid } = entry;
  const isWhole =
    isText(hub_url) &&
    typeof hub_project_id === "number" &&
    Number.isSafeInteger(hub_project_id) &&
    isText(token) &&
    Array.isArray(capabilities) &&
    capabilities.every(isText) &&
    isText(actor) &&
    typeof allow_insecure === "boolean" &&
    isText(spoke_instance_uid);
  if (!isWhole) return undefined;
  return {
    hub_url,
    hub_project_id,
    token,
    capabilities,
    actor,
    allow_insecure,
    spoke_instance_uid,
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
