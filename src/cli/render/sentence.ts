import { agentOutput, type Fields, header } from "../../shared/agent.ts";
import type { NamedIssue, View } from "../output/output.ts";
import type { Style } from "./palette.ts";

/**
 * A view that prints one sentence for people, and one line of fields for agents. With `--quiet`, people get only refs.
 */
export function sentenceView<T>(
  command: string,
  sentence: (body: T, style: Style) => string,
  fields: (body: T) => Fields,
  refs: (body: T) => readonly NamedIssue[] = () => [],
): View<T> {
  return {
    human: sentence,
    agent: (body, quiet) => agentOutput(header(command, fields(body)), [], quiet),
    refs,
  };
}
