import type { State } from "../../domain/state.ts";
import { titleWords } from "./words.ts";

/** The text of an issue that is new in this batch and has no comments. */
export interface NewText {
  readonly uid: string;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly isDeleted: boolean;
}

/**
 * The issues whose full-text rows the batch still has to write. They are written once, at the end of the batch, because
 * SQLite flushes its index at every savepoint. Until then the check for similar titles reads these issues from here.
 */
export class PendingTexts {
  /** By uid: the labels of each issue that the batch created and has not changed since. Undefined for other issues. */
  readonly #labels = new Map<string, readonly string[] | undefined>();
  readonly #titles = new Map<
    string,
    { readonly title: string; readonly words: ReadonlySet<string> }
  >();
  #added: string[] = [];

  add(uid: string): void {
    if (!this.#labels.has(uid)) this.#added.push(uid);
    this.#labels.set(uid, undefined);
  }

  addNew(uid: string, labels: readonly string[]): void {
    this.add(uid);
    this.#labels.set(uid, labels);
  }

  uids(): readonly string[] {
    return [...this.#labels.keys()];
  }

  /**
   * Returns the text of an issue that the batch created, from memory. Returns undefined when the issue's rows must be
   * read.
   */
  newText(uid: string, loaded: Pick<State, "issue">): NewText | undefined {
    const labels = this.#labels.get(uid);
    const issue = loaded.issue(uid);
    if (labels === undefined || issue === undefined) return undefined;
    const { title, body, deleted_at } = issue;
    return { uid, title, body, labels, isDeleted: deleted_at !== null };
  }

  /** Marks the start of one write of the batch; `undo` removes what was added since. */
  mark(): void {
    this.#added = [];
  }

  undo(): void {
    for (const uid of this.#added) this.#labels.delete(uid);
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
