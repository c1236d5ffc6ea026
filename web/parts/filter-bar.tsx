import type { ReactElement } from "react";
import { NO_FILTER, partsOf, problemIn, termOf } from "../../src/screen/board/query.ts";
import { leadsNowhere } from "../filter-words.ts";
import { type PainterProps, pointed } from "../painter.ts";
import { PromptInput } from "./dialogs/prompt.tsx";
import { Icon } from "./icon.tsx";

/** Draws the filter: a chip for each of its parts, or a line to type in while it is edited. */
export function FilterBar({ state, send }: PainterProps): ReactElement {
  const { dialog, board } = state;
  if (dialog?.dialog === "prompt" && dialog.kind === "filter")
    return (
      <div className="filter-bar typing">
        <PromptInput send={send} dialog={dialog} label="filter" />
        <Problem text={dialog.field.text} />
      </div>
    );
  const parts = partsOf(board.query);
  const { search } = board;
  return (
    <div className="filter-bar">
      {search === undefined ? (
        // In a narrow window the list scrolls, and the keyboard can scroll only an element that has the focus.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <ul className="chips" aria-label="filter" tabIndex={0}>
          {parts.map((part) => (
            <li key={part}>
              <Chip state={state} send={send} part={part} />
            </li>
          ))}
        </ul>
      ) : (
        <span className="chip">
          found “{search.words}”{search.how === "" ? "" : ` ${search.how}`}
          <button
            type="button"
            aria-label="leave the search"
            onClick={() => send(pointed({ is: "command", command: "back" }))}
          >
            <Icon name="close" />
          </button>
        </span>
      )}
      <button
        type="button"
        className="button plain add-filter"
        title="Filter  /"
        onClick={() => send(pointed({ is: "command", command: "filter" }))}
      >
        <Icon name="filter" />
        <span className="words">{board.query === NO_FILTER ? "Filter" : "Add"}</span>
      </button>
    </div>
  );
}

function Chip({ state, send, part }: PainterProps & { readonly part: string }): ReactElement {
  const query = partsOf(state.board.query)
    .filter((other) => other !== part)
    .join(" ");
  const term = termOf(part);
  return (
    <span className="chip" data-kind={term.is}>
      <span className="chip-text">{part}</span>
      {leadsNowhere(part) ? null : (
        <button
          type="button"
          aria-label={`take ${part} out of the filter`}
          onClick={() => send(pointed({ is: "query", query: query === "" ? NO_FILTER : query }))}
        >
          <Icon name="close" />
        </button>
      )}
    </span>
  );
}

function Problem({ text }: { readonly text: string }): ReactElement | null {
  const problem = problemIn(text);
  return problem === undefined ? null : <p className="said warn">{problem}</p>;
}
