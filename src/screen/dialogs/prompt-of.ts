import type { PromptDialog, PromptKind } from "../forms/dialog.ts";
import type { PromptRecord, PromptRecords } from "../prompt.ts";
import type { State } from "../state.ts";
import { SHARED_PROMPTS } from "./shared-prompts.ts";

/** Returns the record of the prompt, from a screen or from the shared prompts. Throws if there is no such record. */
export function promptOf(
  { screens }: Pick<State, "screens">,
  { kind }: Pick<PromptDialog, "kind">,
): PromptRecord {
  const tables: readonly Partial<PromptRecords<PromptKind>>[] = [
    SHARED_PROMPTS,
    ...screens.map(({ prompts = {} }) => prompts),
  ];
  const found = tables.find((table) => table[kind] !== undefined)?.[kind];
  if (found === undefined) throw new Error(`no prompt is called ${kind}`);
  return found;
}
