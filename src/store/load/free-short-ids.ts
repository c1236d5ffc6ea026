/**
 * Remembers which short ids were found to be free. If an operation looks for a free short id and then creates the
 * issue, the tables are read only once.
 */
export class FreeShortIds {
  /** By project and short id: the uid of the only issue that may get the short id, or "" if any issue may. */
  readonly #owners = new Map<string, string>();

  note(projectUid: string, shortId: string, owner = ""): void {
    this.#owners.set(keyOf(projectUid, shortId), owner);
  }

  has(projectUid: string, shortId: string, uid: string): boolean {
    const owner = this.#owners.get(keyOf(projectUid, shortId));
    return owner === "" || owner === uid;
  }

  take(projectUid: string, shortId: string): void {
    this.#owners.delete(keyOf(projectUid, shortId));
  }

  clear(): void {
    this.#owners.clear();
  }
}

function keyOf(projectUid: string, shortId: string): string {
  return `${projectUid} ${shortId}`;
}
