/** What a database that can erase does for it, each in a turn in which nothing else is written. */
export interface Erasure {
  mergeTexts(isFirst: boolean): boolean;
  /** Takes the write-ahead log into the file and empties it; false while a reader needs it. */
  emptyLog(): boolean;
  /** Cleans some pages from `first` on; `next` is where to go on. */
  cleanPages(first: number): { readonly next: number | undefined } | "held";
}
