import { agentOutput, type Fields, header } from "../../shared/agent.ts";
import type { View } from "../output.ts";
import type { Style } from "./palette.ts";

/** A result of one sentence for people, which `--quiet` leaves out, and of one line of fields for agents. */
export function sentenceView<T>(
  command: string,
  sentence: (body: T, style: Style) => string,
  fields: (body: T) => Fields,
): View<T> {
  return {
    human: (body, style) => (style.quiet ? "" : sentence(body, style)),
    agent: (body, quiet) => agentOutput(header(command, fields(body)), [], quiet),
  };
}
