import { stripVTControlCharacters } from "node:util";
import { instantToMs } from "../../src/base/clock.ts";
import { counted } from "../../src/base/counted.ts";
import { boardRows, cursorIndex, placeOf } from "../../src/screen/board/board.ts";
import { rowFacts } from "../../src/screen/cron/facts.ts";
import { detailUid } from "../../src/screen/detail/detail.ts";
import { emptyOf } from "../../src/screen/empty.ts";
import { LOADING, textsOf } from "../../src/screen/empty-text.ts";
import { leaseOf } from "../../src/screen/fleet/facts.ts";
import { fleetRow, fleetRows, isSilent } from "../../src/screen/fleet/fleet.ts";
import { addressesOf } from "../../src/screen/inbox/inbox.ts";
import type { Issue } from "../../src/screen/issues/issues.ts";
import { letterOf } from "../../src/screen/issues/relations.ts";
import { rowCount } from "../../src/screen/lines.ts";
import { projectLabel, scopeLabel } from "../../src/screen/scope/copies.ts";
import type { State } from "../../src/screen/state.ts";
import { agoPhrase } from "../../src/screen/times.ts";
import { type Document, documentOf } from "../document/document.ts";
import { pageView } from "../document/versions.ts";
import { fleetPreview } from "../screens/fleet.ts";
import { frame } from "../screens/frame.ts";
import { graphStatus } from "../screens/graph.ts";
import { requestPreview } from "../screens/inbox.ts";
import { capitalized } from "../screens/rows.ts";
import type { SpanLine } from "../spans.ts";
import { CURSOR_END, painter } from "../style.ts";
import { clean } from "../text.ts";

const PLAIN = painter("none");

export interface SpokenScreen {
  /** Identifies what is shown. When the name changes, the new content is announced. */
  readonly name: string;
  readonly heading: string;
  readonly row: string | undefined;
  readonly text: readonly string[];
}

export function spokenScreen(state: State): SpokenScreen {
  const uid = state.detail.open.at(-1);
  if (uid !== undefined) return openIssue(state, uid);
  const page = definitionPage(state);
  if (page !== undefined) return page;
  const heading = headingOf(state);
  const { screen, board } = state;
  const { scope } = state;
  const { stage: loading } = state.loading;
  const place = [screen, scope.project?.id ?? "all", board.query, loading, board.view];
  const name = [...place, ...choicesOf(state)].join(" ");
  const empty = emptyOf(state);
  const text = empty === undefined || empty.why === LOADING.why ? [] : textsOf(empty);
  return { name, heading, row: rowOf(state), text };
}

/**
 * Returns the settings that identify what a screen shows. If one of them changes, the screen is announced as a new one.
 */
function choicesOf({ screen, inbox, graph, cron, fleet }: State): readonly unknown[] {
  switch (screen) {
    case "inbox":
      return [inbox.address, inbox.all];
    case "graph":
      return [graph?.source, graph?.showChain, graph?.depth, graph?.hideDone, graph?.transitive];
    case "cron":
      return [cron.tab, ofJob(cron)?.uid];
    case "fleet":
      return [fleet.silentOnly, fleet.text];
    default:
      return [];
  }
}

/** The job of the ledger or preview; the other tabs do not belong to a single job. */
function ofJob({ tab, job }: State["cron"]): State["cron"]["job"] {
  return tab === "ledger" || tab === "preview" ? job : undefined;
}

function definitionPage(state: State): SpokenScreen | undefined {
  const lines = pageView(state)?.lines;
  const { page } = state.cron;
  if (lines === undefined || page === undefined) return undefined;
  const text = lines.map(spoken).filter(Boolean);
  const heading = clean(`Definition, ${page.title}`);
  return { name: `definition ${page.of}`, heading, row: undefined, text };
}

/** Everything that the screen shows of the row under the cursor. */
export function aboutRow(state: State): readonly string[] {
  const isList = state.detail.open.length === 0;
  const below =
    isList && state.screen === "fleet"
      ? fleetPreview(state, PLAIN, ROOM.columns).map(sentence)
      : isList && state.screen === "inbox"
        ? requestPreview(state, ROOM.columns, ROOM.rows).map(spoken)
        : isList && state.screen === "cron"
          ? rowFacts(state).map(sentence)
          : [];
  const lines = below.filter((line) => line !== "");
  const { row } = spokenScreen(state);
  return lines.length > 0 ? lines : [row ?? "nothing is selected"];
}

const ROOM = { columns: 400, rows: 60 };

function spoken(line: SpanLine): string {
  return sentence(line.map(({ text }) => text).join(""));
}

function openIssue(state: State, uid: string): SpokenScreen {
  const document = documentIn(state);
  const text = document?.lines.map(spoken);
  const chosen =
    state.detail.chosenRef === undefined ? undefined : document?.refs[state.detail.chosenRef];
  const heading = `Issue ${state.issues.get(uid)?.qualified_id ?? uid}`;
  const row = chosen === undefined ? undefined : `chosen: ${text?.[chosen.line] ?? ""}`;
  return { name: `open ${uid}`, heading, row, text: (text ?? ["loading"]).filter(Boolean) };
}

function documentIn(state: State): Document | undefined {
  const uid = detailUid(state);
  return uid === undefined ? undefined : documentOf(state, uid, { columns: 100, isPane: true });
}

function headingOf(state: State): string {
  const scope = scopeLabel(state);
  switch (state.screen) {
    case "board": {
      if (state.loading.stage === "nothing" || state.loading.stage === "first")
        return `Board ${scope}, loading`;
      return `Board ${scope}, ${counted(placeOf(state).count, "issue")} of ${state.board.query}`;
    }
    case "inbox": {
      const { requests } = state.inbox;
      const count = requests === undefined ? "loading" : counted(requests.length, "request");
      return clean(`Inbox of ${addressesOf(state).join(" and ")}, ${count}`);
    }
    case "graph":
      return sentence(graphStatus(state, PLAIN, ROOM.columns).trimStart());
    case "cron": {
      const job = ofJob(state.cron);
      return clean(`Cron ${scope}, ${state.cron.tab}${job === undefined ? "" : ` of ${job.name}`}`);
    }
    case "projects":
      return `Projects, ${state.scope.projects.length}`;
    case "fleet": {
      const { rows, text, silentOnly } = state.fleet;
      const count = rows === undefined ? "loading" : `${fleetRows(state).length} at work`;
      const only = silentOnly ? ", only who is silent" : "";
      return clean(`Fleet, ${count}${only}${text === "" ? "" : `, filter ${text}`}`);
    }
    default:
      return `${capitalized(state.screen)} ${scope}, ${counted(rowCount(state), "row")}`;
  }
}

function rowOf(state: State): string | undefined {
  if (state.screen === "fleet") return holderText(state);
  if (state.screen === "projects") return projectText(state);
  if (state.screen !== "board") return markedRow(frame({ ...state, dialog: undefined }, PLAIN));
  const { at, count } = placeOf(state);
  const issue = boardRows(state)[cursorIndex(state)]?.issue;
  return issue === undefined ? undefined : `Row ${at} of ${count}: ${issueText(state, issue)}`;
}

/** An issue as a sentence, for example `k8vc open P1 Federation rotate, owner claude`. */
export function issueText(state: State, issue: Issue): string {
  const { short_id, qualified_id, status, priority, title, owner, labels, uid } = issue;
  const id = state.scope.project === undefined ? qualified_id : short_id;
  const level = priority === undefined ? "" : `P${priority} `;
  const more = [
    { b: "blocked", w: "waiting", o: "", x: "" }[letterOf(state, issue)],
    owner === undefined ? "" : `owner ${owner}`,
    labels.length === 0 ? "" : `labels ${labels.join(" ")}`,
    state.marks.has(uid) ? "marked" : "",
  ].filter(Boolean);
  return clean([`${id} ${status} ${level}${title}`, ...more].join(", "));
}

/**
 * The holder under the cursor as a sentence, for example `bo, silent, last heard of 2h ago, product#k8vc Federation
 * rotate, leased for 12m more`.
 */
function holderText(state: State): string | undefined {
  const row = fleetRow(state);
  if (row === undefined) return undefined;
  const { holder, at, title, status, last } = row;
  const nowMs = instantToMs(state.now);
  const parts = [
    holder,
    isSilent(state, row) ? "silent" : "",
    last === undefined ? "never heard of" : `last heard of ${agoPhrase(last.at, state.now)}`,
    `${at.name} ${title}`,
    status === "closed" ? "closed" : "",
    leaseText(leaseOf(row, nowMs)),
  ];
  return clean(parts.filter(Boolean).join(", "));
}

function leaseText(lease: string): string {
  if (lease === "-") return "no lease";
  if (lease === "expired") return "the lease ran out";
  return lease === "held" ? "leased until it is released" : `leased for ${lease} more`;
}

function projectText(state: State): string | undefined {
  const { projects } = state.scope;
  if (projects.length === 0) return undefined;
  const project = projects[state.projects.cursor - 1];
  if (project === undefined) return "All projects";
  return clean(`${projectLabel(project)}, ${project.open} open, ${project.closed} closed`);
}

function markedRow(lines: readonly string[]): string | undefined {
  const line = lines.findLast((one) => one.includes(CURSOR_END));
  return line === undefined ? undefined : sentence(line);
}

/** A line of the screen as a sentence: without cursor marks and empty columns. */
export function sentence(line: string): string {
  return clean(stripVTControlCharacters(line))
    .replace(/^[> ]+/, "")
    .trimEnd()
    .replaceAll(/ {2,}/g, ", ");
}
