import { broken } from "../files/refuse.ts";
import { plainWord } from "./values.ts";

/** Finds the issue that a word of front matter names, as people write it: in any case, as a path or `[[title]]`. */
export class IdTable {
  readonly #ids = new Map<string, string>();
  readonly #files = new Map<string, string>();

  /** Two files with one id would become one issue. */
  addFile(id: string, file: string): void {
    const other = this.#files.get(id);
    if (other !== undefined) {
      throw broken({ file }, `it has the id ${id}, as ${other} has`, "give one of them another id");
    }
    this.#files.set(id, file);
  }

  /** Another word for an issue. The first issue that claims a word keeps it. */
  add(word: string, id: string): void {
    const key = keyOf(word);
    if (key !== "" && !this.#ids.has(key)) this.#ids.set(key, id);
  }

  /** A word that names no issue of the folder stays as it is: the issue may come with a later import. */
  find(word: string): string {
    const inside = /^\[\[([^\]|#]+)(?:[|#][^\]]*)?\]\]$/.exec(word.trim())?.[1] ?? word.trim();
    return this.#ids.get(keyOf(inside)) ?? inside;
  }
}

/** Zeros before a number say nothing: `task-07.1` is `task-7.1`. */
function keyOf(word: string): string {
  return plainWord(
    word
      .replace(/^[#@]/, "")
      .replace(/^\.?\/+/, "")
      .replace(/\.(md|markdown)$/i, ""),
  ).replace(/(?<![0-9a-z])0+(?=\d)/g, "");
}
