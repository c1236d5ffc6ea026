import { type ReactElement, useRef, useState } from "react";
import { hasValues } from "../../src/screen/board/filter-choices.ts";
import { NO_FILTER, partsOf, problemIn, termOf } from "../../src/screen/issues/query.ts";
import { leadsNowhere } from "../filter-words.ts";
import { type PainterProps, pointMessage } from "../painter.ts";
import { PromptInput } from "./dialogs/prompt.tsx";
import { FilterMenu } from "./filter-menu.tsx";
import { Icon } from "./icon.tsx";

export function FilterBar({ state, send }: PainterProps): ReactElement {
  const { dialog, board } = state;
  if (dialog?.dialog === "prompt" && dialog.kind === "filter")
    return (
      <div className="filter-bar typing">
        <PromptInput state={state} send={send} dialog={dialog} label="filter" />
        <button
          type="button"
          className="button plain"
          title="Keep the filter  enter"
          onClick={() => send(pointMessage({ is: "button", key: "enter" }))}
        >
          Done
        </button>
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
            onClick={() => send(pointMessage({ is: "command", command: "back" }))}
          >
            <Icon name="close" />
          </button>
        </span>
      )}
      <button
        type="button"
        className="button plain add-filter"
        title="Filter with a form  f"
        onClick={() => send(pointMessage({ is: "command", command: "filter-form" }))}
      >
        <Icon name="filter" />
        <span className="words">Add filter</span>
      </button>
    </div>
  );
}

/**
 * A part of the filter. A click on the part opens a menu of other values. A part without values, such as a word, opens
 * the filter line instead.
 */
function Chip({ state, send, part }: PainterProps & { readonly part: string }): ReactElement {
  const query = partsOf(state.board.query)
    .filter((other) => other !== part)
    .join(" ");
  const term = termOf(part);
  const chip = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const hasMenu = hasValues(part);
  return (
    <span className="chip" data-kind={term.is}>
      <button
        ref={chip}
        type="button"
        className="chip-text"
        aria-haspopup={hasMenu ? "menu" : undefined}
        aria-expanded={hasMenu ? isOpen : undefined}
        title={hasMenu ? "choose another value" : "change the filter  /"}
        onClick={() =>
          hasMenu ? setOpen(true) : send(pointMessage({ is: "command", command: "filter" }))
        }
      >
        {part}
      </button>
      {leadsNowhere(part) ? null : (
        <button
          type="button"
          aria-label={`take ${part} out of the filter`}
          onClick={() =>
            send(pointMessage({ is: "query", query: query === "" ? NO_FILTER : query }))
          }
        >
          <Icon name="close" />
        </button>
      )}
      {isOpen && chip.current !== null ? (
        <FilterMenu {...{ state, send, part }} chip={chip.current} close={() => setOpen(false)} />
      ) : null}
    </span>
  );
}

function Problem({ text }: { readonly text: string }): ReactElement | null {
  const problem = problemIn(text);
  return problem === undefined ? null : <p className="said warn">{problem}</p>;
}
