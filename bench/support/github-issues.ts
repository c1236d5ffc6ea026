/** An issue of a repository on GitHub. Its content depends only on its place in the repository. */
interface Issue {
  readonly title: string;
  readonly body: string;
  readonly isOpen: boolean;
  readonly assignee: string;
  readonly labels: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The number of the parent issue. */
  readonly parent: number | undefined;
  readonly comments: readonly {
    readonly author: string;
    readonly text: string;
    readonly at: string;
  }[];
}

const START_MS = Date.parse("2025-01-01T00:00:00Z");
const WORDS = "the daemon reads a page and then it writes what has changed since last time".split(
  " ",
);

/**
 * The issues of a repository: titles of six words, texts of forty, comments of twenty-five, two labels and an assignee.
 * A third is closed, and every twentieth has a parent.
 */
export function githubIssues(count: number, comments: number): readonly Issue[] {
  return Array.from({ length: count }, (_, at) => {
    const mine = Math.floor(((at + 1) * comments) / count) - Math.floor((at * comments) / count);
    const createdAt = timeAt(at * 600);
    return {
      title: wordsOf(at, 6),
      body: wordsOf(at * 7 + 1, 40),
      isOpen: at % 3 !== 0,
      assignee: `person-${at % 20}`,
      labels: [`area-${at % 30}`, at % 4 === 0 ? "bug" : "feature"],
      createdAt,
      updatedAt: timeAt(at * 600 + mine * 60),
      parent: at % 20 === 19 ? at : undefined,
      comments: Array.from({ length: mine }, (__, place) => ({
        author: `person-${(at + place) % 20}`,
        text: wordsOf(at * 13 + place, 25),
        at: timeAt(at * 600 + (place + 1) * 60),
      })),
    };
  });
}

/** An issue in the form that the simulated host of the tests takes. */
export function hostIssue({ title, body, isOpen, ...issue }: Issue) {
  return {
    title,
    body,
    state: isOpen ? ("open" as const) : ("closed" as const),
    state_reason: isOpen ? null : "completed",
    assignees: [issue.assignee],
    labels: issue.labels,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: isOpen ? null : issue.updatedAt,
    parent: issue.parent ?? null,
    said: issue.comments.map(({ author, text, at }) => {
      return { user: author, body: text, created_at: at, updated_at: at };
    }),
  };
}

/** An issue in the output of `gh issue list --json`. */
export function ghRecord(issue: Issue, at: number) {
  const { title, body, isOpen, createdAt, updatedAt } = issue;
  const url = `https://github.com/ann/tracker/issues/${at + 1}`;
  return {
    ...{ number: at + 1, title, body, url, createdAt, updatedAt, milestone: null },
    state: isOpen ? "OPEN" : "CLOSED",
    stateReason: isOpen ? "" : "COMPLETED",
    closedAt: isOpen ? null : updatedAt,
    author: { login: "ann" },
    assignees: [{ login: issue.assignee }],
    labels: issue.labels.map((name) => ({ name, color: "ededed", description: "" })),
    parent: issue.parent === undefined ? null : { number: issue.parent },
    comments: issue.comments.map(({ author, text, at: written }, place) => ({
      id: `IC_${at}_${place}`,
      ...{ author: { login: author }, body: text, createdAt: written },
    })),
  };
}

function timeAt(seconds: number): string {
  return `${new Date(START_MS + seconds * 1000).toISOString().slice(0, 19)}Z`;
}

function wordsOf(seed: number, count: number): string {
  let mixed = (seed + 1) * 2_654_435_761;
  return Array.from({ length: count }, () => {
    mixed = (mixed * 48_271) % 2_147_483_647;
    return `${WORDS[mixed % WORDS.length]}${mixed % 97}`;
  }).join(" ");
}
