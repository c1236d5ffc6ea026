import { invalid } from "../shared/invalid.ts";

/** Where a teammate may come from: the observation's JSON, `--teammate` and `SVC_TEAMMATE`. */
export interface TeammateSources {
  /** `undefined` where the JSON has no such member. */
  readonly json: unknown;
  readonly flag: string | undefined;
  readonly environment: string | undefined;
}

/**
 * Whom a run is credited to (doc 2, rule 4). What the JSON says, `null` included, is meant for every retry: the
 * environment does not change it, and a flag that says otherwise is a mistake. `undefined`: nothing is sent.
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
