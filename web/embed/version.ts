import { compareVersions } from "../../src/shared/versions.ts";

/**
 * The oldest `api_schema_version` whose answers can be shown. It is the first in which all issues have metadata; peers
 * of links have a qualified id since 0.2.0 (docs/contract/http-api.md#75-history).
 */
export const OLDEST_API_SCHEMA = "0.5.0";

const VERSION = /^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/;

/**
 * Whether `<svc-issue>` shows the answers of a daemon whose health says this `api_schema_version`
 * (docs/contract/http-api.md#72-the-three-versions). A missing, empty or malformed version is refused, as is one that
 * is older than 0.5.0. Newer versions are accepted.
 */
export function supportsApiSchema(version: string | null | undefined): boolean {
  if (typeof version !== "string" || !VERSION.test(version)) return false;
  return compareVersions(version, OLDEST_API_SCHEMA) >= 0;
}

/** The line that stands in place of an issue whose daemon has this version, which is not supported. */
export function declineText(version: string | null | undefined): string {
  const daemon =
    typeof version !== "string" || version === ""
      ? "the daemon does not say the version of its API"
      : `the version of the daemon's API is ${version}`;
  return `This issue is not shown: ${daemon}, and ${OLDEST_API_SCHEMA} or later is needed.`;
}
