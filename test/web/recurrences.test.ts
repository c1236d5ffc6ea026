import { expect } from "vitest";
import { webTest } from "./support/web.ts";

const inChromium = webTest();

inChromium(
  "series are listed, edited and ended from the sidebar, by their address and by keys",
  async ({ web }) => {
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
    await page.getByRole("heading", { name: "Recurrences" }).waitFor();
    const line = page.locator('.list-line[data-at="0"]');
    await line.getByText("next 2030-01-07").waitFor();
    expect(await line.innerText()).toContain("Water the plants");

    await page.keyboard.press("e");
    const form = page.getByRole("dialog");
    const rule = form.getByRole("combobox", { name: "Rule" });
    await rule.fill("FREQ=WEEKLY;BYDAY=TU");
    await rule.press("Control+s");
    await line.getByText("next 2030-01-08").waitFor();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await rule.fill("FREQ=NEVER");
    await form.getByRole("button", { name: "Save" }).click();
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
  },
);

inChromium("a series is created by a form that shows its next days", async ({ web }) => {
  await web.context.addInitScript(() => {
    if (location.protocol === "http:") localStorage.setItem("svc.actor", "ann");
  });
  await web.call("POST", "/projects", { name: "home", actor: "ann" });
  const page = await web.open("/svc?project=home&screen=cron&tab=series");
  await page.getByRole("main").getByRole("button", { name: "New series" }).last().click();
  const form = page.getByRole("dialog");
  const rule = form.getByRole("combobox", { name: "Rule" });
  await form.getByText(/^next days: .* \.\.\./).waitFor();
  await form.getByLabel("Title").fill("Water the plants");
  await form.getByLabel("First day").fill("2030-01-07");
  await rule.fill("FREQ=WEEKLY;BYDAY=MO,TH");
  await form.getByText("next days: Mon 2030-01-07, Thu 2030-01-10, Mon 2030-01-14").waitFor();
  await rule.fill("FREQ=WEEKLY;COUNT=2");
  await form.getByText("next days: Mon 2030-01-07, Mon 2030-01-14, and none after").waitFor();
  await rule.fill("FREQ=NEVER");
  await form.getByText("Rule: FREQ must be one of").waitFor();

  // What is refused leaves no first issue behind.
  await form.getByRole("button", { name: "Create" }).click();
  await form.getByRole("alert").getByText("Rule: FREQ must be one of").waitFor();
  await rule.fill("every mon");
  await form.getByRole("option", { name: "every Monday" }).click();
  expect(await rule.inputValue()).toBe("FREQ=WEEKLY;BYDAY=MO");
  await form.getByLabel("Labels").fill("not/a/label");
  await form.getByRole("button", { name: "Create" }).click();
  await form.getByRole("alert").getByText("not/a/label").waitFor();
  expect((await web.call("GET", "/projects/1/issues")).body).toMatchObject({ issues: [] });

  await form.getByLabel("Labels").fill("home");
  await form.getByRole("button", { name: "Create" }).click();
  await page.locator(".list-line").getByText("next 2030-01-14").waitFor();
  expect((await web.call("GET", "/projects/1/recurrences")).body).toMatchObject({
    recurrences: [{ template_title: "Water the plants", template_labels: ["home"] }],
  });
  const { body } = await web.call("GET", "/projects/1/issues");
  expect(body).toMatchObject({
    issues: [{ title: "Water the plants", metadata: { scheduled_on: "2030-01-07" } }],
  });
});
