import type { Bridge, BridgeChoice } from "./state.ts";

/**
 * The choices of a bridge: first the two answers to each conflict, then those to a comment of which it is not known
 * whether it arrived. A conflict cannot be answered while the bridge is paused (docs/contract/connectors.md#6-the-reconcile).
 */
export function bridgeChoices(bridge: Bridge): readonly BridgeChoice[] {
  const { enabled, field_conflicts, pending_comment_uid } = bridge;
  return [
    ...(enabled ? field_conflicts.flatMap((one) => answersTo(one, bridge)) : []),
    ...(pending_comment_uid === undefined ? [] : COMMENT),
    ...(enabled ? RUNNING : PAUSED),
  ];
}

type Conflict = Bridge["field_conflicts"][number];

function answersTo(
  { field, local_candidate, external_candidate }: Conflict,
  { connector_instance: there }: Bridge,
): readonly BridgeChoice[] {
  const answer = (use: "local" | "external", label: string): BridgeChoice => ({
    word: `${field} ${use}`,
    label,
    ask: { does: "resolve-field", body: { field, use }, words: [field, "--use", use] },
  });
  return [
    answer("local", `${valueText(local_candidate)} holds: write it to ${there}`),
    answer("external", `${valueText(external_candidate)} holds: take it from ${there}`),
  ];
}

const COMMENT: readonly BridgeChoice[] = [
  {
    word: "comment retry",
    label: "send the comment again, under the same id",
    ask: { does: "resolve-comment", body: { action: "retry" }, words: ["--retry"] },
  },
  {
    word: "comment adopt",
    label: "the comment is there: name its id",
    ask: { does: "resolve-comment", body: { action: "adopt" }, words: [] },
    more: { label: "id of the comment there", name: "external_comment_id", flag: "--adopt" },
  },
  {
    word: "comment skip",
    label: "never send the comment",
    ask: { does: "resolve-comment", body: { action: "skip" }, words: ["--skip"] },
  },
];

const RUNNING: readonly BridgeChoice[] = [
  {
    word: "reconcile",
    label: "make both sides alike now",
    ask: { does: "reconcile", body: {}, words: [] },
  },
  {
    word: "pause",
    label: "stop reconciling",
    ask: { does: "pause", body: {}, words: [] },
    more: { label: "why (may be empty)", name: "reason", flag: "--reason", mayBeEmpty: true },
  },
];

const PAUSED: readonly BridgeChoice[] = [
  { word: "resume", label: "reconcile again", ask: { does: "resume", body: {}, words: [] } },
];

/** A date of one side of a conflict, as text. */
export function valueText(value: Conflict["local_candidate"]): string {
  if (value === undefined) return "no valid date";
  const { value: text = "no date", timezone } = value;
  return timezone === undefined ? text : `${text} ${timezone}`;
}
