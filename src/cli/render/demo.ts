import { shellWord } from "../../base/shell-word.ts";
import { agentOutput, header } from "../../shared/agent.ts";
import type { View } from "../output/output.ts";
import type { Style } from "./palette.ts";

export interface DemoResult {
  readonly project: string;
  readonly issues: number;
  readonly closed: number;
  readonly comments: number;
  readonly kept: boolean;
}

/**
 * Shows commands to go on with, each of which works when it is pasted into the shell that started the demo.
 *
 * @param ref an issue of the demo's project
 * @param pathFolder the folder that this shell needs in its PATH to find svc; `undefined` if it finds svc
 */
export function demoView(
  { folder, home, work }: { readonly folder: string; readonly home: string; readonly work: string },
  ref: string,
  pathFolder?: string,
): View<DemoResult> {
  return {
    human: ({ kept }, { paint, quiet }) => {
      if (quiet) return kept ? folder : "";
      const path =
        pathFolder === undefined
          ? []
          : section(paint, "Your shell does not find svc yet", [
              [`export PATH=${shellWord(pathFolder)}:"$PATH"`, ""],
            ]);
      const there = kept
        ? section(paint, "Go on with this project", [
            [`cd ${shellWord(work)}`, ""],
            [`export SVC_HOME=${shellWord(home)}`, ""],
            [`svc show ${ref}`, "everything about one issue"],
            ["", ""],
            ["# and when you have seen enough", ""],
            [`svc daemon stop && rm -r ${shellWord(folder)}`, ""],
          ])
        : [];
      const own = section(paint, "Start your own, in a folder of yours", [
        ["svc init", "a project for this folder"],
        ['svc create "What is to be done"', "the first issue"],
        ["svc ready", "what can be started"],
        ["svc tui", "the board"],
        ["svc close --help", "how to close one, and on what evidence"],
        ["svc events --tail", "watch what happens"],
        ["svc import --help", "bring the issues of another tracker"],
      ]);
      return [...path, ...there, ...own].join("\n");
    },
    agent: (body, quiet) =>
      agentOutput(header("demo", { ...body, folder: body.kept ? folder : undefined }), [], quiet),
  };
}

const COMMAND_WIDTH = 36;

function section(
  paint: Style["paint"],
  title: string,
  rows: readonly (readonly [command: string, what: string])[],
): readonly string[] {
  const lines = rows.map(([command, what]) =>
    what === ""
      ? `  ${command}`.trimEnd()
      : `  ${command.padEnd(COMMAND_WIDTH)}  ${paint("faint", what)}`,
  );
  return ["", paint("strong", title), ...lines];
}
