import { openForm } from "./drafts.ts";
import { isDraft } from "./forms.ts";
import type { State } from "./state.ts";

/** What would be lost if the person left now. */
export function losses({ done, failed, sheet }: State): readonly string[] {
  const pending = done.filter((one) => one.state === "pending").length;
  const drafts = done.filter(({ id, batch }) => {
    return batch.input?.sheet === "form" && [...failed.values()].includes(id);
  }).length;
  const form = openForm(sheet);
  const isTyping = form !== undefined && form.kind.form !== "filter" && isDraft(form);
  return [
    ...(pending === 0 ? [] : [`${counted(pending, "change")} still on the way to the daemon`]),
    ...(drafts === 0 ? [] : [`${counted(drafts, "draft")} that was refused`]),
    ...(isTyping && !form.saving ? ["what you are typing"] : []),
  ];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
