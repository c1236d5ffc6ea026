import { counted } from "../base/counted.ts";
import type { listConnectors } from "../contract/connectors.ts";
import type { Output } from "../contract/route.ts";
import type { Finding } from "../domain/finding.ts";
import { oneLine } from "../shared/text.ts";

type Connectors = Output<typeof listConnectors>["connectors"];

/** The maximum number of connectors that the summary names. The details have all of them. */
const MOST_NAMED = 3;

/**
 * Warns about connectors that are not healthy, with the fixed text of each. Issues are worked on without them, so this
 * check never fails (docs/contract/connectors.md#7-routes).
 */
export function checkConnectors(connectors: Connectors): Finding {
  const details = { connectors };
  const failing = connectors.filter(({ healthy }) => !healthy);
  if (failing.length === 0)
    return { status: "ok", summary: `${counted(connectors.length, "connector")} healthy`, details };
  const named = failing
    .slice(0, MOST_NAMED)
    .map(({ instance_id, health_error = "not healthy" }) =>
      oneLine(`${instance_id}: ${health_error}`),
    );
  const more = failing.length > MOST_NAMED ? [`and ${failing.length - MOST_NAMED} more`] : [];
  return {
    status: "warning",
    summary: [...named, ...more].join("; "),
    details,
    fix: "see that program, variables and settings of its [[connector]] are right; svc connector test shows what it answers",
  };
}

/** Warns that the daemon still waited for a connector when the time of the check was over. */
export function checkSilentConnectors(message: string): Finding {
  return {
    status: "warning",
    summary: `not all connectors have answered: ${message}`,
    fix: "svc connector list waits for each, and shows which it is",
  };
}
