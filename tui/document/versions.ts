import type { DefinitionPage, ReadVersion, Version } from "../../src/screen/cron/state.ts";
import { pageTop } from "../../src/screen/cron/version-page.ts";
import type { State } from "../../src/screen/state.ts";
import { agoPhrase, type Times, wallTime } from "../../src/screen/times.ts";
import { boardLayout } from "../room.ts";
import { type SpanLine, wrapSpans } from "../spans.ts";

export interface PageView {
  readonly lines: readonly SpanLine[];
  readonly top: number;
  readonly height: number;
}

export function pageView(state: State): PageView | undefined {
  const top = pageTop(state);
  return top === undefined ? undefined : { ...versionsIn(state), top };
}

export function versionsIn(state: State): Omit<PageView, "top"> {
  const { cron } = state;
  const { columns } = state.window;
  const height = boardLayout(state).list?.height ?? 1;
  return { lines: cron.page === undefined ? [] : versionLines(cron.page, state, columns), height };
}

function versionLines(
  { versions }: DefinitionPage,
  how: Times,
  width: number,
): readonly SpanLine[] {
  if (versions === undefined) return [[{ text: "loading...", role: "dim" }]];
  const lines = versions.flatMap((version, at) => [
    ...(at === 0 ? [] : [[]]),
    ...("error" in version ? failed(version) : whole(version, how)),
  ]);
  return lines.flatMap((line) => wrapSpans(line, width, /^ */.exec(line[0]?.text ?? "")?.[0]));
}

function failed(version: Extract<ReadVersion, { readonly error: string }>): readonly SpanLine[] {
  return [
    [{ text: `${version.kind} ${version.uid}`, role: "bold" }],
    [{ text: version.error, role: "error" }],
  ];
}

function whole(version: Version, { now, preferences }: Times): readonly SpanLine[] {
  const { kind, uid, name, event, actor, at, text } = version;
  const by = actor === undefined ? "" : ` by ${actor}`;
  const { zone } = preferences;
  const when = agoPhrase(at, now);
  return [
    [
      { text: `${kind} ${name}`, role: "bold" },
      { text: `   ${uid}`, role: "dim" },
    ],
    [{ text: `event ${event}   ${when}${by}   ${wallTime(at, zone)} ${zone}`, role: "dim" }],
    [standing(version)],
    [],
    ...text.split("\n").map((line) => [{ text: line }]),
  ];
}

function standing({ isCurrent, differs }: Version): SpanLine[number] {
  if (isCurrent) return { text: "it holds now", role: "ok" };
  if (differs.length === 0)
    return { text: "it was written anew since, and is the same", role: "dim" };
  return { text: `by now another: ${differs.join(", ")}`, role: "warn" };
}
