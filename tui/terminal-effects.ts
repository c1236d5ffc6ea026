import type { Clock } from "../src/base/clock.ts";
import type { SavedView } from "../src/screen/board/state.ts";
import type { EffectOf } from "../src/screen/effect.ts";
import type { LocalEffect } from "../src/screen/effects/effects.ts";
import { textOf } from "../src/screen/effects/failures.ts";
import type { Message } from "../src/screen/message.ts";
import type { CopyResult } from "./clipboard.ts";

/** The effects that the terminal carries out itself; they need no daemon. */
export type TerminalEffect = LocalEffect | EffectOf<"wake">;

export interface Surface {
  readonly clock: Pick<Clock, "nowMs" | "sleep">;
  readonly signal: AbortSignal;
  dispatch(message: Message): void;
  seen(): ReadonlySet<string>;
  copy(text: string): CopyResult;
  editText(text: string): Promise<string>;
  /** Returns why the program failed, or `undefined` if it did not fail. */
  runProgram(argv: readonly string[]): Promise<string | undefined>;
  /**
   * Saves the filter `query` under `name`; without `query`, removes the filter of that name. Returns all saved filters.
   */
  saveView(name: string, query: string | undefined): Promise<readonly SavedView[]>;
  saveColumns(columns: string | undefined): Promise<void>;
  dropDraft(id: string): void;
  repaint(): void;
  suspend(): Promise<void>;
  quit(): void;
}

export async function onTerminal(effect: TerminalEffect, surface: Surface): Promise<void> {
  const { clock, signal, dispatch } = surface;
  switch (effect.effect) {
    case "save-view": {
      const { name, query } = effect;
      const views = await surface.saveView(name, query);
      return dispatch({ type: "views", views, name, isKept: query !== undefined });
    }
    case "save-columns":
      return await surface.saveColumns(effect.columns);
    case "drop-draft":
      return surface.dropDraft(effect.id);
    case "edit-text":
      return dispatch({ type: "edited", ...(await editedIn(surface, effect.text)) });
    case "run-program":
      return dispatch(ranMessage(effect.name, await surface.runProgram(effect.argv)));
    case "copy":
      return dispatch(copiedMessage(effect.text, surface.copy(effect.text)));
    case "wake":
      await clock.sleep(effect.ms, signal);
      if (!signal.aborted) dispatch({ type: "tick" });
      return;
    case "repaint":
      return surface.repaint();
    case "suspend":
      return await surface.suspend();
    case "quit":
      return surface.quit();
  }
}

async function editedIn(
  surface: Surface,
  text: string,
): Promise<{ readonly text: string } | { readonly error: string }> {
  try {
    return { text: await surface.editText(text) };
  } catch (error) {
    return { error: textOf(error) };
  }
}

function ranMessage(name: string, failure: string | undefined): Message {
  return failure === undefined
    ? { type: "said", text: `ran ${name}` }
    : { type: "failed", text: `${name} failed: ${failure}` };
}

function copiedMessage(text: string, copied: CopyResult): Message {
  if (copied.by === "nothing") return { type: "failed", text: `not copied: ${copied.why}` };
  const lines = text.split("\n");
  const what = lines.length > 3 ? `${lines.length} lines` : lines.join(" ");
  const by = copied.by === "program" ? ` by ${copied.program}` : "";
  return { type: "said", text: `copied ${what}${by}` };
}
