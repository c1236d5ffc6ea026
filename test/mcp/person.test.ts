import { expect, test } from "vitest";
import { ToolWorld } from "./tools.ts";

type Json = Readonly<Record<string, unknown>>;

async function serve() {
  const world = await ToolWorld.open();
  const web = await world.project("web");
  const api = await world.project("api");
  const issue = await world.issue(web.id, "an issue");
  return { world, web, api, issue, client: await world.serve("web", { actor: "bea" }) };
}

const SERIES = { action: "create", rrule: "FREQ=DAILY", dtstart: "2026-01-01", timezone: "UTC" };

test.each(["me", "@me"])(
  "%s in an argument for a person means the server's own actor",
  async (me) => {
    const { client, issue } = await serve();
    const made = await client.call("svc.create", { title: "new", owner: me, idempotency_key: "k" });
    const edited = await client.call("svc.edit", { ref: issue.short_id, owner: me });
    for (const { answer } of [made, edited])
      expect(answer["issue"]).toMatchObject({ owner: "bea" });
    for (const tool of ["svc.list", "svc.ready"]) {
      const { answer } = await client.call(tool, { owner: me });
      expect(answer["issues"]).toHaveLength(2);
    }
    expect((await client.call("svc.next", { owner: me })).answer).toHaveProperty("issue");
    const template = { title: "daily", owner: me };
    const { answer } = await client.call("svc.recurrence_update", { ...SERIES, template });
    expect((answer["recurrence"] as Json)["template"]).toMatchObject({ owner: "bea" });
    const digest = await client.call("svc.digest", { since: "1h", actors: [me] });
    expect(JSON.stringify(digest.answer)).toContain('"actor":"bea"');
  },
);

test("me is refused as ambiguous if somebody in scope has that name, and changes nothing", async () => {
  const { world, web, api, issue, client } = await serve();
  const edit = async (owner: string) =>
    await client.call("svc.edit", { ref: issue.short_id, owner });
  await world.issue(api.id, "out of reach", { owner: "me" });
  expect((await edit("me")).answer["issue"]).toMatchObject({ owner: "bea" });
  await world.issue(web.id, "theirs", { owner: "me" });
  for (const call of [
    async () => await edit("me"),
    async () =>
      await client.call("svc.create", { title: "new", owner: "me", idempotency_key: "k" }),
    async () => await client.call("svc.list", { owner: "me" }),
  ])
    expect((await call()).failure).toContain(
      'me may be you, "bea", or the person who is called me',
    );
  expect((await client.call("svc.list")).answer["issues"]).toHaveLength(2);
  expect((await edit("@me")).answer["issue"]).toMatchObject({ owner: "bea" });
});
