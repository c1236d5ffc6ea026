/** Where one copy goes on behind what both share: an event, or purged events of which `id` is the last. */
export type LogPlace =
  | {
      readonly id: number;
      readonly uid: string;
      readonly type: string;
      readonly created_at: string;
    }
  | { readonly id: number; readonly purged: true };

export interface ComparedCopy {
  readonly events: number;
  /** The id of its last event, which may be purged; 0 for an empty log. */
  readonly last_id: number;
  /** How many events of the other copy are purged in this one. */
  readonly purged: number;
  readonly at?: LogPlace;
}

/** What a comparison of two copies of a log found: this database's (`here`) and that of a file. */
export interface Compared {
  readonly result: "same" | "file_is_beginning" | "here_is_beginning" | "different";
  /** The id of the last event up to which the copies are known to be equal. */
  readonly same_to: number;
  /**
   * The first event that differs or that only one copy has. `is_exact` is false where purged events hide which of those
   * after `same_to`, up to this one, is the first.
   */
  readonly from?: number;
  readonly is_exact?: boolean;
  readonly here: ComparedCopy;
  readonly file: ComparedCopy;
}

export interface ComparedFile extends Compared {
  readonly path: string;
  /** A fault of the log of this database, in itself. */
  readonly broken?: string;
}
