import type { Paint } from "../render/palette.ts";
import type { Progress } from "../render/progress.ts";
import type { Stage } from "./stage.ts";
import {
  CLAIMED,
  CLOSES,
  COMMENTS,
  DEMO_PROJECT,
  type DemoIssue,
  EXPLAINED,
  WAVES,
} from "./story.ts";

/** How the demo speaks: nothing is said when a program reads along. */
export interface Voice {
  say(text: string): void;
  readonly paint: Paint;
  readonly progress: Progress;
  /** The flags that the shown commands get; `undefined` when none is to be shown. */
  readonly mode: readonly string[] | undefined;
  /** A day from now, as `YYYY-MM-DD`. */
  day(fromToday: number): string;
}

export interface Played {
  readonly project: string;
  readonly issues: number;
  readonly closed: number;
  readonly comments: number;
  /** The short ids by the names that the story has for the issues. */
  readonly refs: ReadonlyMap<string, string>;
}

/** Issues that are made side by side. */
const HANDS = 4;

/** Runs svc's own commands from first to last, so that what it shows is what they do. */
export async function play(stage: Stage, voice: Voice): Promise<Played> {
  await scene(stage, voice, `A project for a small team`, ["init", "--project", DEMO_PROJECT]);
  const played = await populate(stage, voice);
  voice.say(
    `${played.issues} issues made with svc create, ${played.closed} of them closed since, ${played.comments} comments.`,
  );
  const explained = played.refs.get(EXPLAINED) ?? "";
  await scene(stage, voice, "What is there", ["list"]);
  await scene(stage, voice, "What can be started now: nothing blocks it, nobody waits", ["ready"]);
  await scene(stage, voice, "Why the release cannot be tagged yet", ["why", explained]);
  const last = await lastEvent(stage);
  await scene(stage, voice, "What happened last", [
    "events",
    "--after",
    String(Math.max(0, last - 6)),
  ]);
  return played;
}

async function scene(
  stage: Stage,
  { say, paint, mode }: Voice,
  title: string,
  words: readonly string[],
): Promise<void> {
  if (mode === undefined) {
    await stage.run(words);
    return;
  }
  say(`\n${paint("strong", title)}\n${paint("faint", `$ svc ${words.join(" ")}`)}`);
  await stage.show([...words, ...mode]);
}

async function populate(stage: Stage, { progress, day }: Voice): Promise<Played> {
  const refs = new Map<string, string>();
  const all = WAVES.flat().length + COMMENTS.length + CLOSES.length;
  let done = 0;
  const step = (): void => progress.show((done += 1), all);
  progress.show(0, all);
  try {
    for (const wave of WAVES) {
      await sideBySide(wave, async (issue) => {
        const printed = await stage.run(createWords(issue, refs, day), issue.by);
        refs.set(issue.key, printed.trim());
        step();
      });
    }
    for (const { on, by, body } of COMMENTS) {
      await stage.run(["comment", ref(refs, on), "--body", body], by);
      step();
    }
    for (const { issue, by, message, evidence } of CLOSES) {
      await stage.run(["close", ref(refs, issue), "--done", ...evidence, "-m", message], by);
      step();
    }
    await stage.run(["claim", ref(refs, CLAIMED.issue)], CLAIMED.by);
  } finally {
    progress.end();
  }
  const issues = WAVES.flat().length;
  return { project: DEMO_PROJECT, issues, closed: CLOSES.length, comments: COMMENTS.length, refs };
}

/** `--quiet` prints the new id and nothing else. */
function createWords(
  issue: DemoIssue,
  refs: ReadonlyMap<string, string>,
  day: Voice["day"],
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
  if (found === undefined) throw new Error(`the story names ${key} before it is made`);
  return found;
}

async function sideBySide<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const hand = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: HANDS }, hand));
}

async function lastEvent(stage: Stage): Promise<number> {
  const printed = await stage.run(["events", "--limit", "1000", "--json"]);
  const { next_after_id: last }: { readonly next_after_id: number } = JSON.parse(printed);
  return last;
}
