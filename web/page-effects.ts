import type { SavedView } from "../src/screen/board/state.ts";
import type { LocalEffect } from "../src/screen/effects/effects.ts";
import type { Message } from "../src/screen/message.ts";

export interface PageSurface {
  dispatch(message: Message): void;
  copy(text: string): Promise<void>;
  saveView(name: string, query: string | undefined): readonly SavedView[];
  saveColumns(columns: string | undefined): void;
  dropDraft(id: string): void;
}

/** Carries out an effect on the page. Effects of commands that only a terminal has (`web/own-keys.ts`) do nothing. */
export async function onPage(effect: LocalEffect, surface: PageSurface): Promise<void> {
  const { dispatch } = surface;
  switch (effect.effect) {
    case "save-view": {
      const { name, query } = effect;
      const views = surface.saveView(name, query);
      return dispatch({ type: "views", views, name, isKept: query !== undefined });
    }
    case "save-columns":
      return surface.saveColumns(effect.columns);
    case "drop-draft":
      return surface.dropDraft(effect.id);
    case "copy":
      return dispatch(await copyText(surface, effect.text));
    case "edit-text":
    case "run-program":
    case "repaint":
    case "suspend":
    case "quit":
      return;
  }
}

async function copyText(surface: PageSurface, text: string): Promise<Message> {
  try {
    await surface.copy(text);
  } catch {
    return { type: "failed", text: "not copied: the browser does not allow it" };
  }
  const lines = text.split("\n");
  const what = lines.length > 3 ? `${lines.length} lines` : lines.join(" ");
  return { type: "said", text: `copied ${what}` };
}
