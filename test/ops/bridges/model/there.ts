import { pick } from "./acts.ts";
import { FIELDS } from "./dates.ts";
import { dateOf, setDate } from "./set-date.ts";
import type { World } from "./world.ts";

/** What people do at the root. Nobody can while it is gone. */
export const THERE = {
  async editThere(m: World): Promise<void> {
    const text = `R${m.next()}`;
    if (m.root !== undefined) m.b.provider.edit("r", { title: text, body: `body of ${text}` });
  },

  async sayThere(m: World, number: number): Promise<void> {
    if (m.root === undefined) return;
    const word = `E${m.next()}`;
    m.comments.saidThere(word, word);
    m.b.provider.comment("r", word, word, number % 7 === 0 ? "svc" : "bea");
  },

  async rewordThere(m: World, number: number): Promise<void> {
    const comment = pick(m.root?.comments.filter(({ deleted }) => !deleted) ?? [], number);
    if (comment === undefined) return;
    const body = `${m.comments.wordOf(comment.id)} v${m.next()}`;
    // Sometimes only the revision changes.
    m.b.provider.editComment("r", comment.id, number % 5 === 0 ? {} : { body });
    if (number % 5 > 0) m.comments.rewordedThere(comment.id);
  },

  async deleteThere(m: World, number: number): Promise<void> {
    const comment = pick(m.root?.comments ?? [], number);
    if (comment === undefined || number % 3 > 0) return;
    m.b.provider.editComment("r", comment.id, { deleted: true, body: "" });
    m.comments.rewordedThere(comment.id);
  },

  async completeThere(m: World): Promise<void> {
    if (m.root?.state === "open") await m.states.changeThere("complete");
  },

  async reopenThere(m: World): Promise<void> {
    if (m.root?.state === "complete") await m.states.changeThere("open");
  },

  async dateThere(m: World, number: number): Promise<void> {
    const [field, value] = dateOf(m, number);
    m.root?.fields.set(FIELDS[field], value);
    if (m.root !== undefined) await setDate(m, field, "there", value);
  },
};
