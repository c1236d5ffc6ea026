import { counted } from "../../base/counted.ts";
import { shellWord } from "../../base/shell-word.ts";
import type { Output } from "../../contract/route.ts";
import type { undoProject } from "../../contract/undo.ts";
import { agentOutput, header, line } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import type { Style } from "./palette.ts";
import { shortTime } from "./show.ts";
import { cut } from "./width.ts";

type Undone = Output<typeof undoProject>;
type Revert = Undone["reverts"][number];

export const undoView: View<Undone> = {
  human: (undone, style) => {
    const { paint } = style;
    const { batch, reverts, conflicts, kept } = undone;
    const section = (heading: string, lines: readonly string[]): readonly string[] =>
      lines.length === 0 ? [] : [heading, ...lines.map((text) => `  ${text}`)];
    return [
      head(undone),
      // Print the conflicts first, because they decide whether the undo is possible, and a limit may cut the end of the
      // text.
      ...section(
        paint("error", "In conflict:"),
        conflicts.map(({ message }) => oneLine(message)),
      ),
      ...section(
        batch === undefined ? "Would be put back:" : "Put back:",
        reverts.map((revert) => humanRevert(revert, style)),
      ),
      ...section(
        "Stays:",
        kept.map(({ type, qualified_id = "", reason }) =>
          oneLine(`${type}${qualified_id === "" ? "" : ` ${qualified_id}`}: ${reason}`),
        ),
      ),
      ...(batch === undefined ? [] : [paint("faint", `Undo: ${undoLine(batch)}`)]),
    ].join("\n");
  },
  agent: (undone, quiet) => {
    const { of_actor, event_count, reverts, conflicts, kept, batch } = undone;
    const counts = {
      actor: of_actor,
      events: event_count,
      reverts: reverts.length,
      conflicts: conflicts.length,
      kept: kept.length,
      changed: batch !== undefined,
    };
    return agentOutput(
      header("undo", counts),
      [
        ...conflicts.flatMap(({ message }) => line("Conflict", message)),
        ...reverts.flatMap((revert) => line("Revert", agentRevert(revert))),
        ...kept.flatMap(({ type, reason }) => line("Kept", `${type}: ${reason}`)),
        ...line("Batch", batch?.batch_uid),
        ...(batch === undefined ? [] : [`Undo: ${undoLine(batch)} --yes --agent`]),
      ],
      quiet,
    );
  },
  refs: ({ reverts }) => reverts.map(({ qualified_id }) => qualified_id),
};

function undoLine({ actor, at }: NonNullable<Undone["batch"]>): string {
  return `svc undo --actor ${shellWord(oneLine(actor))} --since ${at}`;
}

function head({ of_actor, since, until, event_count, reverts, undone_before }: Undone): string {
  const span = `${shortTime(since)} to ${shortTime(until)}`;
  const who = oneLine(of_actor);
  if (event_count === 0) return `${who} changed nothing from ${span}.`;
  const before = undone_before === 0 ? "" : `, ${undone_before} of them taken back before`;
  const nothing = reverts.length === 0 ? "; there is nothing to put back" : "";
  return `${counted(event_count, "change")} of ${who} from ${span}${before}${nothing}`;
}

const WIDTH = 40;

function humanRevert(revert: Revert, { paint }: Style): string {
  return `${paint("id", oneLine(revert.qualified_id))}  ${sentence(revert)}`;
}

function agentRevert(revert: Revert): string {
  return `${revert.qualified_id} ${sentence(revert)}`;
}

function sentence({ field, name = "", from, to, issue_title }: Revert): string {
  switch (field) {
    case "issue":
      return `deleted: ${valueText(issue_title)}`;
    case "status":
      return to === "open" ? "reopened" : "closed again";
    case "deleted":
      return to === true ? "deleted again" : "restored";
    case "lease":
      return "lease given up";
    case "label":
      return to === true ? `label ${valueText(name)} added` : `label ${valueText(name)} removed`;
    case "link":
      return to === true ? `link ${oneLine(name)} added` : `link ${oneLine(name)} removed`;
    case "comment":
      return to === null
        ? `comment taken back: ${valueText(from)}`
        : `comment ${valueText(from)} → ${valueText(to)}`;
    case "metadata":
      return `metadata ${valueText(name)}: ${valueText(from)} → ${valueText(to)}`;
    default:
      return `${field}: ${valueText(from)} → ${valueText(to)}`;
  }
}

function valueText(value: Revert["from"]): string {
  return value === null ? "none" : cut(oneLine(String(value)), WIDTH);
}
