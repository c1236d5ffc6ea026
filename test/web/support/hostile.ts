/** Markdown that wants to run, to load, to mislead or to take long: each payload in each surrounding, and runs. */
export interface Hostile {
  readonly name: string;
  readonly body: string;
}

const RUN = "parent.hit=window.hit=1;alert(1)";
const AWAY = "https://evil.example/x";

const HTML = [
  `<script>${RUN}</script>`,
  `<script src=${AWAY}></script>`,
  `<img src=x onerror="${RUN}">`,
  `<img src="${AWAY}.png">`,
  `<svg onload="${RUN}"><script>${RUN}</script></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id=x onload=${RUN}>#x"/></svg>`,
  `<iframe src="javascript:${RUN}"></iframe>`,
  `<iframe srcdoc="<script>${RUN}</script>"></iframe>`,
  `<object data="${AWAY}"></object><embed src="${AWAY}">`,
  `<form action="${AWAY}"><input name=a autofocus onfocus="${RUN}"><button>go</button></form>`,
  `<style>@import "${AWAY}"; * { display: none }</style>`,
  `<link rel=stylesheet href="${AWAY}"><base href="${AWAY}">`,
  `<meta http-equiv=refresh content="0;url=${AWAY}">`,
  `<details open ontoggle="${RUN}"><summary>x</summary></details>`,
  `<math><mi xlink:href="javascript:${RUN}">x</mi></math>`,
  `<video><source onerror="${RUN}"></video><audio src=x onerror="${RUN}">`,
  `<div><div><p style="position:fixed;inset:0" onmouseover="${RUN}">x</div>`,
  `<!--<img src="--><img src=x onerror=${RUN}//">`,
  `<![CDATA[<script>${RUN}</script>]]>`,
  `</p></div></section></main><img src=x onerror=${RUN}>`,
  `<template><script>${RUN}</script></template><noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
];

const LINKS = [
  `[x](javascript:${RUN})`,
  `[x](JaVaScRiPt&colon;${RUN})`,
  `[x](&#106;avascript:${RUN})`,
  `[x](java\tscript:${RUN})`,
  `[x](vbscript:msgbox)`,
  `[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)`,
  `![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)`,
  `![x](${AWAY}.png "a \\" onerror=${RUN}")`,
  `[x](file:///etc/passwd) [y](blob:http://127.0.0.1/x) [z](//evil.example)`,
  `<javascript:${RUN}> <data:text/html,x>`,
  `[x][r]\n\n[r]: javascript:${RUN}`,
  `[x](/api/v1/tokens) [y](../svc?issue=1) [z](#x)`,
  `[a](${AWAY} "x' onclick='${RUN}")`,
  `\`\`\`js" onmouseover="${RUN}\nx\n\`\`\``,
  `http://evil.example/"onmouseover="${RUN}`,
];

const SURROUNDINGS: Readonly<Record<string, (text: string) => string>> = {
  alone: (text) => text,
  list: (text) => `- one\n- ${text}\n  - ${text}`,
  quote: (text) => `> ${text}\n> > ${text}`,
  table: (text) => `| a | b |\n|:-:|--:|\n| ${text.replaceAll(/[|\n]/g, " ")} | x |`,
  heading: (text) => `# ${text.replaceAll("\n", " ")}`,
  link: (text) => `[**${text}**](https://example.org/a "${text}")`,
  task: (text) => `- [ ] ${text}`,
};

const BIDI = "\u202e\u2066\u202d\u2067";

/** What grows: a text for a size. */
const RUNS: Readonly<Record<string, (size: number) => string>> = {
  "emphasis that does not close": (size) => "*a_ ".repeat(size / 4),
  "stars and underscores": (size) => "**_".repeat(size / 3),
  "open brackets": (size) => "[".repeat(size),
  "open images": (size) => "![".repeat(size / 2),
  "links in links": (size) => `${"[a](".repeat(size / 5)}x`,
  "back ticks of all lengths": (size) =>
    Array.from({ length: Math.sqrt(size) }, (_none, at) => `${"`".repeat(at + 1)} `).join(""),
  "quotations in quotations": (size) => `${">".repeat(size)} x`,
  "lists in lists": (size) =>
    Array.from({ length: Math.sqrt(size) }, (_none, at) => `${" ".repeat(2 * at)}- a`).join("\n"),
  "a wide table": (size) =>
    `${"|a".repeat(size / 6)}\n${"|-".repeat(size / 6)}\n${"|b".repeat(size / 6)}`,
  "a tall table": (size) => `|a|b|\n|-|-|\n${"|x|y|\n".repeat(size / 6)}`,
  "one long word": (size) => "w".repeat(size),
  "one long line": (size) => "word ".repeat(size / 5),
  "empty lines": (size) => "a\n\n".repeat(size / 3),
  "marks of direction": (size) => `${BIDI}abc`.repeat(size / 7),
  "stacked accents": (size) => `a${"\u0301\u0489".repeat(size / 2)}`,
  "angle brackets": (size) => "<a<".repeat(size / 3),
  entities: (size) => "&#x26;&lt;".repeat(size / 10),
  addresses: (size) => "https://example.org/a ".repeat(size / 22),
  "names of issues": (size) => "#abc4 product#zzzz ".repeat(size / 19),
  tasks: (size) => "- [ ] a\n".repeat(size / 8),
  definitions: (size) =>
    Array.from({ length: size / 16 }, (_none, at) => `[a${at}]: https://e.org`)
      .join("\n")
      .concat("\n\n[a1]"),
  emoji: (size) => "👩‍👩‍👧‍👦".repeat(size / 11),
};

/** The last size is above the one from which a text is shown as it was written. */
const SIZES = [1000, 60_000, 250_000];

export function hostileBodies(): readonly Hostile[] {
  const put = [...HTML, ...LINKS].flatMap((payload, at) =>
    Object.entries(SURROUNDINGS).map(([where, around]) => {
      return { name: `payload ${at} in ${where}: ${payload}`, body: around(payload) };
    }),
  );
  return [...put, ...SIZES.flatMap(hostileRuns)];
}

/** Texts that take long, each of at most about `size` characters. */
export function hostileRuns(size: number): readonly Hostile[] {
  return Object.entries(RUNS).map(([name, of]) => {
    return { name: `${name}, ${size} characters`, body: of(size) };
  });
}
