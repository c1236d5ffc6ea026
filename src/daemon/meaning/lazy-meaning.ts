import type { EmbeddingsConfig } from "../../config/embeddings.ts";
import type { DaemonMeaning, MeaningNeeds } from "./meaning.ts";

/** The search by meaning of a daemon that has a provider. Its code is loaded when it is first needed. */
export class LazyMeaning {
  readonly #settings: EmbeddingsConfig;
  readonly #needs: MeaningNeeds;
  #loading: Promise<DaemonMeaning> | undefined;

  constructor(settings: EmbeddingsConfig, needs: MeaningNeeds) {
    this.#settings = settings;
    this.#needs = needs;
  }

  /** Whether everybody may read without a token, so that the provider is never called. */
  get readonly(): boolean {
    return this.#needs.readonly;
  }

  async get(): Promise<DaemonMeaning> {
    this.#loading ??= this.#load();
    return await this.#loading;
  }

  async stop(): Promise<void> {
    await (await this.#loading)?.stop();
  }

  async #load(): Promise<DaemonMeaning> {
    const { meaningOf } = await import("./meaning.ts");
    return meaningOf(this.#settings, this.#needs);
  }
}
