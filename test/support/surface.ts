import type { Surface } from "../../tui/terminal-effects.ts";

/** A machine without a terminal: effects on it do nothing. */
export function bareSurface(parts: Pick<Surface, "clock" | "signal" | "dispatch">): Surface {
  const nothing = (): void => undefined;
  return {
    ...parts,
    seen: () => new Set(),
    copy: () => ({ by: "terminal" }),
    editText: async (text) => text,
    runProgram: async () => undefined,
    saveColumns: async () => undefined,
    saveView: async () => [],
    dropDraft: () => undefined,
    repaint: nothing,
    suspend: async () => undefined,
    quit: nothing,
  };
}
