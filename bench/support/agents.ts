/** A simulated agent. Each method resolves when the agent has read the answer. */
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

export const PROGRESS =
  "Read the report and found the place; a change and a test for it are under way.";
export const DONE =
  "The report no longer applies: the change was made, and a test covers the case.";
export const SHA = "0123456789abcdef0123456789abcdef01234567";

export function followUpTitle(ref: string): string {
  return `Look again at what ${ref} left open`;
}

/** The tally counts a claim under this name if another agent claimed the issue first. */
export const LATE_CLAIM = "late claim";

export class Tally {
  readonly counts = new Map<string, { readonly calls: number; readonly bytes: number }>();

  add(name: string, bytes: number, calls = 1): void {
    const count = this.counts.get(name) ?? { calls: 0, bytes: 0 };
    this.counts.set(name, { calls: count.calls + calls, bytes: count.bytes + bytes });
  }

  addAll({ counts }: Tally): void {
    for (const [name, { calls, bytes }] of counts) this.add(name, bytes, calls);
  }

  calls(name: string): number {
    return this.counts.get(name)?.calls ?? 0;
  }

  bytes(names: Iterable<string> = this.counts.keys()): number {
    return Array.from(names, (name) => this.counts.get(name)?.bytes ?? 0).reduce(
      (sum, bytes) => sum + bytes,
      0,
    );
  }
}
