/** The steps that remove purged text from the database files. Each must run while nothing else writes. */
export interface Erasure {
  /**
   * Merges part of the full-text index, because the index keeps deleted words until it is merged. Returns whether more
   * of the index is left to merge.
   */
  mergeTexts(isFirst: boolean): boolean;
  /** Rewrites the whole file on a thread, without deleted content. Needs free disk space of twice the file's size. */
  rewrite(): Promise<void>;
  /** Moves the write-ahead log into the file and empties it. Returns false while a reader needs the log. */
  emptyLog(): boolean;
}
