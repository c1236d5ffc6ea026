/**
 * The floor page, with which svc's page is compared. It reads the same issues from the same daemon, and writes the
 * visible rows as one HTML text, without a framework. It knows `j`, `k` and a filter, and nothing else.
 */
const ROW_HEIGHT = 36;
const PAGES = [200, 500];

const list = document.querySelector("#list");
const filter = document.querySelector("input");
const texts = new Map();
let issues = [];
let rows = [];
let cursor = 0;
let top = 0;

const answer = await fetch("/api/v1/ui/session/local", {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: "{}",
});
const { session } = await answer.json();
const headers = { "x-svc-web-session": session };

addEventListener("keydown", ({ key, target }) => {
  if (target === filter) return;
  if (key === "j") move(1);
  if (key === "k") move(-1);
  if (key === "/") setTimeout(() => filter.focus());
});
filter.addEventListener("input", find);

for (let after = "", page = 0; after !== undefined; page += 1) {
  const limit = PAGES[Math.min(page, PAGES.length - 1)];
  const query = new URLSearchParams({ after, limit });
  const read = await (await fetch(`/api/v1/issues?${query}`, { headers })).json();
  issues = [...issues, ...read.issues];
  after = read.next_after;
  find();
}

function find() {
  const word = filter.value.toLowerCase();
  rows = issues.filter((issue) => issue.status === "open" && textOf(issue).includes(word));
  cursor = 0;
  top = 0;
  draw();
}

function textOf(issue) {
  let text = texts.get(issue.uid);
  if (text === undefined) {
    text = [issue.qualified_id, issue.title, ...issue.labels, issue.body].join("\n").toLowerCase();
    texts.set(issue.uid, text);
  }
  return text;
}

function move(by) {
  cursor = Math.max(0, Math.min(cursor + by, rows.length - 1));
  const seen = Math.floor((innerHeight - list.offsetTop) / ROW_HEIGHT);
  top = Math.max(Math.min(top, cursor), cursor - seen + 1);
  draw();
}

function draw() {
  const seen = Math.ceil((innerHeight - list.offsetTop) / ROW_HEIGHT);
  list.innerHTML = rows
    .slice(top, top + seen)
    .map((issue, at) => rowOf(issue, top + at === cursor))
    .join("");
}

function rowOf(issue, isCursor) {
  const { blocked, priority, title, labels, owner = "", short_id } = issue;
  const cells = [blocked ? "b" : "o", `P${priority}`, title, labels.join(" "), owner, short_id];
  const spans = cells.map((cell) => `<span>${String(cell).replaceAll("<", "&lt;")}</span>`);
  return `<div class="row" data-cursor="${isCursor}">${spans.join("")}</div>`;
}
