const { Segmenter } = globalThis.Intl;

/** Finds the characters of a text. Made when a text is first given to it: Node reads a table for that. */
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
