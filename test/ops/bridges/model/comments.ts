import { importedText } from "../../../../src/domain/bridges/comments-in.ts";
import { REQUEST_LABEL, REQUEST_TEXTS } from "../../../../src/domain/bridges/lifecycle.ts";
import type { ExternalComment } from "../../../../src/domain/bridges/values.ts";
import type { Bridged } from "../bridged.ts";

interface Said {
  /** The word that all versions of the comment begin with. */
  readonly word: string;
  text: string;
  /** The bridge that must publish it. */
  readonly publisher: string | undefined;
}

interface SaidThere {
  readonly word: string;
  /** The text with which a bridge knows it without a copy here; undefined if there must be a copy. */
  known: string | undefined;
  /** Whether it ever had another text since then, which a run may have seen. */
  wasEdited: boolean;
}

type Ending = "published" | "adopt" | "skip";

/** What people said on both sides, and what the log says that the bridge made of it. */
export class Comments {
  readonly faults: string[] = [];
  readonly requests = { completion: 0, reopen: 0 };
  readonly #b: Bridged;
  readonly #here = new Map<string, Said>();
  readonly #there = new Map<string, SaidThere>();
  /** The comments here that were imported, by the ids of the comments there. */
  readonly #copies = new Map<string, string[]>();
  readonly #endings = new Map<string, Ending[]>();
  #labels = 0;
  #cursor = 0;

  constructor(b: Bridged) {
    this.#b = b;
  }

  get count(): number {
    return this.#here.size + this.#there.size;
  }

  get #listed(): readonly ExternalComment[] {
    return (this.#b.provider.hidden ?? this.#b.provider.record("r")).comments;
  }

  saidHere(uid: string, word: string, publisher: string | undefined): void {
    this.#here.set(uid, { word, text: word, publisher });
  }

  rewordedHere(uid: string, text: string): void {
    const said = this.#here.get(uid);
    if (said !== undefined) said.text = text;
  }

  isCopy(uid: string): boolean {
    return [...this.#copies.values()].some((uids) => uids.includes(uid));
  }

  saidThere(id: string, word: string): void {
    this.#there.set(id, { word, known: undefined, wasEdited: false });
  }

  wordOf(id: string): string {
    return this.#there.get(id)?.word ?? "";
  }

  rewordedThere(id: string): void {
    const said = this.#there.get(id);
    if (said !== undefined) said.wasEdited = true;
  }

  /** The id of the comment there that was published from this one. */
  idThere(uid: string): string | undefined {
    const said = this.#ours(uid);
    const found = this.#listed.find(({ id }) => this.#there.get(id) === said);
    return said === undefined || found?.deleted !== false ? undefined : found.id;
  }

  /** Notes what the bridge published, and reads the log on. */
  async look(): Promise<void> {
    for (const { id, body } of this.#listed)
      if (!this.#there.has(id))
        this.#there.set(id, { word: body.split(" ")[0] ?? "", known: body, wasEdited: false });
    const events = await this.#b.store.read(
      async (reader) => await reader.events.after(this.#cursor, 10_000),
    );
    this.#cursor = events.at(-1)?.id ?? this.#cursor;
    for (const { type, payload } of events) this.#note(type, payload as Payload);
  }

  #note(type: string, payload: Payload): void {
    const { comment_uid = "", pending_comment_uid = "", source, body, action, label } = payload;
    if (type === "issue.commented" && source?.external_comment_id !== undefined)
      push(this.#copies, source.external_comment_id, comment_uid);
    if (type === "issue.commented" && body === REQUEST_TEXTS.completion)
      this.requests.completion += 1;
    if (type === "issue.commented" && body === REQUEST_TEXTS.reopen) this.requests.reopen += 1;
    if (type === "issue.labeled" && label === REQUEST_LABEL) this.#labels += 1;
    if (type !== "issue.external_comment_resolved" || action === "retry") return;
    push(this.#endings, pending_comment_uid, action as Ending);
    const ours = this.#ours(pending_comment_uid);
    // What was skipped and is there all the same is a comment like any other.
    if (ours !== undefined && action === "skip") ours.known = undefined;
    if (ours !== undefined && action === "adopt") this.#know(ours);
  }

  #ours(uid: string): SaidThere | undefined {
    const word = this.#here.get(uid)?.word;
    return [...this.#there.values()].find((one) => one.word === word);
  }

  #know(said: SaidThere): void {
    const comment = this.#listed.find(({ id }) => this.#there.get(id) === said);
    said.known = comment?.body;
    said.wasEdited = false;
  }

  /** Notes that a bind saw the comments that are there. */
  bound(): void {
    for (const [id, said] of this.#there) if (!this.#copies.has(id)) this.#know(said);
  }

  /** Adds a fault for each comment that is not once where it belongs. */
  async check(publisher: string): Promise<void> {
    const rows = await this.#b.store.read(
      async ({ comments }) => await comments.of(this.#b.issue.uid),
    );
    const texts = new Map(rows.map(({ uid, body }) => [uid, body]));
    for (const [uid, said] of this.#here) this.#checkHere(uid, said, texts, publisher);
    for (const comment of this.#listed) this.#checkThere(comment, texts);
    const copies = [...this.#copies.values()].reduce((sum, { length }) => sum + length, 0);
    const { completion, reopen } = this.requests;
    const count = this.#here.size + copies + completion + reopen;
    if (count !== rows.length) this.faults.push(`${rows.length} comments here instead of ${count}`);
    if (this.#labels > completion + reopen) this.faults.push("a label without a request");
  }

  #checkHere(
    uid: string,
    { word, text, publisher: of }: Said,
    texts: ReadonlyMap<string, string>,
    publisher: string,
  ): void {
    if (texts.get(uid) !== text)
      this.faults.push(`${word} here is ${texts.get(uid)} instead of ${text}`);
    const count = this.#listed.filter(({ id }) => this.wordOf(id) === word).length;
    const endings = this.#endings.get(uid) ?? [];
    const isSkipped = endings.includes("skip");
    if (endings.length > 1) this.faults.push(`${word} ended by ${endings.join()}`);
    if (count > 1) this.faults.push(`${word} is there ${count} times`);
    if (of === undefined && count > 0) this.faults.push(`${word} was published unasked`);
    if (of === publisher && !isSkipped && count === 0) this.faults.push(`${word} is not there`);
  }

  #checkThere(comment: ExternalComment, texts: ReadonlyMap<string, string>): void {
    const { id, deleted, body } = comment;
    const { word, known, wasEdited } = this.#there.get(id) ?? { word: "", wasEdited: false };
    const copies = this.#copies.get(id) ?? [];
    if (copies.length > 1) this.faults.push(`${word} has ${copies.length} copies here`);
    const [copy] = copies;
    if (copy !== undefined && texts.get(copy) !== importedText(comment))
      this.faults.push(`the copy of ${word} is ${texts.get(copy)} instead of ${body}`);
    if (deleted) return;
    if (copy === undefined && known !== body)
      this.faults.push(`${word} has no copy here, known as ${known}`);
    if (copy !== undefined && known === body && !wasEdited)
      this.faults.push(`${word} was imported unasked`);
  }
}

interface Payload {
  readonly comment_uid?: string;
  readonly pending_comment_uid?: string;
  readonly source?: { readonly external_comment_id?: string };
  readonly body?: string;
  readonly action?: string;
  readonly label?: string;
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  map.set(key, [...(map.get(key) ?? []), value]);
}
