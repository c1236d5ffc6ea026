import { expect, test } from "vitest";
import { LONG_CHARACTERS } from "../../web/markdown/client.ts";
import { htmlOf } from "../../web/markdown/html.ts";
import { filled, opened } from "./support/filled.ts";
import { webTest } from "./support/web.ts";

const inChromium = webTest();

test.each([
  ["<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"],
  ["[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>\n"],
  ["[x](JaVaScRiPt:alert(1))", "<p>[x](JaVaScRiPt:alert(1))</p>\n"],
  ["[x](data:text/html;base64,AAAA)", "<p>[x](data:text/html;base64,AAAA)</p>\n"],
  ["[x](/api/v1/tokens)", "<p>[x](/api/v1/tokens)</p>\n"],
  ["[x](//evil.example)", "<p>[x](//evil.example)</p>\n"],
  ["<img src=x onerror=alert(1)>", "<p>&lt;img src=x onerror=alert(1)&gt;</p>\n"],
  [
    "[x](https://example.org)",
    '<p><a href="https://example.org" rel="noopener noreferrer" target="_blank">x</a></p>\n',
  ],
  [
    "[x](mailto:a@example.org)",
    '<p><a href="mailto:a@example.org" rel="noopener noreferrer" target="_blank">x</a></p>\n',
  ],
])("the text %j becomes harmless HTML", (text, html) => {
  expect(htmlOf(text)).toBe(html);
});

test("an image becomes a link, since loading it would tell another origin who reads", () => {
  const html = htmlOf('![a "quoted" name](https://example.org/p.png)');
  expect(html).not.toContain("<img");
  expect(html).toContain('class="image" href="https://example.org/p.png"');
  expect(html).toContain("a &quot;quoted&quot; name");
});

test("no HTML of a text has a style attribute, which the page's policy refuses", () => {
  const html = htmlOf("| a | b |\n|--:|:-:|\n| 1 | 2 |");
  expect(html).not.toContain("style=");
  expect(html).toContain('<td class="align-right">1</td>');
  expect(html).toContain('<td class="align-center">2</td>');
});

test("a table of more than 10,000 cells is shown as its source", () => {
  const table = (rows: number) => `|a|b|\n|-|-|\n${"|x|y|\n".repeat(rows)}`;
  expect(htmlOf(table(4999))).toContain("<table>");
  expect(htmlOf(`before\n\n${table(5000)}\nafter`)).toBe(
    `<p>before</p>\n<pre><code>${table(5000).trimEnd()}</code></pre>\n<p>after</p>\n`,
  );
});

test("the box of a task has the number of its line, and a text that only looks like a task has no box", () => {
  const html = htmlOf("# Done when\n\n- [ ] one\n- [x] two\n- [y] three\n- four [ ]");
  expect([...html.matchAll(/data-line="(\d+)"( checked)?/g)].map(([all]) => all)).toEqual([
    'data-line="2"',
    'data-line="3" checked',
  ]);
});

test("the box of a task is labelled by the task, and a quotation mark in the label stays text", () => {
  const html = htmlOf('- [ ] pour "the" *wall* <b>');
  expect(html).toContain('aria-label="pour &quot;the&quot; *wall* &lt;b&gt;"');
});

test.each([
  ["see #abc4, please", ["#abc4"]],
  ["see (product#k8vc)", ["product#k8vc"]],
  ["`#abc4` in code", []],
  ["a#b", []],
  ["C# and F#abcde1", ["F#abcde1"]],
  ["https://example.org/#abc4", []],
])("the text %j mentions the issues %j", (text, names) => {
  expect([...htmlOf(text).matchAll(/data-name="([^"]*)"/g)].map(([, name]) => name)).toEqual(names);
});

inChromium(
  "a very long text is shown without formatting until the person asks for it",
  async ({ web }) => {
    const uid = (await filled(web, "Long")).get("Long") ?? "";
    const body = "**loud** words\n".padEnd(LONG_CHARACTERS + 1, "- a line\n");
    const changed = await web.call("PATCH", `/projects/1/issues/${uid}`, { body, actor: "ann" });
    expect(changed.status).toBe(200);
    const page = await opened(web, `/svc?issue=${uid}`);
    const text = page.locator(".description .prose");
    const loud = text.locator("strong", { hasText: "loud" });
    await text.locator("pre.raw", { hasText: "**loud** words" }).waitFor();
    expect(await loud.count()).toBe(0);
    const ask = text.getByRole("button", { name: "Show it formatted" });
    await ask.click();
    await loud.waitFor();
    expect([await text.locator("pre.raw").count(), await ask.count()]).toEqual([0, 0]);
  },
);
