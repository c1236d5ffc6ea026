/** What a database that can erase does for it, each in a turn in which nothing else is written. */
export interface Erasure {
  /** Merges a part of the full-text index, which keeps deleted words until then; whether there is more to merge. */
  mergeTexts(isFirst: boolean): boolean;
  /** Writes the whole file anew, in a thread, without anything that was deleted. It needs twice the file's room. */
  rewrite(): Promise<void>;
  /** Takes the write-ahead log into the file and empties it; false while a reader needs it. */
  emptyLog(): boolean;
}
