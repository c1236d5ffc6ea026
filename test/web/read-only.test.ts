import type { Page } from "playwright-core";
import { expect } from "vitest";
import { filled, opened } from "./support/filled.ts";
import { isLive } from "./support/states.ts";
import { webTest } from "./support/web.ts";

const inChromium = webTest({ context: { viewport: { width: 1280, height: 800 } } });

interface Controls {
  readonly named: readonly string[];
  readonly grey: readonly string[];
}

/** The buttons and fields of the page by what a screen reader calls them, and which of them do nothing. */
async function controlsOf(page: Page): Promise<Controls> {
  const named: string[] = [];
  const grey: string[] = [];
  for (const control of await page.locator("button, input, textarea, select").all()) {
    const name =
      (await control.getAttribute("aria-label")) ?? ((await control.textContent()) || "").trim();
    named.push(name);
    const isGrey = await control.evaluate(
      (element) => element.matches(":disabled") || element.getAttribute("aria-disabled") === "true",
    );
    if (isGrey) grey.push(name);
  }
  return { named, grey };
}

const WRITING = [
  ...["New issue", "Edit", "Comment", "Close"],
  // State, priority, owner and due date of the issue.
  ...["readyready", "none", "CYcy", "none"],
  ...["Edit the text", "Wait for another issue", "Relate to another issue"],
  ...["Edit this comment", "Write a comment"],
];

inChromium(
  "the page of a read-only daemon has no controls that write, not even grey ones",
  async ({ web }) => {
    const uid = (await filled(web, "One", "Two")).get("One") ?? "";
    const body = "- [ ] a task";
    await web.call("PATCH", `/projects/1/issues/${uid}`, { body, owner: "cy", actor: "ann" });
    await web.call("POST", `/projects/1/issues/${uid}/comments`, { body: "Said", actor: "ana" });
    const path = `/svc?project=product&issue=${uid}`;
    const page = await opened(web, path);
    await isLive(page);
    await page.locator(".detail").getByText("Said").waitFor();
    const before = await controlsOf(page);
    await web.daemon.end("SIGTERM");
    await web.startAgain({ args: ["--insecure-readonly"] });
    await page.goto(path);
    await page.locator(".banner").getByText("You can read here and change nothing").waitFor();
    await page.locator(".detail").getByText("Said").waitFor();
    const after = await controlsOf(page);
    expect(before.named.filter((name) => !after.named.includes(name))).toEqual(WRITING);
    // The box of a task stays, because it says whether the task is done.
    expect([before.grey, after.grey]).toEqual([[], ["a task"]]);
  },
);
