import { invalid } from "../../contract/errors.ts";

/**
 * The teammate that each source names: the JSON for `svc cron run observe`, the flag `--teammate` and `SVC_TEAMMATE`.
 */
export interface TeammateSources {
  /** `undefined` if the JSON has no member `teammate`. */
  readonly json: unknown;
  readonly flag: string | undefined;
  readonly environment: string | undefined;
}

/**
 * Returns the teammate of a run (docs/contract/cron-and-inbox.md#7-commands), or `undefined` if no teammate is to be
 * sent.
 * - A teammate in the JSON, even `null`, outranks the environment, so that a retry with the same JSON sends the same
 *   teammate.
 * - A flag with another teammate than the JSON is an error.
 * - If the JSON names no teammate, the flag counts. Without a flag, the environment counts.
 */
export function runTeammate({
  json,
  flag,
  environment,
}: TeammateSources): string | null | undefined {
  if (json === undefined)
    return (flag ?? environment ?? "") === "" ? undefined : (flag ?? environment);
  if (json !== null && (typeof json !== "string" || json === ""))
    throw invalid("teammate must be text that is not empty, or null");
  if (flag !== undefined && flag !== (json ?? ""))
    throw invalid(
      `the JSON's teammate is ${json === null ? "null" : json}, and --teammate says ${flag === "" ? "nobody" : flag}`,
    );
  return json;
}
