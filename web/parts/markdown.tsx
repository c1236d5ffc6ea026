import {
  type MouseEvent,
  memo,
  type ReactElement,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { systemClock } from "../../src/base/clock.ts";
import { issueInAddress } from "../../src/screen/issues/issue-address.ts";
import { namedIssue } from "../../src/screen/issues/names.ts";
import { placeOf } from "../../src/screen/place/place-of.ts";
import type { State } from "../../src/screen/state.ts";
import {
  ASKED_LIMIT_MS,
  LONG_CHARACTERS,
  Markdown,
  type RenderedText,
} from "../markdown/client.ts";
import { piecesOf } from "../markdown/pieces.ts";
import { type PainterProps, pointMessage } from "../painter.ts";
import { issueUrls } from "../place.ts";
import { isForBrowser } from "./issue-link.tsx";

let renderer: Markdown | undefined;

function markdown(): Markdown {
  return (renderer ??= new Markdown(
    () => new Worker(WORKER_URLS["markdown"] ?? "", { type: "module" }),
    systemClock,
  ));
}

interface TextProps extends PainterProps {
  readonly text: string;
  /** The project that an issue id without a project (`#abc4`) refers to. */
  readonly project: string;
  readonly ticks?: boolean;
}

export function MarkdownText(props: TextProps): ReactElement {
  const { state, text, ticks = false } = props;
  const [isAsked, setAsked] = useState(false);
  const isLong = text.length > LONG_CHARACTERS && !isAsked;
  const rendered = useRendered(text, isLong || state.detail.raw, isAsked);
  if (rendered === "plain")
    return (
      <div className="prose">
        <Plain text={text} />
        {isAsked || state.detail.raw ? null : (
          <button type="button" className="button bordered" onClick={() => setAsked(true)}>
            Show it formatted
          </button>
        )}
      </div>
    );
  const isFree = ticks && state.connection.readOnly === undefined;
  return <Html {...props} html={rendered?.html ?? ""} ticks={isFree} />;
}

const Plain = memo(function Plain({ text }: { readonly text: string }): ReactElement {
  return (
    <pre className="raw">
      {piecesOf(text).map((piece, at) => (
        // The index can be the key, because the pieces of a text never change their order.
        <span key={at}>{piece}</span>
      ))}
    </pre>
  );
});

/**
 * The rendered text; `undefined` until the worker has made it. Until then nothing is shown, not even plain text,
 * because the page would jump when the rendered text replaces it.
 */
function useRendered(text: string, isPlain: boolean, isAsked: boolean): RenderedText | undefined {
  const [come, setCome] = useState<{ readonly text: string; readonly rendered: RenderedText }>();
  const found = markdown().known(text);
  const isDone = isPlain || (found !== undefined && (found !== "plain" || !isAsked));
  useEffect(() => {
    if (isDone) return;
    let isLeft = false;
    void markdown()
      .render(text, isAsked ? ASKED_LIMIT_MS : undefined)
      .then((rendered) => {
        if (!isLeft) setCome({ text, rendered });
      });
    return () => {
      isLeft = true;
    };
  }, [text, isDone, isAsked]);
  if (isPlain) return "plain";
  return (come?.text === text ? come.rendered : undefined) ?? found;
}

interface HtmlProps extends TextProps {
  readonly html: string;
}

function Html({ state, send, html, project, ticks = false }: HtmlProps): ReactElement {
  const prose = useRef<HTMLDivElement>(null);
  const tickedLine = useRef<string | undefined>(undefined);
  // This HTML is safe, because the worker has escaped any HTML in the text. The same HTML stays in the same object, so
  // that React does not draw it again.
  const inner = useMemo(() => ({ __html: html }), [html]);
  useLayoutEffect(() => {
    if (prose.current !== null) linkIssues(prose.current, state, project);
  });
  // A changed text is drawn with new checkboxes. If the person ticked a box by a key, the new box on the same line gets
  // the focus.
  useLayoutEffect(() => {
    const { current: line } = tickedLine;
    const box = prose.current?.querySelector<HTMLElement>(`input[data-line="${line}"]`);
    // There is no box until the changed text has been rendered.
    if (line === undefined || box == null) return;
    tickedLine.current = undefined;
    if (document.activeElement === document.body) box.focus();
  }, [inner]);
  useLayoutEffect(() => {
    for (const box of prose.current?.querySelectorAll("input") ?? []) box.disabled = !ticks;
  }, [inner, ticks]);
  const onClick = (event: MouseEvent): void => {
    if (!(event.target instanceof Element)) return;
    const uid = event.target.closest("[data-ref]")?.getAttribute("data-ref");
    if (uid != null) {
      if (isForBrowser(event)) return;
      event.preventDefault();
      return send(pointMessage({ is: "issue", uid }));
    }
    if (!(event.target instanceof HTMLInputElement)) return;
    // The browser must not tick the box by itself: the box changes when the state has the changed text.
    event.preventDefault();
    tickedLine.current = event.target.dataset["line"];
    send(pointMessage({ is: "task", line: Number(event.target.dataset["line"]) }));
  };
  return (
    // No key handler is needed here, because the links and boxes inside can get the focus.
    <div
      ref={prose}
      className="prose"
      role="presentation"
      onClick={onClick}
      dangerouslySetInnerHTML={inner}
    />
  );
}

/**
 * Turns the elements with `data-name`, whose text looks like an issue id, into links if the issue is loaded. A link to
 * the page's own address of an issue opens the issue in this page.
 */
function linkIssues(prose: HTMLElement, state: State, project: string): void {
  for (const link of prose.querySelectorAll<HTMLAnchorElement>("a[target]")) {
    const named = link.origin === location.origin ? issueInAddress(link.href) : undefined;
    if (named === undefined) continue;
    link.removeAttribute("target");
    link.dataset["ref"] = namedIssue(state, named)?.uid ?? named;
  }
  const marks = prose.querySelectorAll<HTMLElement>("[data-name]");
  if (marks.length === 0) return;
  const hrefOf = issueUrls(placeOf(state));
  for (const mark of marks) {
    const name = mark.dataset["name"] ?? "";
    const issue = namedIssue(state, name.startsWith("#") ? `${project}${name}` : name);
    if (issue === undefined) continue;
    const link = mark instanceof HTMLAnchorElement ? mark : linkFor(mark);
    link?.setAttribute("href", hrefOf(issue.uid));
    if (link === undefined || link.dataset["ref"] === issue.uid) continue;
    link.dataset["ref"] = issue.uid;
    link.title = issue.title;
  }
}

/** Replaces the element by a link. A name within another link stays a text. */
function linkFor(mark: HTMLElement): HTMLAnchorElement | undefined {
  if (mark.closest("a") !== null) return undefined;
  const link = document.createElement("a");
  link.dataset["name"] = mark.dataset["name"];
  link.textContent = mark.textContent;
  mark.replaceWith(link);
  return link;
}
