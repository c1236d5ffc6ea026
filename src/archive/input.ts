import { open } from "node:fs/promises";
import { SvcError } from "../contract/errors.ts";
import { type Line, readLines } from "./lines.ts";

/** The lines of a file that the caller named. */
export async function* readFileLines(path: string): AsyncGenerator<Line> {
  const file = await open(path).catch((cause: unknown) => {
    throw unreadable(path, "it cannot be opened", cause);
  });
  try {
    if ((await file.stat()).isDirectory()) throw unreadable(path, "it is a folder");
    yield* readLines(file.createReadStream({ autoClose: false }));
  } finally {
    await file.close();
  }
}

function unreadable(path: string, why: string, cause?: unknown): SvcError {
  return new SvcError("validation", { path }, { message: `cannot read ${path}: ${why}`, cause });
}
