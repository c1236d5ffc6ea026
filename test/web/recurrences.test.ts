import { expect } from "vitest";
import { webTest } from "./support/web.ts";

const inChromium = webTest();

inChromium("series are listed, edited and ended, by sidebar, address and keys", async ({ web }) => {
  await web.context.addInitScript(() => {
    if (location.protocol === "http:") localStorage.setItem("svc.actor", "ann");
  });
  await web.call("POST", "/projects", { name: "home", actor: "ann" });
  const made = await web.call("POST", "/projects/1/recurrences", {
    rrule: "FREQ=WEEKLY;BYDAY=MO",
    dtstart: "2030-01-07",
    timezone: "Europe/Berlin",
    template: { title: "Water the plants", owner: "bo" },
    actor: "ann",
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const page = await web.open("/svc?project=home");
  await page.getByRole("button", { name: "Recurrences" }).click();
  await page.waitForURL(/screen=cron&tab=series/);
  const line = page.locator('.list-line[data-at="0"]');
  await line.getByText("next 2030-01-07").waitFor();
  expect(await line.innerText()).toContain("Water the plants");

  await page.keyboard.press("e");
  const form = page.getByRole("dialog");
  await form.getByLabel("Rule").fill("FREQ=WEEKLY;BYDAY=TU");
  await form.getByLabel("Rule").press("Control+s");
  await line.getByText("next 2030-01-08").waitFor();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await form.getByLabel("Rule").fill("FREQ=NEVER");
  await form.getByRole("button", { name: /^Save/ }).click();
  await form.getByText(/FREQ/).first().waitFor();
  await form.getByRole("alert").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");

  const again = await web.open(page.url());
  await again.locator(".list-line").getByText("next 2030-01-08").waitFor();
  await again.close();
  await page.getByRole("button", { name: "End it" }).click();
  await page.keyboard.press("y");
  await page.getByText("nothing comes again yet").waitFor();
  const { body } = await web.call("GET", "/projects/1/recurrences");
  expect(body).toEqual({ recurrences: [] });
  await page.goBack();
  await page.getByRole("heading", { name: "home" }).waitFor();
});
