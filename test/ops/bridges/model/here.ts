import { closeIssue, reopenIssue } from "../../../../src/contract/actions.ts";
import { createComment, editComment } from "../../../../src/contract/comments.ts";
import { editIssue, patchIssueMetadata } from "../../../../src/contract/issues.ts";
import { addLabel, removeLabel } from "../../../../src/contract/labels.ts";
import { removeProject, restoreProject } from "../../../../src/contract/project-actions.ts";
import { REQUEST_LABEL } from "../../../../src/domain/bridges/lifecycle.ts";
import { pick } from "./acts.ts";
import { dateOf, setDate } from "./set-date.ts";
import type { World } from "./world.ts";

const OWNED = "external_root_content_owned";
const COMMENT_OWNED = "external_comment_content_owned";

/** What people do at the issue. */
export const HERE = {
  async editHere(m: World): Promise<void> {
    const bridge = await m.active();
    const code = await m.ask(editIssue, { ...m.at, body: { title: `T${m.next()}` } });
    if (bridge !== undefined && code === "") m.faults.push("the title was edited here");
    if (bridge === undefined && code === OWNED) m.faults.push("the title is not free");
  },

  async sayHere(m: World): Promise<void> {
    const bridge = await m.active();
    const word = `L${m.next()}`;
    const response = await m.b.send(createComment, { ...m.at, body: { body: word } });
    const { comment } = (await response.json()) as { readonly comment?: { readonly uid: string } };
    const publisher = bridge?.publish_comments === 1 ? bridge.uid : undefined;
    if (comment !== undefined) m.comments.saidHere(comment.uid, word, publisher);
  },

  async rewordHere(m: World, number: number): Promise<void> {
    const { b } = m;
    const rows = await b.store.read(async ({ comments }) => await comments.of(b.issue.uid));
    // Often the comment whose answer was lost.
    const pending = (await m.active())?.pending_comment_uid;
    const row = rows.find(({ uid }) => uid === pending && number % 4 > 0) ?? pick(rows, number);
    if (row === undefined || row.body.startsWith("The external root")) return;
    const isOwned = (await m.active()) !== undefined && m.comments.isCopy(row.uid);
    const body = `${row.body.split(" ")[0]} w${m.next()}`;
    const params = { ...b.issue.path, comment_ref: row.uid };
    const code = await m.ask(editComment, { params, body: { body } });
    if (code === "") m.comments.rewordedHere(row.uid, body);
    if (isOwned && code === "") m.faults.push(`the copy ${row.body} was edited here`);
    if (!isOwned && code === COMMENT_OWNED) m.faults.push(`${row.body} is not free`);
  },

  async dateHere(m: World, number: number): Promise<void> {
    const [field, value] = dateOf(m, number);
    const patch = { [field]: value.kind === "null" ? null : value.value };
    const code = await m.ask(patchIssueMetadata, { ...m.at, body: { patch } });
    if (code === "") await setDate(m, field, "here", value);
  },

  async labelHere(m: World, number: number): Promise<void> {
    const label = REQUEST_LABEL;
    if (number % 4 === 0) await m.ask(addLabel, { ...m.at, body: { label: "other" } });
    else await m.ask(removeLabel, { params: { ...m.b.issue.path, label } });
  },

  async closeHere(m: World): Promise<void> {
    await m.ask(closeIssue, { ...m.at, body: { source: "tui" } });
    m.states.disturb();
  },

  async reopenHere(m: World): Promise<void> {
    await m.ask(reopenIssue, { ...m.at, body: {} });
    m.states.disturb();
  },

  async archive(m: World, number: number): Promise<void> {
    if (number % 3 > 0) return;
    const { path, project_uid = "" } = m.b.issue;
    const params = { project_id: path.project_id };
    await m.ask(removeProject, { params, query: { force: true } });
    const bridge = await m.active();
    const project = await m.b.store.read(async ({ projects }) => await projects.find(project_uid));
    if (project?.deleted_at !== null && bridge?.enabled === 1)
      m.faults.push("the bridge of an archived project is not paused");
  },

  async restore(m: World): Promise<void> {
    const { project_id } = m.b.issue.path;
    await m.ask(restoreProject, { params: { project_id }, query: {} });
  },
};
