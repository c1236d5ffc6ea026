import { counted } from "../../base/counted.ts";
import type {
  getExternalRootBridge,
  listConnectorFields,
  mapConnectorField,
  reconcileExternalRootBridge,
} from "../../contract/bridges.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, header, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import type { Style } from "./palette.ts";
import { aligned } from "./table.ts";

type Bridge = Output<typeof getExternalRootBridge>;
type Run = Output<typeof reconcileExternalRootBridge>;
type Conflict = Bridge["field_conflicts"][number];
type Mapping = Output<typeof mapConnectorField>;

export const bridgeView: View<Bridge> = {
  human: (bridge, { quiet, paint }) =>
    quiet ? stateOf(bridge) : bridgeLines(bridge, paint).join("\n"),
  agent: (bridge, quiet) =>
    agentOutput(header("bridge", fields(bridge)), conflictRows(bridge), quiet),
};

export const bridgeRunView: View<Run> = {
  human: (run, { quiet, paint }) => {
    if (quiet) return run.paused ? "paused" : "reconciled";
    return [countsText(run), ...bridgeLines(run.bridge, paint)].join("\n");
  },
  agent: ({ bridge, ...counts }, quiet) =>
    agentOutput(
      header("bridge_reconcile", { ...fields(bridge), ...counts }),
      conflictRows(bridge),
      quiet,
    ),
};

export const fieldListView: View<Output<typeof listConnectorFields>> = {
  human: ({ fields: found, mappings }, { quiet }) => {
    if (quiet) return found.map(({ id }) => oneLine(id)).join("\n");
    if (found.length === 0) return "The connector has no date fields.";
    const lines = found.map(({ id, display_name, accepted_kinds, writable }) => [
      oneLine(id),
      oneLine(display_name),
      writable ? "yes" : "no",
      mappings.find((mapping) => mapping.external_field_id === id)?.svc_field ?? "-",
      accepted_kinds.join(", "),
    ]);
    return aligned([["FIELD", "NAME", "WRITABLE", "MAPPED TO", "KINDS"], ...lines], () => false)
      .map((text) => text.trimEnd())
      .join("\n");
  },
  agent: ({ fields: found, mappings }, quiet) =>
    agentOutput(
      header("connector_fields", { count: found.length }),
      found.map(({ id, display_name, accepted_kinds, writable, nullable }) =>
        row({
          ...{ field: id, name: display_name, kinds: accepted_kinds, writable, nullable },
          mapped_to: mappings.find((mapping) => mapping.external_field_id === id)?.svc_field,
        }),
      ),
      quiet,
    ),
};

export const mappingView: View<Mapping> = {
  human: ({ svc_field, external_field_id, external_field_name, active }, { quiet }) => {
    if (quiet) return external_field_id;
    const field = `${oneLine(external_field_name)} (${oneLine(external_field_id)})`;
    return active ? `${svc_field} follows ${field}` : `${svc_field} no longer follows ${field}`;
  },
  agent: ({ svc_field, external_field_id, active }, quiet) =>
    agentOutput(
      header("connector_field", { svc_field, external_field: external_field_id, active }),
      [],
      quiet,
    ),
};

function stateOf({ active, enabled }: Bridge): "enabled" | "paused" | "unbound" {
  if (!active) return "unbound";
  return enabled ? "enabled" : "paused";
}

function bridgeLines(bridge: Bridge, paint: Style["paint"]): readonly string[] {
  const { connector_instance, paused_reason, last_error, field_conflicts } = bridge;
  const shown = (name: string, value: string | undefined): readonly string[] =>
    value === undefined ? [] : [`${name} ${oneLine(value)}`];
  return [
    `bridge by ${oneLine(connector_instance)}: ${stateOf(bridge)}`,
    ...shown("paused because", paused_reason),
    ...(last_error === undefined ? [] : [paint("strong", oneLine(last_error))]),
    ...shown("failures", countOf(bridge.consecutive_failures)),
    ...shown("record", bridge.last_external_state),
    ...shown("last success", bridge.last_success_at),
    ...shown("next attempt", bridge.next_attempt_at),
    `comments ${bridge.publish_comments ? "in both directions" : "only from there"}`,
    ...(bridge.pending_comment_uid === undefined
      ? []
      : [
          `comment ${bridge.pending_comment_uid} arrived or not: svc bridge resolve-comment decides`,
        ]),
    ...field_conflicts.map((conflict) => conflictLine(conflict, bridge)),
  ];
}

/** Names the command that decides, unless the bridge is paused: then it decides nothing. */
function conflictLine(
  { field, local_candidate: here, external_candidate: there }: Conflict,
  { enabled }: Bridge,
): string {
  const decides = enabled ? ": svc bridge resolve-field decides" : "";
  return `conflict ${field}: here ${valueText(here)}, there ${valueText(there)}${decides}`;
}

function countOf(count: number): string | undefined {
  return count === 0 ? undefined : String(count);
}

function valueText(value: Conflict["local_candidate"]): string {
  if (value === undefined) return "unusable";
  const { value: text = "nothing", timezone } = value;
  return oneLine(timezone === undefined ? text : `${text} ${timezone}`);
}

function countsText(run: Run): string {
  if (run.paused) return "The run paused the bridge.";
  const parts = [
    ...(run.root_updated ? ["title or body changed"] : []),
    ...counts(run.comments_created, "new comment"),
    ...counts(run.comments_edited, "edited comment"),
    ...counts(run.field_conflicts, "conflict"),
    ...counts(run.completion_requests, "request", " to close"),
    ...counts(run.reopen_requests, "request", " to reopen"),
  ];
  return parts.length === 0 ? "Nothing had to change here." : parts.join(", ");
}

function counts(count: number, noun: string, more = ""): readonly string[] {
  return count === 0 ? [] : [`${counted(count, noun)}${more}`];
}

function fields(bridge: Bridge) {
  const { connector_instance: instance, receive_comments, publish_comments } = bridge;
  const { pending_comment_uid: pending_comment, last_error, paused_reason } = bridge;
  return {
    ...{ instance, state: stateOf(bridge), receive_comments, publish_comments },
    ...{ pending_comment, last_error, paused_reason },
  };
}

function conflictRows({ field_conflicts }: Bridge): readonly string[] {
  return field_conflicts.map(({ field, local_candidate, external_candidate }) =>
    row({ field, local_kind: local_candidate?.kind, external_kind: external_candidate?.kind }),
  );
}
