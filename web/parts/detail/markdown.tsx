import { type ReactElement, useEffect, useState } from "react";
import { systemClock } from "../../../src/base/clock.ts";
import { issueInAddress } from "../../../src/screen/issues/issue-address.ts";
import { namedIssue } from "../../../src/screen/issues/names.ts";
import { placeOf } from "../../../src/screen/place/place-of.ts";
import type { State } from "../../../src/screen/state.ts";
import {
  ASKED_LIMIT_MS,
  LONG_CHARACTERS,
  Markdown,
  type RenderedText,
} from "../../markdown/client.ts";
import { type PainterProps, pointMessage } from "../../painter.ts";
import { issueUrls } from "../../place.ts";
import { Html, linkNames, Plain } from "../issue/prose.tsx";
import { useOpen } from "./acts.ts";

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
  const { state, send, text, project, ticks = false } = props;
  const open = useOpen(send);
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
  return (
    <Html
      html={rendered?.html ?? ""}
      linkIssues={(prose) => linkIssues(prose, state, project)}
      open={open}
      tick={isFree ? (line) => send(pointMessage({ is: "task", line })) : undefined}
    />
  );
}

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
  if (prose.querySelector("[data-name]") === null) return;
  const hrefOf = issueUrls(placeOf(state));
  linkNames(prose, project, (name) => {
    const issue = namedIssue(state, name);
    return issue && { ref: issue.uid, href: hrefOf(issue.uid), title: issue.title };
  });
}
