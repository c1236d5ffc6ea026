import { type Pty, pty } from "../support/pty.ts";
import { type Box, box } from "./box.ts";

export interface Size {
  readonly columns?: number;
  readonly rows?: number;
}

/** Opens the screen of the built svc in the workspace of the box. */
export function tui(place: Box, words: readonly string[] = [], size: Size = {}): Pty {
  const { launcher, work: cwd, env } = place;
  return pty(process.execPath, [launcher, "tui", ...words], { cwd, env, ...size });
}

/** Makes a project with two issues; the second one changed last. */
export async function board(): Promise<Box> {
  const place = box();
  await place.json("init", "--project", "product");
  await place.json("create", "First issue", "--body", "What it is about.", "--label", "bug");
  await place.json("create", "Second issue", "--priority", "1");
  return place;
}
