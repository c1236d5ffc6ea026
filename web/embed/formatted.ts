import { systemClock } from "../../src/base/clock.ts";

/**
 * A text of this many bytes or more is shown as it was written. The element formats texts in the page's thread, and a
 * running format cannot be stopped. `test/embed/hostile-text.test.ts` measures how long a shorter text blocks the page.
 */
export const FORMAT_BELOW_BYTES = 16 * 1024;
/** A text whose HTML has more tags than this is shown as it was written, because its layout would hold the page. */
export const MAX_TAGS = 4000;
const MAX_KEPT = 200;

/** Whether the text is formatted as Markdown, rather than shown as it was written. */
export function isFormatted(text: string): boolean {
  // Each UTF-16 unit of a text is at least one byte of its UTF-8 form.
  if (text.length >= FORMAT_BELOW_BYTES) return false;
  return new TextEncoder().encode(text).length < FORMAT_BELOW_BYTES;
}

/** The HTML of a text, or `plain` if it is shown as it was written. */
export type Formatted = { readonly html: string } | "plain";

/** In the HTML of a text each `<` begins a tag, because those of the text itself are escaped. */
function hasManyTags(html: string): boolean {
  return html.split("<", MAX_TAGS + 2).length > MAX_TAGS + 1;
}

/** Formats texts one after another, so that the page can act between two of them. Keeps the last 200. */
export class Formatter {
  readonly #load: () => Promise<(text: string) => string>;
  readonly #known = new Map<string, Formatted>();
  #work: Promise<unknown> = Promise.resolve();

  /** `load` loads the function that makes HTML of Markdown. */
  constructor(load: () => Promise<(text: string) => string>) {
    this.#load = load;
  }

  known(text: string): Formatted | undefined {
    return isFormatted(text) ? this.#known.get(text) : "plain";
  }

  /** If the Markdown renderer cannot be loaded, or fails, the text is `plain` until it is shown again. */
  async format(text: string): Promise<Formatted> {
    const work = this.#work.then(async () => await this.#format(text));
    this.#work = work;
    return await work;
  }

  async #format(text: string): Promise<Formatted> {
    const known = this.known(text);
    if (known !== undefined) return known;
    try {
      const htmlOf = await this.#load();
      await systemClock.sleep(0);
      const html = htmlOf(text);
      return this.#keep(text, hasManyTags(html) ? "plain" : { html });
    } catch {
      return "plain";
    }
  }

  #keep(text: string, formatted: Formatted): Formatted {
    this.#known.set(text, formatted);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_KEPT) break;
      this.#known.delete(oldest);
    }
    return formatted;
  }
}
