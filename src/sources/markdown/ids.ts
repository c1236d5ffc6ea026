import { brokenFileError } from "../files/refuse.ts";
import { plainWord } from "./values.ts";

/**
 * Finds issues by the names that front matter uses: an id, a path or a title, also as `[[title]]`. Upper and lower case
 * do not matter.
 */
export class IdTable {
  readonly #ids = new Map<string, string>();
  readonly #files = new Map<string, string>();

  /** Notes the id of the issue in a file. Throws if another file has the same id, since both would become one issue. */
  addFile(id: string, file: string): void {
    const other = this.#files.get(id);
    if (other !== undefined) {
      throw brokenFileError(
        { file },
        `it has the id ${id}, as ${other} has`,
        "give one of them another id",
      );
    }
    this.#files.set(id, file);
  }

  /** Adds another name of an issue. If two issues have the same name, the first one keeps it. */
  add(word: string, id: string): void {
    const key = keyOf(word);
    if (key !== "" && !this.#ids.has(key)) this.#ids.set(key, id);
  }

  /**
   * The id of the issue with this name. If no issue of the folder has the name, the name itself is returned, because a
   * later import may bring the issue.
   */
  find(word: string): string {
    const inside = /^\[\[([^\]|#]+)(?:[|#][^\]]*)?\]\]$/.exec(word.trim())?.[1] ?? word.trim();
    return this.#ids.get(keyOf(inside)) ?? inside;
  }
}

/**
 * The form in which names are compared: lower case, and without leading zeros of numbers, so that `task-07.1` equals
 * `task-7.1`.
 */
function keyOf(word: string): string {
  return plainWord(
    word
      .replace(/^[#@]/, "")
      .replace(/^\.?\/+/, "")
      .replace(/\.(md|markdown)$/i, ""),
  ).replace(/(?<![0-9a-z])0+(?=\d)/g, "");
}
