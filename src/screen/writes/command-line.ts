import type { JsonValue } from "../../base/json.ts";
import { deleteConfirmation } from "../../domain/confirm.ts";
import type { Evidence } from "../../shared/evidence.ts";
import type { LinkChange, NewSeries, Patch, SeriesChange, Write } from "./writes.ts";

/**
 * The `svc` command for a write. A write of several metadata keys needs several commands. The command for a close
 * without message and evidence is incomplete, because `svc close` requires a message or evidence.
 */
export function commandOf(write: Write, actor: string): string {
  const commands =
    write.act === "metadata"
      ? Object.entries(write.patch).map(([key, value]) => metadataWords(write.at.name, key, value))
      : [wordsOf(write, actor)];
  return commands.map((words) => `svc ${words.map(quoted).join(" ")}`).join(" && ");
}

type Single = Exclude<Write, { act: "metadata" }>;

function wordsOf(write: Single, actor: string): readonly string[] {
  if (write.act === "create") return createWords(write);
  const { name } = write.at;
  switch (write.act) {
    case "edit":
      return ["edit", name, ...option("--title", write.title), ...option("--body", write.body)];
    case "link":
      return ["edit", name, ...linkWords(write.change)];
    case "comment":
      return ["comment", name, ...option("--body", write.body)];
    case "edit-comment":
      return ["comment", "edit", name, write.comment, ...option("--body", write.body)];
    case "close":
      return [
        "close",
        name,
        ...option("--reason", write.reason ?? "done"),
        ...option("--message", write.message),
        ...write.evidence.flatMap(evidenceWords),
      ];
    case "reopen":
      return ["reopen", name];
    case "assign":
      return ["assign", name, write.owner];
    case "unassign":
      return ["unassign", name];
    case "label":
      return ["label", "add", name, write.label];
    case "unlabel":
      return ["label", "rm", name, write.label];
    case "priority":
      return ["edit", name, ...option("--priority", write.priority?.toString() ?? "-")];
    case "delete":
      return ["delete", name, "--force", ...option("--confirm", deleteConfirmation(name))];
    case "restore":
      return ["restore", name];
    case "move":
      return ["move", name, write.to.name];
    case "notify":
      return ["notify", name, ...option("--to", write.to), ...option("--message", write.message)];
    case "clear":
      return [
        "notify",
        name,
        ...option("--to", write.to),
        "--clear",
        ...option("--event-uid", write.event_uid),
      ];
    // Taking a lease from somebody needs `--as`.
    case "release":
    case "steal":
      return [
        ...["lease", write.act === "steal" ? "steal" : "force-release", name],
        ...option("--reason", write.reason),
        ...option("--as", actor),
      ];
    case "bridge":
      return ["bridge", write.does, name, ...write.words];
    case "toggle":
      return [
        ...["cron", "job", write.on ? "enable" : "disable", write.at.uid],
        ...option("--project", write.project),
        ...option("--expected-event-uid", write.expected),
      ];
    case "create-series":
      return [
        ...["recurrence", "create"],
        ...option("--project", write.project),
        ...newSeriesWords(write.series),
      ];
    case "edit-series":
      return [
        ...["recurrence", "update", write.at.uid, "--if-match", String(write.revision)],
        ...option("--project", write.project),
        ...seriesWords(write.change),
      ];
    case "delete-series":
      return [
        ...["recurrence", "delete", write.at.uid, "--if-match", String(write.revision)],
        ...option("--project", write.project),
      ];
  }
}

function newSeriesWords({ first, template, ...timing }: NewSeries): readonly string[] {
  const { body, owner, priority, ...rest } = template;
  return seriesWords({
    ...{ ...timing, ...rest },
    ...(body === "" ? {} : { body }),
    ...(owner === undefined ? {} : { owner }),
    ...(priority === undefined ? {} : { priority }),
  }).concat(option("--initial-issue", first));
}

function seriesWords(change: SeriesChange): readonly string[] {
  const { rrule, dtstart, timezone, title, body, owner, priority, labels } = change;
  return [
    ...option("--rrule", rrule),
    ...option("--dtstart", dtstart),
    ...option("--timezone", timezone),
    ...option("--title", title),
    ...option("--body", body),
    ...(owner === null ? ["--clear-owner"] : option("--owner", owner)),
    ...(priority === null ? ["--clear-priority"] : option("--priority", priority?.toString())),
    ...(labels ?? []).flatMap((label) => option("--label", label)),
  ];
}

function createWords(write: Extract<Write, { act: "create" }>): readonly string[] {
  const flags = [
    ...option("--project", write.project.name),
    ...option("--body", write.body === "" ? undefined : write.body),
    ...option("--owner", write.owner),
    ...option("--priority", write.priority?.toString()),
    ...write.labels.flatMap((label) => option("--label", label)),
    ...option("--parent", write.parent),
    ...option("--deadline", dateIn(write.metadata, "deadline_on")),
    ...option("--schedule", dateIn(write.metadata, "scheduled_on")),
    ...(write.force_new ? ["--force-new"] : []),
  ];
  // A title that begins like a flag comes last, after `--`.
  return write.title.startsWith("-")
    ? ["create", ...flags, "--", write.title]
    : ["create", write.title, ...flags];
}

function dateIn(metadata: Patch | undefined, key: string): string | undefined {
  const value = metadata?.[key];
  return typeof value === "string" ? value : undefined;
}

/** The words of the command that sets or removes a metadata key. A value that is not text is passed as JSON. */
function metadataWords(name: string, key: string, value: JsonValue): readonly string[] {
  if (value === null) return ["meta", "unset", name, key];
  if (typeof value === "string") return ["meta", "set", name, key, value];
  return ["meta", "set", name, key, JSON.stringify(value), "--json-value"];
}

/** Types of evidence with a flag of their own. */
const EVIDENCE_FLAGS: Readonly<Partial<Record<Evidence["type"], string>>> = {
  commit: "--commit",
  pr: "--pr",
  test: "--test",
  "reviewed-paths": "--reviewed",
};

function evidenceWords({ type, value }: Evidence): readonly string[] {
  const flag = EVIDENCE_FLAGS[type];
  return flag === undefined ? option("--evidence", `${type}:${value}`) : option(flag, value);
}

/** A value that begins like a flag is joined to its flag. */
function option(name: string, value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  return value.startsWith("-") && value !== "-" ? [`${name}=${value}`] : [name, value];
}

function linkWords({ kind, does, refs }: LinkChange): readonly string[] {
  const flag = `${does === "add" ? "--" : "--remove-"}${kind.replace("_", "-")}`;
  return refs.flatMap((ref) => option(flag, ref));
}

function quoted(word: string): string {
  return /^[\w#./:=@+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
