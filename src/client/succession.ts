import { BUILD } from "../base/build.ts";
import { API_SCHEMA_VERSION } from "../contract/version.ts";
import { UnavailableError } from "../shared/answer-errors.ts";
import { compareVersions } from "../shared/versions.ts";

/** The build of a running daemon, from its record and its ping. Older builds report only the version. */
export interface BuildInfo {
  readonly version: string;
  readonly commit?: string | undefined;
  readonly built_at?: string | undefined;
  readonly schema_version?: number | undefined;
  readonly api_schema_version?: string | undefined;
}

export function ownBuild(version: string): BuildInfo {
  return { version, ...BUILD, api_schema_version: API_SCHEMA_VERSION };
}

export type Verdict = "use" | "replace" | "refuse";

/**
 * Decides what a client does with a running daemon of another build.
 * - `replace`: the client's build is newer and supports the schema of the database. A build that does not support the
 *   schema could not open the database after the replacement.
 * - `use`: the daemon is not replaced, and its API has all that the client needs.
 * - `refuse`: all other cases.
 */
export function verdictOn(running: BuildInfo, own: BuildInfo): Verdict {
  if (isNewer(own, running) && knowsStorage(own, running)) return "replace";
  return allowsApi(running, own) ? "use" : "refuse";
}

export function refusalOfBuild(
  running: BuildInfo & { readonly pid: number },
  own: BuildInfo,
): UnavailableError {
  const { version, pid, api_schema_version: api = "unknown", schema_version } = running;
  const storage = knowsStorage(own, running)
    ? ""
    : `; it cannot be replaced, because its database has schema ${schema_version} and this svc knows up to ${own.schema_version}`;
  return new UnavailableError(
    `the running daemon (pid ${pid}) is svc ${version} with API ${api}, and this is svc ${own.version} with API ${own.api_schema_version}${storage}`,
    {
      code: "daemon_api_too_old",
      hint: `use the svc that started the daemon, or stop it with that one (svc daemon stop) and start this one's`,
    },
  );
}

/** Compares the versions, then the build times. If either build has no time, neither is newer. */
function isNewer(a: BuildInfo, b: BuildInfo): boolean {
  const order = compareVersions(a.version, b.version);
  if (order !== 0) return order > 0;
  const [builtAt, otherBuiltAt] = [a.built_at ?? "", b.built_at ?? ""];
  return builtAt !== "" && otherBuiltAt !== "" && builtAt > otherBuiltAt;
}

/**
 * Returns true if this build can open the database of the running daemon. A build that does not know its own schema
 * version, such as a run from source, is assumed to be able to open it.
 */
function knowsStorage(own: BuildInfo, running: BuildInfo): boolean {
  const known = own.schema_version ?? 0;
  return known === 0 || known >= (running.schema_version ?? 0);
}

/**
 * Whether the running daemon's API has all that this build needs: the same major version, within which the API only
 * grows, and at least this build's version (docs/contract/http-api.md#71-what-the-version-of-the-api-says).
 */
function allowsApi(running: BuildInfo, own: BuildInfo): boolean {
  const [theirs, ours] = [running.api_schema_version, own.api_schema_version];
  if (theirs === undefined || ours === undefined) return true;
  return majorOf(theirs) === majorOf(ours) && compareVersions(theirs, ours) >= 0;
}

function majorOf(version: string): string {
  return version.split(".")[0] ?? "";
}
