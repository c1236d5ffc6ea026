import * as Flags from "@oclif/core/flags";
import { readRef } from "../shared/ref.ts";
import {
  EVIDENCE_FIELDS,
  EVIDENCE_TYPES,
  type EvidenceType,
  isEvidenceType,
} from "../contract/evidence.ts";
import { CLOSE_REASONS, type CloseReason } from "../domain/close.ts";
import { invalid, usage } from "./failure.ts";
import { listFlag, textFlag } from "./flags.ts";

/** Why an issue is closed and what that rests on (facts cli-and-config 2.1, http-api 4.2). */
export const evidenceFlags = {
  reason: Flags.option({
    summary: "why it is closed; --done and the like are short for it",
    options: CLOSE_REASONS,
    helpValue: "<reason>",
  })(),
  done: Flags.boolean({ summary: "it is done; needs evidence" }),
  wontfix: Flags.boolean({ summary: "it will not be done" }),
  "duplicate-of": textFlag("it is the same as this issue", "<ref>"),
  "superseded-by": textFlag("this issue takes its place", "<ref>"),
  "audit-no-change": Flags.boolean({ summary: "it was looked into and nothing has to change" }),
  message: Flags.string({
    char: "m",
    aliases: ["body"],
    summary: "what holds now, in a sentence that somebody else can check",
    helpValue: "<text>",
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

export interface CloseFlags {
  readonly reason?: CloseReason | undefined;
  readonly done: boolean;
  readonly wontfix: boolean;
  readonly "audit-no-change": boolean;
  readonly "duplicate-of"?: string | undefined;
  readonly "superseded-by"?: string | undefined;
  readonly message?: string | undefined;
  readonly commit?: string[] | undefined;
  readonly pr?: string[] | undefined;
  readonly test?: string[] | undefined;
  readonly reviewed?: string[] | undefined;
  readonly evidence?: string[] | undefined;
  readonly "idempotency-key"?: string | undefined;
  readonly "if-match"?: string | undefined;
}

export type EvidenceItem = { type: EvidenceType } & {
  [field in (typeof EVIDENCE_FIELDS)[EvidenceType]]?: field extends "paths" ? string[] : string;
};

export function readClose(flags: CloseFlags) {
  return {
    reason: reasonOf(flags),
    message: flags.message ?? "",
    evidence: evidenceOf(flags),
    headers: {
      ...(flags["idempotency-key"] === undefined
        ? {}
        : { "idempotency-key": flags["idempotency-key"] }),
      ...(flags["if-match"] === undefined ? {} : { "if-match": etagOf(flags["if-match"]) }),
    },
  };
}

function reasonOf(flags: CloseFlags): CloseReason {
  const said: readonly (CloseReason | false | undefined)[] = [
    flags.reason,
    flags.done && "done",
    flags.wontfix && "wontfix",
    flags["audit-no-change"] && "audit-no-change",
    flags["duplicate-of"] !== undefined && "duplicate",
    flags["superseded-by"] !== undefined && "superseded",
  ];
  const [reason, ...others] = new Set(said.filter((one) => one !== undefined && one !== false));
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

/** In the order of the flags; all that was reviewed is one item. A comma in a value stays a comma. */
function evidenceOf(flags: CloseFlags): EvidenceItem[] {
  const given = (flags.evidence ?? []).map(typed);
  const reviewed = [
    ...(flags.reviewed ?? []),
    ...given.filter(({ type }) => type === "reviewed-paths").map(({ value }) => value),
  ];
  const item = (type: EvidenceType, value: string): EvidenceItem => ({
    type,
    [EVIDENCE_FIELDS[type]]: value,
  });
  const ref = (type: EvidenceType, value: string | undefined): EvidenceItem[] => {
    if (value === undefined) return [];
    readRef(value);
    return [item(type, value)];
  };
  return [
    ...(flags.commit ?? []).map((value) => item("commit", value)),
    ...(flags.pr ?? []).map((value) => item("pr", value)),
    ...(flags.test ?? []).map((value) => item("test", value)),
    ...(reviewed.length === 0 ? [] : [{ type: "reviewed-paths" as const, paths: reviewed }]),
    ...ref("duplicate-of", flags["duplicate-of"]),
    ...ref("superseded-by", flags["superseded-by"]),
    ...given
      .filter(({ type }) => type !== "reviewed-paths")
      .map(({ type, value }) => item(type, value)),
  ];
}

function typed(text: string): { readonly type: EvidenceType; readonly value: string } {
  const at = text.indexOf(":");
  const type = text.slice(0, Math.max(at, 0));
  if (!isEvidenceType(type))
    throw invalid(
      `--evidence needs type:value, not ${JSON.stringify(text)}`,
      `the types are ${EVIDENCE_TYPES.join(", ")}`,
    );
  return { type, value: text.slice(at + 1) };
}

/** `3` and `rev-3` as the header wants them. */
export function etagOf(text: string): string {
  const number = /^(?:rev-)?([1-9][0-9]*)$/.exec(text)?.[1];
  if (number === undefined)
    throw invalid(`--if-match is a revision such as 3 or rev-3, not ${JSON.stringify(text)}`);
  return `"rev-${number}"`;
}

/** `commit:1f2e3d4`, as the account of a close tells it. */
export function evidenceText(item: EvidenceItem): string {
  const value = item[EVIDENCE_FIELDS[item.type]];
  return `${item.type}:${Array.isArray(value) ? value.join(",") : (value ?? "")}`;
}
