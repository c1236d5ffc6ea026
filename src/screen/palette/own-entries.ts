import { changeDaemon } from "../daemons/daemons.ts";
import { openIssue } from "../detail/detail.ts";
import { draftsHere, offerDrafts } from "../forms/drafts.ts";
import { refsOf } from "../issues/choices.ts";
import { oldIdsOf } from "../issues/old-ids.ts";
import { hint, say } from "../messages/messages.ts";
import { type State, withSlice } from "../state.ts";
import { type Step, step } from "../step.ts";
import { sendWrites } from "../writes/send.ts";
import { type Entry, entry } from "./entry.ts";

/** Entries that only the palette has and that belong to no screen. */
export const OWN_ENTRIES: readonly Entry[] = [
  entry("open", "open an issue by its id", {
    what: "issue",
    choices: refsOf,
    run: openRef,
  }),
  entry("times", "tell times by the clock, or how long ago", otherTimes),
  entry("drafts", "drafts that were kept", (state) =>
    draftsHere(state).length === 0
      ? hint(state, "no draft is kept for this board")
      : step(offerDrafts(state)),
  ),
  entry("restore", "bring a deleted issue back", {
    what: "issue",
    choices: deletedHere,
    run: restoreRef,
  }),
  entry("daemon", "change to another daemon of config.toml", {
    what: "daemon",
    choices: ({ connection: { daemons } }) => daemons.map(({ name }) => name),
    run: changeDaemon,
  }),
];

function otherTimes(state: State): Step {
  return state.preferences.times === "ago"
    ? say(
        withSlice(state, "preferences", { times: "clock" }),
        "times are by this machine's clock   :times again: how long ago",
      )
    : say(withSlice(state, "preferences", { times: "ago" }), "times say how long ago it was");
}

function openRef(state: State, text: string): Step {
  const ref = text.split(" ", 1)[0]?.toLowerCase() ?? "";
  const all = [...state.issues.values()];
  const found = all.find(
    ({ uid, short_id, qualified_id }) =>
      uid.toLowerCase() === ref || qualified_id.toLowerCase() === ref || short_id === ref,
  );
  if (found !== undefined) return openIssue(state, found.uid);
  const [old, another] = all.filter((issue) =>
    oldIdsOf(issue).some((id) => id.toLowerCase() === ref),
  );
  if (old === undefined) return hint(state, `no issue here is called ${ref}`);
  if (another === undefined) return openIssue(state, old.uid);
  return hint(state, `${ref} was the id of ${old.qualified_id} and ${another.qualified_id}`);
}

/** Issues deleted in this session; the person names other deleted issues by id. */
function deletedHere({ issues, writes: { sent } }: State): readonly string[] {
  const deleted = sent.flatMap(({ write, state, before }) =>
    write.act === "delete" && state === "done" && !issues.has(write.at.uid)
      ? [`${write.at.name}  ${before?.title ?? ""}`]
      : [],
  );
  return [...new Set(deleted)];
}

function restoreRef(state: State, text: string): Step {
  const name = text.split(" ", 1)[0] ?? "";
  const [first = "", second] = name.split("#");
  const project = second === undefined ? state.scope.project?.name : first;
  const project_id = state.scope.projects.find((known) => known.name === project)?.id;
  if (project_id === undefined)
    return hint(state, `which issue is it? Name it as project#id: ${name} names no project`);
  const ref = second ?? first;
  return sendWrites(state, [
    { act: "restore", at: { uid: ref, project_id, ref, name: `${project}#${ref}` } },
  ]);
}
