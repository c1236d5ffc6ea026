import { type Act, type LinkChange, uidOf, type Write } from "./writes.ts";

/** The words for a write: `done` after it was made (`closed abc4`), `does` before it is made (`closes abc4`). */
export interface Words {
  readonly done: string;
  readonly does: string;
}

export function wordsOf(write: Write): Words {
  return wordsAbout(write, write.act === "create" ? `"${write.title}"` : write.at.name);
}

export function wordsOfWrites(writes: readonly Write[]): Words {
  const [first] = writes;
  if (first === undefined) return { done: "nothing", does: "nothing" };
  if (writes.length === 1) return wordsOf(first);
  const issues = new Set(writes.map((write) => uidOf(write) ?? write)).size;
  const about = issues === 1 ? `${writes.length} changes` : `${issues} issues`;
  const words = wordsAbout(first, about);
  if (writes.every((write) => wordsAbout(write, about).does === words.does)) return words;
  const facets = new Set(writes.map(({ act }) => FACETS[act] ?? ""));
  const [facet = ""] = facets;
  const what = facets.size === 1 && facet !== "" ? `${facet} of ${about}` : about;
  return { done: `changed ${what}`, does: `changes ${what}` };
}

/** The word for what an act changes. It is used in a sentence about several different writes. */
const FACETS: Readonly<Partial<Record<Act, string>>> = {
  assign: "the owners",
  unassign: "the owners",
  label: "labels",
  unlabel: "labels",
  priority: "the priorities",
  link: "links",
};

function wordsAbout(write: Write, name: string): Words {
  const { verb, before = "", after = "" } = phraseOf(write);
  const phrase = (word: string): string =>
    [word, before, name, after].filter((part) => part !== "").join(" ");
  const [done, does] = VERBS[verb];
  return { done: phrase(done), does: phrase(does) };
}

const VERBS = {
  ask: ["asked", "asks"],
  clear: ["cleared", "clears"],
  close: ["closed", "closes"],
  comment: ["commented on", "comments on"],
  create: ["created", "creates"],
  delete: ["deleted", "deletes"],
  give: ["gave", "gives"],
  let: ["let", "lets"],
  make: ["made", "makes"],
  move: ["moved", "moves"],
  put: ["put", "puts"],
  relate: ["related", "relates"],
  release: ["released", "releases"],
  reopen: ["reopened", "reopens"],
  restore: ["restored", "restores"],
  save: ["saved", "writes"],
  take: ["took", "takes"],
  tell: ["told", "tells"],
  turn: ["turned", "turns"],
} as const;

/** The words of a write in a message: a verb, and the words before and after the issue's name. */
interface Phrase {
  readonly verb: keyof typeof VERBS;
  readonly before?: string;
  readonly after?: string;
}

function phraseOf(write: Write): Phrase {
  switch (write.act) {
    case "edit":
      return { verb: "save", before: editedPart(write) };
    case "edit-comment":
      return { verb: "save", before: "a comment on" };
    case "link":
      return linkPhrase(write);
    case "assign":
      return { verb: "give", after: `to ${write.owner}` };
    case "unassign":
      return { verb: "take", after: "from the owner" };
    case "label":
      return { verb: "put", before: `${write.label} on` };
    case "unlabel":
      return { verb: "take", before: `${write.label} off` };
    case "priority":
      return write.priority === undefined
        ? { verb: "take", before: "the priority off" }
        : { verb: "make", after: `P${write.priority}` };
    case "metadata":
      return { verb: "save", before: `${keysOf(write)} of` };
    case "move":
      return { verb: "move", after: `to ${write.to.name}` };
    case "notify":
      if (write.isAnswer) return { verb: "tell", before: `${write.to} the answer on` };
      return { verb: "ask", before: `${write.to} about` };
    case "clear":
      return { verb: "clear", before: "the request on" };
    case "release":
      return { verb: "release", before: "the lease of" };
    case "steal":
      return { verb: "take", before: "the lease of", after: "over" };
    case "toggle":
      return { verb: "turn", after: write.on ? "on" : "off" };
    // Its answer says what was done.
    case "bridge":
      return { verb: "save", before: "the bridge of" };
    case "create-series":
      return { verb: "create", before: "the series" };
    case "edit-series":
      return { verb: "save", before: "the series" };
    case "delete-series":
      return { verb: "delete", before: "the series" };
    case "create":
    case "comment":
    case "close":
    case "reopen":
    case "delete":
    case "restore":
      return { verb: write.act };
  }
}

function editedPart({ title, body }: Extract<Write, { act: "edit" }>): string {
  if (body === undefined) return "the title of";
  return title === undefined ? "the text of" : "title and text of";
}

/** Names the changed metadata. Planning dates have one common name; other keys are named as they are. */
function keysOf({ patch }: Extract<Write, { act: "metadata" }>): string {
  const keys = Object.keys(patch);
  return keys.every((key) => DATES.has(key)) ? "the dates" : keys.join(", ");
}

const DATES: ReadonlySet<string> = new Set(["scheduled_on", "deadline_on", "timezone", "someday"]);

function linkPhrase({ change, peers }: Extract<Write, { act: "link" }>): Phrase {
  const { kind, does, refs } = change;
  const [verb, lead, end = ""] = LINK_WORDS[kind][does];
  return { verb, after: `${lead} ${peers ?? refs.join(", ")}${end}` };
}

/** For each change of links, the verb and the words around the linked issues. */
const LINK_WORDS: Readonly<
  Record<
    LinkChange["kind"],
    Readonly<Record<LinkChange["does"], readonly [keyof typeof VERBS, string, string?]>>
  >
> = {
  parent: { add: ["put", "under"], remove: ["take", "out of"] },
  blocks: { add: ["make", "block"], remove: ["let", "block", " no more"] },
  blocked_by: { add: ["make", "wait for"], remove: ["let", "wait for", " no more"] },
  related: { add: ["relate", "to"], remove: ["take", "off"] },
};

export const WHY_KEPT: Readonly<Partial<Record<Act, string>>> = {
  comment: "a comment is not taken back",
  move: "a move is not taken back",
  notify: "a request is not taken back",
  clear: "a cleared request does not come back",
  "create-series": "a new series is not taken back",
  "edit-series": "a change of a series is not taken back",
  "delete-series": "a deleted series does not come back",
  release: "a lease that was taken is not given back",
  steal: "a lease that was taken is not given back",
  bridge: "what was asked of a bridge is not taken back",
};
