const { Segmenter } = globalThis.Intl;

/** Replaces `Intl.Segmenter`. The real one is created for the first text, because Node then reads a large table. */
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
