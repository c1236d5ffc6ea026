import { titleWords } from "./words.ts";

/**
 * The issues whose full-text rows the batch still has to write. They are written once, at the end of the batch,
 * because SQLite flushes its index at every savepoint; so the check for similar titles reads them from here.
 */
export class PendingTexts {
  readonly #uids = new Set<string>();
  readonly #titles = new Map<
    string,
    { readonly title: string; readonly words: ReadonlySet<string> }
  >();
  #added: string[] = [];

  add(uid: string): void {
    if (this.#uids.has(uid)) return;
    this.#uids.add(uid);
    this.#added.push(uid);
  }

  uids(): readonly string[] {
    return [...this.#uids];
  }

  /** Marks the start of one write of the batch; `undo` removes what was added since. */
  mark(): void {
    this.#added = [];
  }

  undo(): void {
    for (const uid of this.#added) this.#uids.delete(uid);
    this.#titles.clear();
  }

  words(uid: string, title: string): ReadonlySet<string> {
    const known = this.#titles.get(uid);
    if (known?.title === title) return known.words;
    const words = new Set(titleWords(title));
    this.#titles.set(uid, { title, words });
    return words;
  }
}
