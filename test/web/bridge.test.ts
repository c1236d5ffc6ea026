import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, expect } from "vitest";
import { notesIn } from "../support/notes-connector.ts";
import { faultsInBothColours } from "./support/axe.ts";
import { filled, opened } from "./support/filled.ts";
import { type Web, webTest } from "./support/web.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "svc-notes-"));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

const inChromium = webTest({
  toml: notesIn(FOLDER).toml,
  context: { viewport: { width: 1280, height: 800 } },
});

/**
 * Binds the issue to `ship.md`, and lets its deadline and the due date there differ. The bridge is paused until both are
 * changed, so that no run of the daemon comes between them.
 */
async function bound(web: Web): Promise<string> {
  const notes = notesIn(FOLDER);
  const uid = (await filled(web, "Old title", "Free")).get("Old title") ?? "";
  const send = async (method: string, path: string, body: object): Promise<void> =>
    expect((await web.call(method, path, body)).status).toBe(200);
  const issue = `/projects/1/issues/${uid}`;
  await send("PUT", "/connectors/notes/fields/deadline_on", { external_field: "due" });
  await send("POST", `${issue}/bridge`, { connector: "notes", external: "ship.md", actor: "ann" });
  await act(web, uid, "pause", { reason: "not yet" });
  await send("POST", `${issue}/metadata`, { patch: { deadline_on: "2030-03-05" }, actor: "ann" });
  notes.edit("due: 2030-03-01", "due: 2030-03-09");
  await act(web, uid, "resume");
  await act(web, uid, "reconcile");
  return uid;
}

/** Does this with the bridge, once no run is under way. */
async function act({ call }: Web, uid: string, what: string, more: object = {}): Promise<void> {
  const path = `/projects/1/issues/${uid}/bridge/actions/${what}`;
  await expect
    .poll(async () => await call("POST", path, { actor: "ann", ...more }))
    .toMatchObject({ status: 200 });
}

const bridgeOf = (page: Page) => page.getByRole("region", { name: "bridge to another tracker" });

inChromium(
  "the page of a bound issue names its root and the dates that differ, keeps its words, and asks for no bridge",
  async ({ web }) => {
    const uid = await bound(web);
    const page = await opened(web, `/svc?issue=${uid}`);
    await page.getByRole("heading", { name: "Ship it" }).waitFor();
    await page.locator(".facts .fact", { hasText: "Root" }).getByText("notes").waitFor();
    await bridgeOf(page).getByText("conflict: deadline_on differs here and there").waitFor();
    await bridgeOf(page).getByText("no page may see or change bridges: use svc tui").waitFor();
    expect(await page.locator(".detail").textContent()).not.toContain("2030-03-09");
    await page.keyboard.press("e");
    await page.locator(".notice").getByText("in notes owns title and text").waitFor();
    expect(await page.locator("dialog[open]").count()).toBe(0);
    const edit = page.locator(".detail-bar").getByRole("button", { name: "Edit" });
    expect(await edit.getAttribute("aria-disabled")).toBe("true");
    await act(web, uid, "pause", { reason: "<b>the folder</b> \u202emoves" });
    await bridgeOf(page).getByText("root: notes, paused: <b>the folder</b> moves").waitFor();
    expect(await faultsInBothColours(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 720 });
    await bridgeOf(page).waitFor();
    expect(await faultsInBothColours(page)).toEqual([]);
    const wide = await page.evaluate(
      () => document.documentElement.scrollWidth > window.innerWidth,
    );
    expect(wide).toBe(false);
    expect(web.faults.refused).toEqual([]);
  },
  60_000,
);
