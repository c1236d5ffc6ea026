import { counted } from "../../base/counted.ts";
import type { criticalPath } from "../../contract/graph.ts";
import type { Output } from "../../contract/route.ts";
import { fieldText, header } from "../../shared/agent.ts";
import { projectOf } from "../../shared/ref.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import type { Style } from "./palette.ts";
import { padStart } from "./width.ts";

type CriticalPath = Output<typeof criticalPath>;
type PathStep = CriticalPath["path"][number];

export const criticalPathView: View<CriticalPath> = {
  human: ({ path, waited_for }, style) => {
    if (path.length === 0) return "Nothing open waits for anything.";
    return [
      `${counted(path.length, "issue")}, each waiting for the one before it:`,
      ...path.map((step, at) => `${padStart(`${at + 1}.`, 4)} ${issueLine(step, path, style)}`),
      ...(waited_for.length === 0 ? [] : ["", "Waited for by:"]),
      ...waited_for.map(
        (step) => `${padStart(String(step.waiting), 4)} ${issueLine(step, path, style)}`,
      ),
    ].join("\n");
  },
  agent: ({ path, waited_for }) =>
    [
      header("critical-path", { length: path.length }),
      ...path.map((step) => `- path ${issueFields(step, path)}`),
      ...waited_for.map((step) => `- waited ${issueFields(step, path)}`),
    ].join("\n"),
  refs: ({ path }) => path.map(({ issue }) => issue),
};

function refOf({ issue }: PathStep, path: readonly PathStep[]): string {
  const end = path.at(-1)?.issue.qualified_id ?? "";
  const home = projectOf(issue.qualified_id) === projectOf(end);
  return oneLine(home ? issue.short_id : issue.qualified_id);
}

function issueLine(step: PathStep, path: readonly PathStep[], { paint }: Style): string {
  const { title, owner } = step.issue;
  return [
    paint("id", refOf(step, path)),
    oneLine(title),
    ...(owner === undefined ? [] : [paint("faint", `(${oneLine(owner)})`)]),
    ...(step.circle === true ? [paint("blocked", "[in a circle]")] : []),
  ].join(" ");
}

function issueFields(step: PathStep, path: readonly PathStep[]): string {
  const { owner, title } = step.issue;
  const { waiting, circle } = step;
  return fieldText({ issue: refOf(step, path), waiting, circle, owner, title });
}
