import * as Flags from "@oclif/core/flags";
import type { InferredFlags } from "@oclif/core/interfaces";
import type { EvidenceType } from "../../contract/evidence.ts";
import { CLOSE_REASONS, type CloseReason } from "../../domain/close.ts";
import {
  type Evidence,
  type EvidenceItem,
  evidenceItems,
  readEvidence,
} from "../../shared/evidence.ts";
import { readRef } from "../../shared/ref.ts";
import { ifMatchTyped } from "../../shared/revision.ts";
import { usage } from "../failure/failure.ts";
import { booleanFlag, listFlag, textFlag } from "./flags.ts";

/**
 * The flags for reason and evidence (docs/contract/command-line.md#21-work-on-issues and
 * docs/contract/http-api.md#42-close-reasons-messages-and-evidence).
 */
export const evidenceFlags = {
  reason: Flags.option({
    summary: "why it is closed; --done, --wontfix and the others below are short forms",
    options: CLOSE_REASONS,
    helpValue: "<reason>",
  })(),
  done: booleanFlag("it is done; needs evidence"),
  wontfix: booleanFlag("it will not be done"),
  "duplicate-of": textFlag("it is the same as this issue", "<ref>"),
  "superseded-by": textFlag("this issue takes its place", "<ref>"),
  "audit-no-change": booleanFlag("it was checked and nothing has to change"),
  message: textFlag("what is true now, in a sentence that somebody else can check", "<text>", {
    char: "m",
    aliases: ["body"],
  }),
  commit: listFlag("evidence: a commit, 7 to 40 hex digits; may be repeated", "<sha>"),
  pr: listFlag("evidence: a pull request; may be repeated", "<url>"),
  test: listFlag("evidence: a command that checks it; may be repeated", "<command>"),
  reviewed: listFlag("evidence: a path that was read; may be repeated", "<path>"),
  evidence: listFlag(
    "evidence of any type: commit, pr, test, reviewed-paths, external, no-change-audit, duplicate-of or superseded-by",
    "<type:value>",
  ),
};

export const conditionFlags = {
  "idempotency-key": textFlag("makes it safe to send the same close again", "<key>"),
  "if-match": textFlag("refuse if the revision of the issue has changed", "<n|rev-n>"),
};

type CloseFlags = InferredFlags<typeof evidenceFlags & typeof conditionFlags>;

export function readClose(flags: CloseFlags) {
  return {
    reason: reasonOf(flags),
    message: flags.message ?? "",
    evidence: evidenceOf(flags),
    headers: {
      ...(flags["idempotency-key"] === undefined
        ? {}
        : { "idempotency-key": flags["idempotency-key"] }),
      ...ifMatchTyped(flags["if-match"]),
    },
  };
}

function reasonOf(flags: CloseFlags): CloseReason {
  const reasons: readonly (CloseReason | false | undefined)[] = [
    flags.reason,
    flags.done && "done",
    flags.wontfix && "wontfix",
    flags["audit-no-change"] && "audit-no-change",
    flags["duplicate-of"] !== undefined && "duplicate",
    flags["superseded-by"] !== undefined && "superseded",
  ];
  const [reason, ...others] = new Set(reasons.filter((one) => one !== undefined && one !== false));
  if (reason === undefined) {
    throw usage(
      "no reason to close",
      "give --done, --wontfix, --duplicate-of, --superseded-by, --audit-no-change or --reason",
    );
  }
  if (others.length > 0)
    throw usage(`one reason to close, not both ${reason} and ${others.join(" and ")}`);
  return reason;
}

/**
 * Returns the evidence in the order of the flags below, followed by the items of `--evidence`. All reviewed paths are
 * sent as one item, so reviewed paths from `--evidence` directly follow those from `--reviewed`.
 */
function evidenceOf(flags: CloseFlags): EvidenceItem[] {
  const typed = (flags.evidence ?? []).map(readEvidence);
  const all = (type: EvidenceType, values: readonly string[] = []): readonly Evidence[] =>
    values.map((value) => ({ type, value }));
  const ref = (type: EvidenceType, value: string | undefined): readonly Evidence[] => {
    if (value === undefined) return [];
    readRef(value);
    return [{ type, value }];
  };
  return evidenceItems([
    ...all("commit", flags.commit),
    ...all("pr", flags.pr),
    ...all("test", flags.test),
    ...all("reviewed-paths", flags.reviewed),
    ...typed.filter(({ type }) => type === "reviewed-paths"),
    ...ref("duplicate-of", flags["duplicate-of"]),
    ...ref("superseded-by", flags["superseded-by"]),
    ...typed.filter(({ type }) => type !== "reviewed-paths"),
  ]);
}
