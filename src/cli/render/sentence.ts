import { agentOutput, type Fields, header } from "../../shared/agent.ts";
import type { Named, View } from "../output.ts";
import type { Style } from "./palette.ts";

/** A result of one sentence for people, and of one line of fields for agents; `--quiet` leaves the sentence out. */
export function sentenceView<T>(
  command: string,
  sentence: (body: T, style: Style) => string,
  fields: (body: T) => Fields,
  refs: (body: T) => readonly Named[] = () => [],
): View<T> {
  return {
    human: sentence,
    agent: (body, quiet) => agentOutput(header(command, fields(body)), [], quiet),
    refs,
  };
}
