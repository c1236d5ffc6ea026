import markdownIt from "markdown-it";

const SAFE = /^(?:https?:|mailto:)/i;
/** The id of an issue within a text: `#abc4` or `project#abc4`. */
const ISSUE =
  /(^|[\s([{,;:"'])((?:[\p{L}\p{N}][\p{L}\p{N}._-]*)?#[0-9a-z]{4,26})(?![\p{L}\p{N}#-])/gu;
/** The name of a task's checkbox for screen readers is the text of the task, cut to this many characters. */
const MAX_BOX_NAME = 120;
/**
 * A browser needs more than 200 ms to lay out a table with 20,000 cells. A table with more cells than this stays text.
 */
const MAX_CELLS = 10_000;
const BOX = /^\[([ xX])\]\s+/;

const markdown = markdownIt({ html: false, linkify: true, breaks: false, typographer: false });
// Only http, https and mailto addresses become links. All other addresses stay text.
markdown.validateLink = (url) => SAFE.test(url.trim());
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

/** The HTML of a Markdown text. HTML in the text is shown as text, and nothing in it loads anything. */
export function htmlOf(text: string): string {
  return markdown.render(text);
}

const { rules } = markdown.renderer;

rules["link_open"] = (tokens, at, options, _env, self) => {
  tokens[at]?.attrSet("rel", "noopener noreferrer");
  tokens[at]?.attrSet("target", "_blank");
  return self.renderToken(tokens, at, options);
};

/** Draws an image as a link, because loading it from another origin would tell that origin who reads the text. */
rules["image"] = (tokens, at) => {
  const { content = "" } = tokens[at] ?? {};
  const url = String(tokens[at]?.attrGet("src") ?? "");
  const { escapeHtml } = markdown.utils;
  const name = content === "" ? url : content;
  return `<a class="image" href="${escapeHtml(url)}" rel="noopener noreferrer" target="_blank">${escapeHtml(name)}</a>`;
};

/**
 * Puts what looks like the id of an issue into an element with `data-name`. If there is such an issue, the page makes
 * the element a link.
 */
rules["text"] = (tokens, at) => {
  const { escapeHtml } = markdown.utils;
  const content = tokens[at]?.content ?? "";
  if (!content.includes("#")) return escapeHtml(content);
  let html = "";
  let end = 0;
  for (const match of content.matchAll(ISSUE)) {
    const [, lead = "", name = ""] = match;
    const start = match.index + lead.length;
    html += `${escapeHtml(content.slice(end, start))}<span data-name="${escapeHtml(name)}">${escapeHtml(name)}</span>`;
    end = start + name.length;
  }
  return html + escapeHtml(content.slice(end));
};

// The page's content security policy refuses style attributes, so the alignment of a cell becomes a class.
for (const name of ["th_open", "td_open"]) {
  rules[name] = (tokens, at, options, _env, self) => {
    const token = tokens[at];
    const align = /text-align:(\w+)/.exec(String(token?.attrGet("style") ?? ""))?.[1];
    if (token !== undefined)
      token.attrs = align === undefined ? null : [["class", `align-${align}`]];
    return self.renderToken(tokens, at, options);
  };
}

/** Replaces each table that has too many cells by its source. */
markdown.core.ruler.after("block", "large_tables", (state) => {
  const kept: typeof state.tokens = [];
  let start = 0;
  let cells = 0;
  for (const token of state.tokens) {
    if (token.type === "table_open") [start, cells] = [kept.length, 0];
    if (token.type === "th_open" || token.type === "td_open") cells += 1;
    kept.push(token);
    if (token.type !== "table_close" || cells <= MAX_CELLS) continue;
    const source = new state.Token("code_block", "code", 0);
    const lines = state.src.split("\n");
    source.content = lines.slice(...(kept[start]?.map ?? [])).join("\n");
    kept.splice(start, Infinity, source);
  }
  state.tokens = kept;
});

/** Makes a checkbox of `[ ]` or `[x]` at the start of a list item. `data-line` is the line that a click changes. */
markdown.core.ruler.after("inline", "tasks", ({ tokens, Token }) => {
  for (const [at, token] of tokens.entries()) {
    const item = tokens[at - 2];
    const isTask = token.type === "inline" && item?.type === "list_item_open";
    const [first] = token.children ?? [];
    const box = isTask && first?.type === "text" ? BOX.exec(first.content) : null;
    if (box === null || first === undefined || item === undefined) continue;
    first.content = first.content.slice(box[0].length);
    item.attrJoin("class", "task");
    const input = new Token("html_inline", "", 0);
    const checked = box[1] === " " ? "" : " checked";
    const name = markdown.utils.escapeHtml(token.content.replace(BOX, "").slice(0, MAX_BOX_NAME));
    input.content = `<input type="checkbox" data-line="${item.map?.[0] ?? 0}"${checked} aria-label="${name}" />`;
    token.children?.unshift(input);
  }
});
