const { Segmenter } = globalThis.Intl;

/**
 * Replaces `Intl.Segmenter`. The real segmenter is created only for the first text, because its creation makes Node
 * read a large table.
 */
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
