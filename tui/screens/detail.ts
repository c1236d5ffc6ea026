import { instantToMs } from "../../src/base/clock.ts";
import { age } from "../age.ts";
import type { Pane } from "../layout.ts";
import { type Issue, letterOf } from "../state/issues.ts";
import { type Detail, SECTIONS, type Section, type State } from "../state/state.ts";
import type { Paint } from "../style.ts";
import { fit, wrap } from "../text.ts";
import { priorityRole } from "./board.ts";
import { markdown } from "./markdown.ts";
import { cellsRow, ends, padded, plainRow } from "./rows.ts";

const MAX_TEXT_COLUMNS = 96;

/** One issue: what it is, its text, and one section of what belongs to it. */
export function drawDetail(
  state: State,
  paint: Paint,
  pane: Pane,
  uid: string | undefined,
): readonly string[] {
  const { width, height } = pane;
  const focused = state.focus === "detail";
  const issue = uid === undefined ? undefined : state.issues.get(uid);
  const detail = uid === undefined ? undefined : state.details.get(uid);
  if (uid === undefined) return padded([bar(paint, width, "", "", focused)], width, height);
  const lines = documentOf(state, paint, Math.min(width, MAX_TEXT_COLUMNS), issue, detail);
  const wide = lines.map(
    (line) => line + " ".repeat(Math.max(0, width - Math.min(width, MAX_TEXT_COLUMNS))),
  );
  const top = scrollOf(state, wide.length, height);
  const name = issue?.qualified_id ?? detail?.show?.issue.qualified_id ?? "";
  const place =
    wide.length > height - 1
      ? `${top + 1}-${Math.min(top + height - 1, wide.length)} of ${wide.length}`
      : "";
  return padded(
    [bar(paint, width, name, place, focused), ...wide.slice(top, top + height - 1)],
    width,
    height,
  );
}

/** The first line that is shown: no further than the last page. */
function scrollOf({ scroll }: State, count: number, height: number): number {
  return Math.max(0, Math.min(scroll, count - (height - 1)));
}

function bar(paint: Paint, width: number, name: string, place: string, focused: boolean): string {
  return paint(focused ? "inverse" : "dim", ends(width, name, place));
}

function documentOf(
  state: State,
  paint: Paint,
  width: number,
  issue: Issue | undefined,
  detail: Detail | undefined,
): readonly string[] {
  if (detail?.error !== undefined)
    return wrap(detail.error, width).map((line) => paint("error", fit(line, width)));
  const shown = detail?.show?.issue ?? issue;
  if (shown === undefined) return [plainRow(paint, width, "loading...", "dim")];
  const text = detail?.show?.issue.body ?? issue?.body ?? "";
  const body =
    text.trim() === ""
      ? [plainRow(paint, width, "(no description)", "dim")]
      : markdown(text, width, paint);
  return [
    ...wrap(shown.title, width).map((line) => paint("bold", fit(line, width))),
    ...headLines(state, paint, width, issue, detail),
    fit("", width),
    ...body,
    fit("", width),
    tabs(state, paint, width, detail),
    ...sectionLines(state, paint, width, issue, detail),
  ];
}

function headLines(
  state: State,
  paint: Paint,
  width: number,
  issue: Issue | undefined,
  detail: Detail | undefined,
): readonly string[] {
  const shown = detail?.show?.issue ?? issue;
  if (shown === undefined) return [];
  const nowMs = instantToMs(state.now);
  const { status, priority, owner, author, revision, updated_at, metadata } = shown;
  const blocked = issue !== undefined && letterOf(state.issues, issue) === "b";
  const text = (key: string): string | undefined => {
    const value = metadata[key];
    return typeof value === "string" ? value : undefined;
  };
  const dates = [
    text("scheduled_on") === undefined ? "" : `scheduled ${text("scheduled_on")}`,
    text("deadline_on") === undefined ? "" : `deadline ${text("deadline_on")}`,
    text("timezone") === undefined ? "" : `(${text("timezone")})`,
    metadata["someday"] === true ? "someday" : "",
  ].filter(Boolean);
  const parent = issue?.parent === undefined ? undefined : state.issues.get(issue.parent);
  const { labels } = shown;
  const lease = detail?.show?.lease;
  const lines = [
    `${status}${blocked ? ", blocked" : ""}  ${priority === undefined ? "no priority" : `P${priority}`}  rev ${revision}  updated ${age(instantToMs(updated_at), nowMs)} ago`,
    `owner ${owner ?? "nobody"}   author ${author}`,
    labels.length === 0 ? "" : `labels ${labels.join(" ")}`,
    parent === undefined ? "" : `parent ${parent.short_id} ${parent.title}`,
    dates.join("  "),
    lease === undefined
      ? ""
      : `lease ${lease.holder}${lease.expires_at === undefined ? "" : `, ${age(nowMs, instantToMs(lease.expires_at))} left`}`,
  ].filter((line) => line !== "");
  return lines.flatMap((line, at) => {
    const role = at === 0 ? (blocked ? "warn" : priorityRole(priority)) : "dim";
    return wrap(line, width).map((part) => plainRow(paint, width, part, role));
  });
}

function counts(state: State, detail: Detail | undefined): Readonly<Record<Section, string>> {
  const show = detail?.show;
  const count = (list: readonly unknown[] | undefined): string =>
    list === undefined ? "" : ` ${list.length}`;
  return {
    Comments: count(show?.comments),
    Events: count(detail?.events),
    Links: count(show?.links),
    Dates: "",
    Children: count(show?.children),
  };
}

function tabs(state: State, paint: Paint, width: number, detail: Detail | undefined): string {
  const found = counts(state, detail);
  const names = SECTIONS.map((name) => {
    const text = `${name}${found[name]}`;
    return name === state.section ? `[${text}]` : ` ${text} `;
  });
  return plainRow(paint, width, names.join(" "), "bold");
}

function sectionLines(
  state: State,
  paint: Paint,
  width: number,
  issue: Issue | undefined,
  detail: Detail | undefined,
): readonly string[] {
  const show = detail?.show;
  const nowMs = instantToMs(state.now);
  const loading = [plainRow(paint, width, "loading...", "dim")];
  const none = (what: string): readonly string[] => [plainRow(paint, width, `no ${what}`, "dim")];
  switch (state.section) {
    case "Comments": {
      if (show === undefined) return loading;
      if (show.comments.length === 0) return none("comments");
      return show.comments.flatMap(({ author, created_at, body }) => [
        plainRow(paint, width, `${author}  ${age(instantToMs(created_at), nowMs)} ago`, "ref"),
        ...markdown(body, width - 2, paint).map((line) => `  ${line}`),
      ]);
    }
    case "Events": {
      if (detail?.events === undefined) return loading;
      if (detail.events.length === 0) return none("events");
      return detail.events.toReversed().map(({ type, actor, created_at }) =>
        cellsRow(paint, width, [
          { text: age(instantToMs(created_at), nowMs), width: 4, right: true, role: "dim" },
          { text: actor, width: 12, role: "ref" },
          { text: type, width: Math.max(4, width - 18) },
        ]),
      );
    }
    case "Links": {
      if (show === undefined) return loading;
      if (show.links.length === 0) return none("links");
      return show.links.map(({ type, from, to }) => {
        const outgoing = from.uid === detail?.uid;
        const other = outgoing ? to : from;
        const title = state.issues.get(other.uid)?.title ?? "";
        return cellsRow(paint, width, [
          { text: linkWord(type, outgoing), width: 10, role: "dim" },
          { text: other.qualified_id, width: 18, role: "ref" },
          { text: title, width: Math.max(4, width - 30) },
        ]);
      });
    }
    case "Dates": {
      const metadata = show?.issue.metadata ?? issue?.metadata ?? {};
      return ["scheduled_on", "deadline_on", "timezone", "someday"].map((key) => {
        const value = metadata[key];
        const text = typeof value === "string" || typeof value === "boolean" ? String(value) : "-";
        return cellsRow(paint, width, [
          { text: key, width: 14, role: "dim" },
          { text, width: Math.max(4, width - 15) },
        ]);
      });
    }
    case "Children": {
      if (show === undefined) return loading;
      if (show.children.length === 0) return none("children");
      return show.children.map(({ short_id, status, title, owner }) =>
        cellsRow(paint, width, [
          {
            text: status === "closed" ? paint.glyphs.closed : paint.glyphs.open,
            width: 1,
            role: status === "closed" ? "done" : "ok",
          },
          { text: short_id, width: 6, role: "ref" },
          { text: title, width: Math.max(4, width - 20) },
          { text: owner ?? "", width: 10, role: "dim" },
        ]),
      );
    }
  }
}

function linkWord(type: "parent" | "blocks" | "related", outgoing: boolean): string {
  if (type === "related") return "related";
  if (type === "parent") return outgoing ? "parent" : "child";
  return outgoing ? "blocks" : "waits for";
}
