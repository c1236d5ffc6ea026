import { type MouseEvent, memo, type ReactElement, useLayoutEffect, useMemo, useRef } from "react";
import { piecesOf } from "../../markdown/pieces.ts";
import { isForBrowser } from "../issue-link.tsx";

/** A text as it was written. */
export const Plain = memo(function Plain({ text }: { readonly text: string }): ReactElement {
  return (
    <pre className="raw">
      {piecesOf(text).map((piece, at) => (
        // The index can be the key, because the pieces of a text never change their order.
        <span key={at}>{piece}</span>
      ))}
    </pre>
  );
});

interface HtmlProps {
  /** Only what `web/markdown/html.ts` gives: it has escaped any HTML in the text. */
  readonly html: string;
  /** Makes links of the issues that the text names. It is called after each drawing. */
  linkIssues(prose: HTMLElement): void;
  /** Opens the issue of a link that `linkIssues` has made. */
  open(ref: string): void;
  /** Ticks the task on a line of the text; `undefined` if the text may not change. */
  readonly tick?: ((line: number) => void) | undefined;
}

export function Html({ html, linkIssues, open, tick }: HtmlProps): ReactElement {
  const prose = useRef<HTMLDivElement>(null);
  const tickedLine = useRef<string | undefined>(undefined);
  // The same HTML stays in the same object, so that React does not draw it again.
  const inner = useMemo(() => ({ __html: html }), [html]);
  useLayoutEffect(() => {
    if (prose.current !== null) linkIssues(prose.current);
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
  const isFree = tick !== undefined;
  useLayoutEffect(() => {
    for (const box of prose.current?.querySelectorAll("input") ?? []) box.disabled = !isFree;
  }, [inner, isFree]);
  const onClick = (event: MouseEvent): void => {
    if (!(event.target instanceof Element)) return;
    const link = event.target.closest("[data-ref]");
    const ref = link?.getAttribute("data-ref");
    if (link != null && ref != null) {
      if (link instanceof HTMLAnchorElement && isForBrowser(event)) return;
      event.preventDefault();
      return open(ref);
    }
    if (!(event.target instanceof HTMLInputElement)) return;
    // The browser must not tick the box by itself: the box changes when the state has the changed text.
    event.preventDefault();
    tickedLine.current = event.target.dataset["line"];
    tick?.(Number(event.target.dataset["line"]));
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

/** An issue that a text names. */
interface NamedIssue {
  readonly ref: string;
  /** Without an address, the link is a button. */
  readonly href?: string;
  readonly title?: string;
}

/**
 * Makes links of the elements with `data-name`, whose text looks like an issue id, if `find` knows the issue. `project`
 * is the project of an id without one. A name within another link stays a text.
 */
export function linkNames(
  prose: HTMLElement,
  project: string,
  find: (name: string) => NamedIssue | undefined,
): void {
  for (const mark of prose.querySelectorAll<HTMLElement>("[data-name]")) {
    const name = mark.dataset["name"] ?? "";
    const issue = find(name.startsWith("#") ? `${project}${name}` : name);
    if (issue === undefined) continue;
    const { ref, href, title } = issue;
    const link = mark.localName === "span" ? linkFor(mark, href) : mark;
    if (href !== undefined) link?.setAttribute("href", href);
    if (link === undefined || link.dataset["ref"] === ref) continue;
    link.dataset["ref"] = ref;
    if (title !== undefined) link.title = title;
  }
}

function linkFor(mark: HTMLElement, href: string | undefined): HTMLElement | undefined {
  if (mark.closest("a") !== null) return undefined;
  const link = document.createElement(href === undefined ? "button" : "a");
  if (link instanceof HTMLButtonElement) {
    link.type = "button";
    link.setAttribute("role", "link");
  }
  link.dataset["name"] = mark.dataset["name"];
  link.textContent = mark.textContent;
  mark.replaceWith(link);
  return link;
}
