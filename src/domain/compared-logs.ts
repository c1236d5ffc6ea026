/**
 * The event at which one copy differs from the other. If `purged` is set, it is a run of purged events, and `id` is the
 * last of them.
 */
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
  /** The id of the copy's last event, which may be purged; 0 for an empty log. */
  readonly last_id: number;
  /** How many events of the other copy are purged in this copy. */
  readonly purged: number;
  readonly at?: LogPlace;
}

/** The result of comparing two copies of a log: the one in this database (`here`) and the one in a file. */
export interface LogComparison {
  readonly result: "same" | "file_is_beginning" | "here_is_beginning" | "different";
  /** The id of the last event up to which the copies are known to be equal. */
  readonly same_to: number;
  /**
   * The id of the first event that differs or that only one copy has. If purged events hide some of the events after
   * `same_to`, `is_exact` is false, and the first difference may be before `from`.
   */
  readonly from?: number;
  readonly is_exact?: boolean;
  readonly here: ComparedCopy;
  readonly file: ComparedCopy;
}

export interface ComparedFile extends LogComparison {
  readonly path: string;
  /** A fault in this database's own log. */
  readonly broken?: string;
}
