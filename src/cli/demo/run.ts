import type { Paint } from "../render/palette.ts";
import type { Progress } from "../render/progress.ts";
import {
  CLAIMED,
  CLOSES,
  COMMENTS,
  DEMO_PROJECT,
  type DemoIssue,
  EXPLAINED,
  WAVES,
} from "./data.ts";
import type { DemoHome } from "./home.ts";

/** How the demo reports its steps. With JSON output, `say` prints nothing. */
export interface DemoOutput {
  say(text: string): void;
  readonly paint: Paint;
  readonly progress: Progress;
  /** Flags that are added to each command that the demo shows; `undefined` if it shows no commands. */
  readonly mode: readonly string[] | undefined;
  /** A day counted from today, as `YYYY-MM-DD`. */
  day(fromToday: number): string;
}

export interface DemoSummary {
  readonly project: string;
  readonly issues: number;
  readonly closed: number;
  readonly comments: number;
  readonly refs: ReadonlyMap<string, string>;
}

const HANDS = 4;

/** Runs svc's own commands, so that the demo shows what they really do. */
export async function runDemo(demo: DemoHome, output: DemoOutput): Promise<DemoSummary> {
  await showStep(demo, output, `A project for a small team`, ["init", "--project", DEMO_PROJECT]);
  const created = await populate(demo, output);
  output.say(
    `${created.issues} issues made with svc create, ${created.closed} of them closed since, ${created.comments} comments.`,
  );
  const explained = created.refs.get(EXPLAINED) ?? "";
  await showStep(demo, output, "What is there", ["list"]);
  await showStep(demo, output, "What can be started now: nothing blocks it, nobody waits", [
    "ready",
  ]);
  await showStep(demo, output, "Why the release cannot be tagged yet", ["why", explained]);
  const last = await lastEvent(demo);
  await showStep(demo, output, "What happened last", [
    "events",
    "--after",
    String(Math.max(0, last - 6)),
  ]);
  return created;
}

async function showStep(
  demo: DemoHome,
  { say, paint, mode }: DemoOutput,
  title: string,
  words: readonly string[],
): Promise<void> {
  if (mode === undefined) {
    await demo.run(words);
    return;
  }
  say(`\n${paint("strong", title)}\n${paint("faint", `$ svc ${words.join(" ")}`)}`);
  await demo.show([...words, ...mode]);
}

async function populate(demo: DemoHome, { progress, day }: DemoOutput): Promise<DemoSummary> {
  const refs = new Map<string, string>();
  const all = WAVES.flat().length + COMMENTS.length + CLOSES.length;
  let done = 0;
  const step = (): void => progress.show((done += 1), all);
  progress.show(0, all);
  try {
    for (const wave of WAVES) {
      await sideBySide(wave, async (issue) => {
        const printed = await demo.run(createWords(issue, refs, day), issue.by);
        refs.set(issue.key, printed.trim());
        step();
      });
    }
    for (const { on, by, body } of COMMENTS) {
      await demo.run(["comment", ref(refs, on), "--body", body], by);
      step();
    }
    for (const { issue, by, message, evidence } of CLOSES) {
      await demo.run(["close", ref(refs, issue), "--done", ...evidence, "-m", message], by);
      step();
    }
    await demo.run(["claim", ref(refs, CLAIMED.issue)], CLAIMED.by);
  } finally {
    progress.end();
  }
  const issues = WAVES.flat().length;
  return { project: DEMO_PROJECT, issues, closed: CLOSES.length, comments: COMMENTS.length, refs };
}

/**
 * Returns the arguments of `svc create` for an issue of the demo. `--quiet` makes the command print only the new id.
 */
function createWords(
  issue: DemoIssue,
  refs: ReadonlyMap<string, string>,
  day: DemoOutput["day"],
): readonly string[] {
  const flag = (name: string, value: string | number | undefined): readonly string[] =>
    value === undefined ? [] : [`--${name}`, String(value)];
  const flags = (name: string, values: readonly string[] = []): readonly string[] =>
    values.flatMap((value) => [`--${name}`, value]);
  const refsOf = (keys: readonly string[] = []): readonly string[] =>
    keys.map((key) => ref(refs, key));
  const date = (key: string, days: number | undefined): string | undefined =>
    days === undefined ? undefined : `${key}=${day(days)}`;
  return [
    "create",
    issue.title,
    "--quiet",
    ...flag("body", issue.body),
    ...flag("parent", issue.parent === undefined ? undefined : ref(refs, issue.parent)),
    ...flags("blocked-by", refsOf(issue.blockedBy)),
    ...flags("related", refsOf(issue.related)),
    ...flags("label", issue.labels),
    ...flag("owner", issue.owner),
    ...flag("priority", issue.priority),
    ...flag("meta", date("deadline_on", issue.deadlineIn)),
    ...flag("meta", date("scheduled_on", issue.startsIn)),
  ];
}

function ref(refs: ReadonlyMap<string, string>, key: string): string {
  const found = refs.get(key);
  if (found === undefined) throw new Error(`the demo names ${key} before it is made`);
  return found;
}

async function sideBySide<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const runWaiting = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: HANDS }, runWaiting));
}

async function lastEvent(demo: DemoHome): Promise<number> {
  const printed = await demo.run(["events", "--limit", "1000", "--json"]);
  const { next_after_id: last }: { readonly next_after_id: number } = JSON.parse(printed);
  return last;
}
