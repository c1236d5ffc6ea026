const { Segmenter } = globalThis.Intl;

/** Finds the characters of a text. The segmenter is created for the first text, since Node must read a table for it. */
export class LateSegmenter {
  #given;
  #made;

  constructor(...given) {
    this.#given = given;
  }

  segment(text) {
    this.#made ??= new Segmenter(...this.#given);
    return this.#made.segment(text);
  }
}
