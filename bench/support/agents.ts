/** A simulated agent. Each step returns when the answer to it has been read. */
export interface Agent {
  /** The bytes that the agent reads before it takes its first issue, such as the list of tools. */
  readonly start: number;
  /** Counts the answers that the agent got after its start, by the name of the tool or command. */
  readonly tally: Tally;
  /** Takes the issue to work on next and returns its ref, or `undefined` if there is none. */
  take(): Promise<string | undefined>;
  show(ref: string): Promise<void>;
  comment(ref: string): Promise<void>;
  close(ref: string): Promise<boolean>;
  followUp(ref: string): Promise<void>;
  end(): Promise<void>;
}

/** The texts that every agent writes. */
export const PROGRESS =
  "Read the report and found the place; a change and a test for it are under way.";
export const DONE =
  "The report no longer applies: the change was made, and a test covers the case.";
export const SHA = "0123456789abcdef0123456789abcdef01234567";

export function followUpTitle(ref: string): string {
  return `Look again at what ${ref} left open`;
}

/** A claim that comes too late, because another agent has claimed the issue first, is counted under this name. */
export const LATE_CLAIM = "late claim";

/** Counts the answers of each tool or command, and their bytes. */
export class Tally {
  readonly counts = new Map<string, { readonly calls: number; readonly bytes: number }>();

  add(name: string, bytes: number, calls = 1): void {
    const count = this.counts.get(name) ?? { calls: 0, bytes: 0 };
    this.counts.set(name, { calls: count.calls + calls, bytes: count.bytes + bytes });
  }

  /** Adds what another tally counted. */
  addAll({ counts }: Tally): void {
    for (const [name, { calls, bytes }] of counts) this.add(name, bytes, calls);
  }

  calls(name: string): number {
    return this.counts.get(name)?.calls ?? 0;
  }

  /** The sum of the bytes of the answers of the given names, or of all names. */
  bytes(names: Iterable<string> = this.counts.keys()): number {
    return Array.from(names, (name) => this.counts.get(name)?.bytes ?? 0).reduce(
      (sum, bytes) => sum + bytes,
      0,
    );
  }
}
