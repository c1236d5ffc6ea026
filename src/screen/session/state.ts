/** The recording that is shown instead of a daemon. */
export interface ReplayState {
  readonly speed: number;
  readonly ended: boolean;
}

export interface SessionState {
  /** Part of the idempotency keys of this session's requests, which makes them unique. */
  readonly id: string;
  readonly actor: string;
  readonly version: string;
  /** The last number that was used for a write, a form, a search or a reading of the list. */
  readonly serial: number;
  readonly replay: ReplayState | undefined;
}
