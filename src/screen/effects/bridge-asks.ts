import type { reconcileExternalRootBridge } from "../../contract/bridges.ts";
import type { Output } from "../../contract/route.ts";
import type { Transport } from "../../shared/transport.ts";
import type { At, BridgeAsk } from "../writes/writes.ts";

const ROUTES = {
  reconcile: "reconcileExternalRootBridge",
  pause: "pauseExternalRootBridge",
  resume: "resumeExternalRootBridge",
  "resolve-field": "resolveExternalField",
  "resolve-comment": "resolveExternalComment",
} as const satisfies Readonly<Record<BridgeAsk["does"], string>>;

/**
 * Asks the daemon for what the person wants of a bridge, and returns what was done, in words. A run and a resume take as long as the
 * connector does. The issue itself is read again after the events of the bridge.
 */
export async function askBridge(
  daemon: Transport,
  actor: string,
  { at, does, body }: { readonly at: At } & BridgeAsk,
): Promise<string> {
  const params = { project_id: at.project_id, ref: at.uid };
  // The cast is safe: the choices of a bridge have the bodies of these routes (detail/bridge-choices.ts).
  const input = { params, body: { ...body, actor } } as never;
  const answer = await daemon.call(ROUTES[does], input);
  return saidOf(does, body, at, answer);
}

type Run = Output<typeof reconcileExternalRootBridge>;

function saidOf(
  does: BridgeAsk["does"],
  { field, use, action }: BridgeAsk["body"],
  { name }: At,
  answer: unknown,
): string {
  switch (does) {
    case "reconcile":
      // The cast is safe: the daemon answers by the contract.
      return `reconciled ${name}: ${runText(answer as Run)}`;
    case "pause":
      return `paused the bridge of ${name}`;
    case "resume":
      return `resumed the bridge of ${name}`;
    case "resolve-field":
      return `decided ${field} of ${name}: the ${use} date holds`;
    case "resolve-comment":
      return `decided about the comment of ${name}: ${action}`;
  }
}

/** What a run changed here. */
function runText(run: Run): string {
  if (run.paused) return "the run paused the bridge";
  const counts = [
    [run.comments_created, "new comments"],
    [run.comments_edited, "edited comments"],
    [run.field_conflicts, "dates in conflict"],
    [run.completion_requests, "requests to close"],
    [run.reopen_requests, "requests to reopen"],
  ] as const;
  const parts = [
    ...(run.root_updated ? ["title or text changed"] : []),
    ...counts.flatMap(([count, what]) => (count === 0 ? [] : [`${what}: ${count}`])),
  ];
  return parts.length === 0 ? "nothing had to change here" : parts.join(", ");
}
