import type { ReactElement } from "react";
import type { PainterProps } from "../../painter.ts";
import { Columns } from "./columns.tsx";
import { Comparison, Conflict } from "./conflict.tsx";
import { Form } from "./form.tsx";
import { Drafts, Lists } from "./lists.tsx";
import { Menu } from "./menu.tsx";
import { Prompt } from "./prompt.tsx";
import { AskPriority, Confirm, TypeToConfirm } from "./questions.tsx";

/** Draws the open dialog. The line in which the filter is typed is drawn in the header instead. */
export function OpenDialog({ state, send }: PainterProps): ReactElement | null {
  const { dialog } = state;
  switch (dialog?.dialog) {
    case undefined:
    case "quit":
    case "daemons":
      return null;
    case "prompt":
      if (dialog.kind === "columns") return <Columns {...{ send, dialog }} />;
      return dialog.kind === "filter" ? null : (
        <Prompt key={dialog.label} {...{ state, send, dialog }} />
      );
    case "menu":
      return <Menu {...{ state, send, dialog }} />;
    case "form":
      return <Form key={dialog.id} {...{ state, send, dialog }} />;
    case "confirm":
      return <Confirm {...{ send, dialog }} />;
    case "type":
      return <TypeToConfirm {...{ send, dialog }} />;
    case "priority":
      return <AskPriority {...{ state, send, dialog }} />;
    case "conflict":
      return <Conflict {...{ state, send, dialog }} />;
    case "compare":
      return <Comparison {...{ send, dialog }} />;
    case "list":
      return <Lists {...{ state, send, dialog }} />;
    case "drafts":
      return <Drafts {...{ state, send }} at={dialog.at} />;
  }
}
