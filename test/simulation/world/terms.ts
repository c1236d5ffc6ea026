import type { Term } from "../../../src/store/types/elections.ts";

type Happening =
  | (Term & { readonly what: "elected" | "commits"; readonly daemon: string })
  | { readonly what: "put back" };

/** What several daemons did with the terms of their engines, in the order in which it happened. */
export class Terms {
  readonly #happened: Happening[] = [];

  /** A daemon has learned that it has the term. */
  elected(daemon: string, term: Term): void {
    this.#happened.push({ what: "elected", daemon, ...term });
  }

  /** A daemon sends the commit of a transaction in which an engine wrote under the term. */
  commits(daemon: string, term: Term): void {
    this.#happened.push({ what: "commits", daemon, ...term });
  }

  /** An older copy of the database was put back, so the numbers of terms go on from an earlier one. */
  putBack(): void {
    this.#happened.push({ what: "put back" });
  }

  /** The commits under a term that were sent after a later term was known to have begun. */
  get faults(): readonly string[] {
    const latest = new Map<string, number>();
    const faults: string[] = [];
    for (const happening of this.#happened) {
      if (happening.what === "put back") {
        latest.clear();
        continue;
      }
      const { what, daemon, name, number } = happening;
      const known = latest.get(name) ?? 0;
      if (what === "elected") latest.set(name, Math.max(known, number));
      else if (number < known)
        faults.push(
          `${daemon} commits under term ${number} of ${name}, and term ${known} has begun`,
        );
    }
    return faults;
  }
}
