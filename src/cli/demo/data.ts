export const DEMO_PROJECT = "lantern";

export interface DemoIssue {
  /** Other issues of the demo refer to this issue by its key. */
  readonly key: string;
  readonly title: string;
  readonly by: string;
  readonly body?: string;
  readonly parent?: string;
  readonly blockedBy?: readonly string[];
  readonly related?: readonly string[];
  readonly labels?: readonly string[];
  readonly owner?: string;
  readonly priority?: number;
  readonly deadlineIn?: number;
  readonly startsIn?: number;
}

export interface DemoComment {
  readonly on: string;
  readonly by: string;
  readonly body: string;
}

export interface DemoClose {
  readonly issue: string;
  readonly by: string;
  readonly message: string;
  readonly evidence: readonly string[];
}

/** An issue refers only to issues of earlier waves, so the issues of one wave can be created in parallel. */
export const WAVES: readonly (readonly DemoIssue[])[] = [
  [
    {
      key: "release",
      title: "Release 1.4: notes that work offline",
      by: "ana",
      body: "Everything a reader on a train needs: notes open, edits wait, nothing is lost.",
      labels: ["epic"],
      owner: "ana",
      priority: 0,
      deadlineIn: 21,
    },
    {
      key: "accents",
      title: "Search misses words with accents",
      by: "noor",
      labels: ["bug", "search"],
      owner: "ben",
      priority: 2,
    },
    {
      key: "big",
      title: "Crash on a note of more than 3 MB",
      by: "noor",
      labels: ["bug"],
      owner: "ben",
      priority: 0,
    },
    {
      key: "pdf",
      title: "Export to PDF drops pictures",
      by: "noor",
      labels: ["bug"],
      owner: "ben",
      priority: 2,
    },
    {
      key: "key",
      title: "Renew the signing key before it expires",
      by: "dev",
      labels: ["security"],
      owner: "dev",
      priority: 1,
      deadlineIn: 9,
    },
    { key: "share", title: "Share a note by link", by: "mei", labels: ["idea"], priority: 3 },
    {
      key: "old",
      title: "Import notes from the old app",
      by: "mei",
      labels: ["idea"],
      priority: 4,
      startsIn: 40,
    },
  ],
  [
    {
      key: "sync",
      title: "Sync engine",
      by: "ana",
      parent: "release",
      labels: ["epic", "backend"],
      owner: "ana",
      priority: 1,
    },
    {
      key: "screens",
      title: "Screens",
      by: "ana",
      parent: "release",
      labels: ["epic", "app"],
      owner: "mei",
      priority: 1,
    },
    {
      key: "launch",
      title: "Launch",
      by: "ana",
      parent: "release",
      labels: ["epic"],
      owner: "dev",
      priority: 1,
    },
  ],
  [
    {
      key: "queue",
      title: "Keep a queue of edits while offline",
      by: "ana",
      parent: "sync",
      labels: ["backend"],
      owner: "ana",
      priority: 1,
    },
    {
      key: "quota",
      title: "Raise the storage quota of the server",
      by: "dev",
      parent: "launch",
      labels: ["ops"],
      owner: "dev",
      priority: 2,
    },
    {
      key: "jump",
      title: "Title jumps when the keyboard opens",
      by: "noor",
      parent: "screens",
      labels: ["bug", "app"],
      owner: "mei",
      priority: 1,
    },
    {
      key: "text",
      title: "Larger text on the reading screen",
      by: "mei",
      parent: "screens",
      labels: ["a11y", "app"],
      priority: 3,
    },
    {
      key: "ci",
      title: "Move the build to the new runners",
      by: "dev",
      parent: "launch",
      labels: ["chore"],
      priority: 3,
      related: ["key"],
    },
  ],
  [
    {
      key: "merge",
      title: "Merge two edits of one note field by field",
      by: "ana",
      body: "Title, body and tags are merged apart. A clash inside one field asks the reader.",
      parent: "sync",
      blockedBy: ["queue"],
      labels: ["backend"],
      priority: 1,
    },
    {
      key: "retry",
      title: "Retry uploads with growing pauses",
      by: "ana",
      parent: "sync",
      blockedBy: ["queue"],
      labels: ["backend"],
      priority: 2,
    },
    {
      key: "waiting",
      title: "Show what still waits to be uploaded",
      by: "mei",
      parent: "screens",
      blockedBy: ["queue"],
      labels: ["app"],
      owner: "ben",
      priority: 2,
    },
  ],
  [
    {
      key: "power",
      title: "Prove that a power cut loses no edit",
      by: "ana",
      parent: "sync",
      blockedBy: ["merge", "retry"],
      labels: ["backend", "test"],
      owner: "noor",
      priority: 1,
    },
    {
      key: "clash",
      title: "Ask which text to keep when edits clash",
      by: "mei",
      parent: "screens",
      blockedBy: ["merge"],
      labels: ["app"],
      owner: "mei",
      priority: 2,
    },
    {
      key: "load",
      title: "Load test with 10,000 phones",
      by: "dev",
      parent: "launch",
      blockedBy: ["retry", "quota"],
      labels: ["ops", "test"],
      owner: "dev",
      priority: 2,
    },
  ],
  [
    {
      key: "reader",
      title: "Screen readers speak the sync state",
      by: "mei",
      parent: "screens",
      blockedBy: ["waiting"],
      labels: ["a11y", "app"],
      priority: 2,
    },
    {
      key: "guide",
      title: "Write the upgrade guide",
      by: "mei",
      parent: "launch",
      blockedBy: ["clash"],
      labels: ["docs"],
      owner: "mei",
      priority: 2,
    },
    {
      key: "tour",
      title: "Record a two-minute tour",
      by: "mei",
      parent: "launch",
      blockedBy: ["clash"],
      labels: ["docs"],
      priority: 3,
    },
  ],
  [
    {
      key: "tag",
      title: "Tag 1.4 and publish",
      by: "ana",
      parent: "launch",
      blockedBy: ["power", "load", "guide", "key"],
      labels: ["release"],
      owner: "dev",
      priority: 0,
      deadlineIn: 21,
    },
  ],
];

export const COMMENTS: readonly DemoComment[] = [
  {
    on: "big",
    by: "ben",
    body: "Happens in the renderer, not in the parser: the note is laid out on the main thread.",
  },
  {
    on: "merge",
    by: "ben",
    body: "Tags are a set, so they never clash. That leaves title and body.",
  },
  { on: "merge", by: "ana", body: "Agreed. I start with the body." },
  { on: "key", by: "dev", body: "The old one is good until the end of the month." },
  {
    on: "clash",
    by: "mei",
    body: "Two drafts of the screen are in the design folder; the second one fits a small phone.",
  },
];

export const CLOSES: readonly DemoClose[] = [
  {
    issue: "queue",
    by: "ana",
    message: "Edits are written to the queue first and leave it when the server has answered.",
    evidence: ["--test", "npm test -- queue"],
  },
  {
    issue: "quota",
    by: "dev",
    message: "Every account has 5 GB now; the alarm fires at four fifths of the disk.",
    evidence: ["--commit", "4f1c2ab"],
  },
  {
    issue: "pdf",
    by: "ben",
    message: "Pictures are inlined before the page is printed, in the order of the note.",
    evidence: ["--commit", "90d3e17"],
  },
];

/** The `DemoIssue.key` of the issue that the demo claims at its end, and the person who claims it. */
export const CLAIMED = { issue: "merge", by: "ana" } as const;
/** The `DemoIssue.key` of the issue that the demo explains with `svc why`. */
export const EXPLAINED = "tag";
