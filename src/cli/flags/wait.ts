import type { WaitBody } from "../../shared/wait.ts";
import { CommandError } from "../failure/failure.ts";

/** The failure of a wait that was not satisfied (docs/contract/command-line.md#12-exit-codes). */
export function waitFailure(body: WaitBody, satisfied: boolean): CommandError | undefined {
  if (satisfied) return undefined;
  const { timed_out, pending, abandoned = [] } = body;
  const [first] = abandoned;
  if (timed_out || first === undefined)
    return new CommandError("timeout", `the time is up; still waiting for ${pending.join(", ")}`);
  const kind = first.reason === "error" ? "daemon_unavailable" : "not_found";
  return new CommandError(kind, `${first.ref}: ${first.error}`);
}
