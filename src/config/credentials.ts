import type { Stats } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Clock, systemClock } from "../base/clock.ts";
import { isUlid } from "../base/ulid.ts";
import { SvcError } from "../contract/errors.ts";
import { MOVE_HOME } from "./config-file.ts";
import { type Credential, credentialIn, entryOf } from "./credential-entry.ts";
import { belongsTo, isTrustedOwner, pathFault } from "./path-fault.ts";
import { openReplacement } from "./replacement-file.ts";
import { fileError, formatToml, isTable, parseToml, readIfThere, type TomlTable } from "./toml.ts";

export type CredentialStatus = "present" | "missing" | "unreadable";

export function credentialsPath(home: string): string {
  return join(home, "credentials.toml");
}

/**
 * The enrollment tokens of the projects that this daemon copies, by the uid of the project. Each change reads the file,
 * and replaces it by a new one that only its owner can read. Changes take turns, even if different processes make them.
 * After a crash the file has its old or its new content. A file that cannot be trusted or understood is never replaced.
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

  /**
   * Returns the credential that was made for the `[[federation.project]]` of the project `spoke_project_name` in the
   * database `spoke_instance_uid`. Throws `federation_credential_conflict` if there are several.
   */
  async findManaged(
    spoke_instance_uid: string,
    spoke_project_name: string,
  ): Promise<{ readonly uid: string; readonly credential: Credential } | undefined> {
    const [found, ...others] = [...(await this.all())].filter(
      ([, credential]) =>
        credential.spoke_instance_uid === spoke_instance_uid &&
        credential.managed?.spoke_project_name === spoke_project_name,
    );
    if (others.length > 0)
      throw new SvcError("federation_credential_conflict", { project: spoke_project_name });
    return found === undefined ? undefined : { uid: found[0], credential: found[1] };
  }

  async store(uid: string, credential: Credential): Promise<void> {
    await this.#change(at(uid, () => credential));
  }

  /** Deletes the credential, if there is one. */
  async delete(uid: string): Promise<void> {
    await this.#change(at(uid, () => undefined));
  }

  /** Stores a credential if none is stored. Returns false, and changes nothing, if another one is stored. */
  async reserve(uid: string, credential: Credential): Promise<boolean> {
    return await this.#change(
      at(uid, (known) =>
        known === undefined || isDeepStrictEqual(known, credential) ? credential : "other",
      ),
    );
  }

  /** Replaces the expected credential by `next`. Returns false, and changes nothing, if neither of them is stored. */
  async replace(uid: string, expected: Credential, next: Credential): Promise<boolean> {
    return await this.#change(
      at(uid, (known) =>
        isDeepStrictEqual(known, expected) || isDeepStrictEqual(known, next) ? next : "other",
      ),
    );
  }

  /** Deletes the expected credential, if it is stored. Returns false, and changes nothing, if another one is stored. */
  async deleteSame(uid: string, expected: Credential): Promise<boolean> {
    return await this.#change(
      at(uid, (known) =>
        known === undefined || isDeepStrictEqual(known, expected) ? undefined : "other",
      ),
    );
  }

  /**
   * Moves a credential to another uid, in one write of the file. Returns false, and changes nothing, if `from` does not
   * have the expected credential, or `to` has another one. Moving it again changes nothing, and returns true.
   */
  async rekey(from: string, to: string, expected: Credential): Promise<boolean> {
    return await this.#change((known) => {
      const isMoved = !known.has(from) && isDeepStrictEqual(known.get(to), expected);
      const isFree = !known.has(to) || isDeepStrictEqual(known.get(to), expected);
      if (!isMoved && !(isFree && isDeepStrictEqual(known.get(from), expected))) return "other";
      return new Map([
        [from, undefined],
        [to, expected],
      ]);
    });
  }

  async #change(change: Change): Promise<boolean> {
    const before = this.#last;
    const changed = (async () => {
      await before;
      return await this.#rewrite(change);
    })();
    this.#last = changed.catch(() => undefined);
    return await changed;
  }

  async #rewrite(change: Change): Promise<boolean> {
    const replacement = await openReplacement(this.path, this.#clock);
    try {
      const { table, projects, known } = await this.#read();
      const changes = change(known);
      if (changes === "other") return false;
      const differing = [...changes].filter(([uid, next]) => {
        return !isDeepStrictEqual(next, known.get(uid));
      });
      if (differing.length === 0) return true;
      const next = new Map(Object.entries(projects));
      for (const [uid, credential] of differing) {
        if (credential === undefined) next.delete(uid);
        else next.set(uid, entryOf(credential, projects[uid]));
      }
      replacement.put(await formatToml({ ...table, projects: Object.fromEntries(next) }));
      return true;
    } finally {
      replacement.drop();
    }
  }

  async #read() {
    const text = readIfThere(this.path, (found) => requirePrivate(this.path, found)) ?? "";
    const table = await parseToml(text, this.path);
    const projects = projectsIn(table);
    if (projects === undefined) throw fileError(this.path, NOT_AS_WRITTEN, undefined, REPAIR_HINT);
    const known = new Map<string, Credential>();
    for (const [uid, entry] of Object.entries(projects)) {
      const credential = isUlid(uid) ? credentialIn(entry) : undefined;
      if (credential === undefined)
        throw fileError(this.path, NOT_AS_WRITTEN, undefined, REPAIR_HINT);
      known.set(uid, credential);
    }
    return { table, projects, known };
  }
}

/** Returns the new credential for each uid that changes (`undefined` to delete it), or `other` to change nothing. */
type Change = (
  known: ReadonlyMap<string, Credential>,
) => ReadonlyMap<string, Credential | undefined> | "other";

/** Returns a change of one project's credential. `nextOf` returns the new credential. */
function at(
  uid: string,
  nextOf: (known: Credential | undefined) => Credential | undefined | "other",
): Change {
  return (known) => {
    const next = nextOf(known.get(uid));
    return next === "other" ? next : new Map([[uid, next]]);
  };
}

const NOT_AS_WRITTEN = "is not as svc writes it";
const REPAIR_HINT = "repair it, or move it away and join the hubs again";

/** Refuses a file that another user could have read or written. */
function requirePrivate(path: string, found: Stats): void {
  if (process.getuid === undefined) return;
  if (!found.isFile()) throw fileError(path, "is not a file");
  if (!isTrustedOwner(found)) throw fileError(path, belongsTo(found), undefined, REPAIR_HINT);
  if ((found.mode & 0o077) !== 0)
    throw fileError(path, "is open to other users", undefined, `chmod 600 ${path}`);
  const fault = pathFault(path, MOVE_HOME);
  if (fault !== undefined)
    throw fileError(path, `does not count: ${fault.path} ${fault.what}`, undefined, fault.hint);
}

function projectsIn(table: TomlTable): Readonly<Record<string, TomlTable>> | undefined {
  const { projects = {} } = table;
  if (!isTable(projects)) return undefined;
  const entries = Object.entries(projects);
  if (!entries.every((entry): entry is [string, TomlTable] => isTable(entry[1]))) return undefined;
  return Object.fromEntries(entries);
}
