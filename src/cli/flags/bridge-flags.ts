import * as Args from "@oclif/core/args";
import * as Flags from "@oclif/core/flags";

const svcField = Args.custom<"scheduled_on" | "deadline_on">({
  description: "the date of issues: scheduled_on or deadline_on",
  ignoreStdin: true,
  options: ["scheduled_on", "deadline_on"],
});

/** The date of issues that a command about connectors means. */
export function svcFieldArg() {
  return svcField({ required: true });
}

export const sideFlag = Flags.option({
  summary: "the side whose value holds",
  options: ["local", "external"] as const,
  required: true,
});
