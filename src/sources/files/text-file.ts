import { open } from "node:fs/promises";
import { unopened } from "./input.ts";
import { brokenFileError } from "./refuse.ts";

const NEWLINE = 0x0a;

/** Reads a file of at most `most` bytes as text, without a byte order mark. Errors call the file `name`. */
export async function readTextFile(path: string, most: number, name?: string): Promise<string> {
  const file = await open(path).catch((cause: unknown) => {
    throw unopened(path, cause);
  });
  try {
    const found = await file.stat();
    if (found.isDirectory()) {
      throw brokenFileError(
        { file: name ?? path },
        "it is a folder",
        "give the file that the other tool wrote",
      );
    }
    if (found.size > most) {
      throw brokenFileError(
        { file: name ?? path },
        `it has ${found.size} bytes, more than the ${most} that svc reads at once`,
        "import it in parts: what is imported later joins what is there",
      );
    }
    return decode(await file.readFile(), name ?? path);
  } finally {
    await file.close();
  }
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw brokenFileError(
      { file, line: brokenLineOf(bytes) },
      "not UTF-8 text",
      "save the file as UTF-8 and import it again",
      cause,
    );
  }
}

/**
 * The number of the first line that is not valid UTF-8. No multi-byte character contains the byte of a line break, so
 * each line can be decoded separately.
 */
function brokenLineOf(bytes: Uint8Array): number {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  for (let from = 0; ; line += 1) {
    const end = bytes.indexOf(NEWLINE, from);
    try {
      decoder.decode(bytes.subarray(from, end === -1 ? bytes.length : end));
    } catch {
      return line;
    }
    if (end === -1) return line;
    from = end + 1;
  }
}
