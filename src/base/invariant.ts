/**
 * Throws when `condition` is false. A failure is always a bug in svc, never a caller's mistake: the daemon answers 500
 * `internal`.
 */
export function invariant(condition: unknown, whatMustHold: string): asserts condition {
  if (!condition) throw new InvariantError(whatMustHold);
}

class InvariantError extends Error {
  override readonly name = "InvariantError";

  constructor(whatMustHold: string) {
    super(`must hold: ${whatMustHold}`);
  }
}
