import { type ReactElement, type RefObject, useId, useLayoutEffect, useRef } from "react";
import { graphemes } from "../../../src/base/graphemes.ts";
import type { Field } from "../../../src/screen/field.ts";
import type { FormDialog, FormField } from "../../../src/screen/forms/dialog.ts";
import { isForWord, wordChoices } from "../../../src/screen/forms/text-completion.ts";
import type { Send } from "../../painter.ts";
import { FORM_KEYS, inputKeys } from "./modal.tsx";
import { Options, optionId } from "./options.tsx";

interface TextAreaProps {
  readonly send: Send;
  readonly dialog: FormDialog;
  readonly field: FormField;
  readonly id: string;
  readonly isFocused: boolean;
  readonly area: RefObject<HTMLTextAreaElement | null>;
}

const LIST_KEYS = { ArrowDown: "down", ArrowUp: "up", Enter: "enter", Tab: "tab" } as const;

/** A text of several lines. A list at the caret shows what the typed word may mean. */
export function TextArea(props: TextAreaProps): ReactElement {
  const { send, dialog, field, id, isFocused, area } = props;
  const { lines, value, label } = field;
  const choices = isFocused && !dialog.saving ? wordChoices(dialog) : [];
  const isOpen = choices.length > 0;
  const list = useId();
  const known = useCaret(area, value);
  const report = (element: HTMLTextAreaElement): void => {
    known.current = { text: element.value, at: caretOf(element) };
    send({ type: "typed", field: known.current });
  };
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const moved = (): void => {
      const { current } = area;
      if (current === document.activeElement && current !== null)
        if (caretOf(current) !== known.current.at) report(current);
    };
    document.addEventListener("selectionchange", moved);
    return () => document.removeEventListener("selectionchange", moved);
  });
  const forList = Object.entries(LIST_KEYS).filter(([, key]) => isForWord(dialog, key));
  return (
    <div className="texts">
      <textarea
        ref={area}
        id={id}
        value={value.text}
        rows={lines}
        onChange={({ currentTarget }) => report(currentTarget)}
        onKeyDown={inputKeys(
          send,
          isOpen ? { ...FORM_KEYS, ...Object.fromEntries(forList) } : FORM_KEYS,
        )}
        // HTML allows no role but `textbox` for a text area, and a text box may have these attributes of a combobox.
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={isOpen ? list : undefined}
        aria-activedescendant={optionId(list, isOpen ? dialog.choose : undefined)}
      />
      {isOpen ? (
        <AtCaret area={area} text={value.text}>
          <Options id={list} send={send} label={label} options={choices} at={dialog.choose} />
        </AtCaret>
      ) : null}
    </div>
  );
}

/** The position of the caret in graphemes, as the state counts it. */
function caretOf({ value, selectionEnd }: HTMLTextAreaElement): number {
  return graphemes(value.slice(0, selectionEnd)).length;
}

/**
 * If the state has changed the text by itself, moves the caret to its position in the state, because the browser has
 * put the caret at the end of the new text. Returns a ref to the text and the caret that the state has.
 */
function useCaret(area: RefObject<HTMLTextAreaElement | null>, { text, at }: Field) {
  const known = useRef<Field>({ text, at });
  useLayoutEffect(() => {
    if (known.current.text === text) return;
    known.current = { text, at };
    const place = graphemes(text).slice(0, at).join("").length;
    area.current?.setSelectionRange(place, place);
  }, [area, text, at]);
  return known;
}

interface AtCaretProps {
  readonly area: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly children: ReactElement;
}

const EDGE = 8;

/** Shows its content over the page, below the line with the caret, or above that line if there is no room below. */
function AtCaret({ area, text, children }: AtCaretProps): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.showPopover(), []);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null || area.current === null) return;
    const caret = caretBox(area.current);
    const { offsetWidth: width, offsetHeight: height } = current;
    const bottom = visualViewport?.height ?? innerHeight;
    const left = Math.max(EDGE, Math.min(caret.left, innerWidth - width - EDGE));
    const isBelow = caret.bottom + height + EDGE <= bottom;
    current.style.left = `${left}px`;
    current.style.top = `${isBelow ? caret.bottom : Math.max(EDGE, caret.top - height)}px`;
  }, [area, text, children]);
  return (
    <div ref={box} className="at-caret" popover="manual">
      {children}
    </div>
  );
}

const COPIED = ["font", "letterSpacing", "lineHeight", "padding", "border", "tabSize"] as const;

/**
 * The position in the window of the line with the caret. It is measured in a copy of the text, because a text area does
 * not report it.
 */
function caretBox(area: HTMLTextAreaElement): { left: number; top: number; bottom: number } {
  const copy = document.createElement("div");
  const mark = document.createElement("span");
  const style = getComputedStyle(area);
  for (const name of COPIED) copy.style[name] = style[name];
  copy.className = "caret-copy";
  copy.style.width = `${area.offsetWidth}px`;
  mark.textContent = "\u200b";
  copy.append(area.value.slice(0, area.selectionEnd), mark);
  area.after(copy);
  const at = mark.getBoundingClientRect();
  const from = copy.getBoundingClientRect();
  const shown = area.getBoundingClientRect();
  copy.remove();
  const top = shown.top + at.top - from.top - area.scrollTop;
  return { left: shown.left + at.left - from.left, top, bottom: top + at.height };
}
