import { stripVTControlCharacters } from "node:util";
import { type Document, documentOf } from "../document/document.ts";
import { frame } from "../screens/frame.ts";
import { counted } from "../screens/rows.ts";
import { boardRows, cursorIndex, placeOf } from "../state/board.ts";
import { detailUid } from "../state/detail.ts";
import { emptyOf, LOADING } from "../state/empty.ts";
import { graphRows } from "../state/graph.ts";
import type { Issue } from "../state/issues.ts";
import { letterOf } from "../state/relations.ts";
import type { State } from "../state/state.ts";
import { CURSOR_END, painter } from "../style.ts";
import { clean } from "../text.ts";

/** Without colours, so that a line is what is read of it. */
const PLAIN = painter("none");

/** What there is where the person is, in sentences. */
export interface Scene {
  /** Another name is another place. */
  readonly name: string;
  readonly heading: string;
  /** The row that the keys act on; nothing where a text is read. */
  readonly row: string | undefined;
  /** The text of an open issue. */
  readonly text: readonly string[];
}

export function sceneOf(state: State): Scene {
  const uid = state.open.at(-1);
  if (uid !== undefined) return openScene(state, uid);
  const heading = headingOf(state);
  const scope = state.scope.project?.id ?? "all";
  const name = [state.screen, scope, state.board.query, state.loading, state.board.view].join(" ");
  const empty = emptyOf(state);
  const text = empty === undefined || empty.why === LOADING.why ? [] : [empty.why, ...empty.next];
  return { name, heading, row: rowOf(state), text };
}

function openScene(state: State, uid: string): Scene {
  const document = documentIn(state);
  const text = document?.lines.map((line) => sentence(line.map((span) => span.text).join("")));
  const chosen = state.chosenRef === undefined ? undefined : document?.refs[state.chosenRef];
  const heading = `Issue ${state.issues.get(uid)?.qualified_id ?? uid}`;
  const row = chosen === undefined ? undefined : `chosen: ${text?.[chosen.line] ?? ""}`;
  return { name: `open ${uid}`, heading, row, text: (text ?? ["loading"]).filter(Boolean) };
}

function documentIn(state: State): Document | undefined {
  const uid = detailUid(state);
  return uid === undefined ? undefined : documentOf(state, uid, { columns: 100, isPane: true });
}

function headingOf(state: State): string {
  const scope = state.scope.project?.name ?? "all projects";
  switch (state.screen) {
    case "board": {
      if (state.loading === "nothing" || state.loading === "first")
        return `Board ${scope}, loading`;
      return `Board ${scope}, ${counted(placeOf(state).count, "issue")} of ${state.board.query}`;
    }
    case "inbox": {
      const { address, requests } = state.inbox;
      const count = requests === undefined ? "loading" : counted(requests.length, "request");
      return `Inbox of ${address}, ${count}`;
    }
    case "graph":
      return `Graph, ${counted(graphRows(state).length, "line")}`;
    case "cron":
      return `Cron ${scope}, ${state.cron.tab}`;
    case "projects":
      return `Projects, ${state.projects.length}`;
    case "fleet": {
      const { rows } = state.fleet;
      return `Fleet, ${rows === undefined ? "loading" : `${rows.length} at work`}`;
    }
  }
}

function rowOf(state: State): string | undefined {
  if (state.screen !== "board") return markedRow(frame({ ...state, sheet: undefined }, PLAIN));
  const { at, count } = placeOf(state);
  const issue = boardRows(state)[cursorIndex(state)]?.issue;
  return issue === undefined ? undefined : `Row ${at} of ${count}: ${issueText(state, issue)}`;
}

/** `k8vc open P1 Federation rotate, owner claude`. */
export function issueText(state: State, issue: Issue): string {
  const { short_id, qualified_id, status, priority, title, owner, labels, uid } = issue;
  const id = state.scope.project === undefined ? qualified_id : short_id;
  const level = priority === undefined ? "" : `P${priority} `;
  const more = [
    { b: "blocked", w: "waiting", o: "", x: "" }[letterOf(state, issue)],
    owner === undefined ? "" : `owner ${owner}`,
    labels.length === 0 ? "" : `labels ${labels.join(" ")}`,
    state.board.marks.has(uid) ? "marked" : "",
  ].filter(Boolean);
  return clean([`${id} ${status} ${level}${title}`, ...more].join(", "));
}

/** The row that the screen shows in focus, its columns set apart by commas. */
function markedRow(lines: readonly string[]): string | undefined {
  const line = lines.findLast((one) => one.includes(CURSOR_END));
  return line === undefined ? undefined : sentence(line);
}

/** A line of the screen as it is read aloud: no signs of place, no empty columns. */
export function sentence(line: string): string {
  return clean(stripVTControlCharacters(line))
    .replace(/^[> ]+/, "")
    .trimEnd()
    .replaceAll(/ {2,}/g, ", ");
}
