import { EVENTS_DEFAULT_LIMIT, EVENTS_MAX_LIMIT } from "../../contract/limits.ts";
import { type BudgetFlags, textBytes } from "../flags/budget.ts";
import type { Answer, LongView, View } from "../output/output.ts";
import type { ViewFile, Views } from "../render/views.ts";
import { LimitedCommand } from "./limited-command.ts";

interface Page {
  readonly events: { readonly length: number };
  readonly next_after_id: number;
  readonly truncated?: boolean | undefined;
}

/**
 * Cuts the page to the first events whose text fits into `bytes`. Each file of `render/` that has views of events
 * exports such a function.
 */
type FitPage<T> = (page: T, bytes: number, forAgent: boolean) => T;

export abstract class FeedCommand extends LimitedCommand {
  protected async printFeed<T extends Page, F extends ViewFile>(
    page: Answer<T>,
    file: F,
    views: {
      fit(views: Views<F>): FitPage<T>;
      choose(views: Views<F>): View<T> | LongView<T>;
    },
    flags: BudgetFlags & { readonly limit?: number | undefined },
  ): Promise<void> {
    this.limitBy(flags, { rows: flags.limit ?? EVENTS_DEFAULT_LIMIT, mostRows: EVENTS_MAX_LIMIT });
    const shown = await this.fitted(page, textBytes(flags), async () => {
      const { VIEWS } = await import("../render/views.ts");
      return views.fit((await VIEWS[file]()) as Views<F>);
    });
    await this.print(shown, file, (loaded) => views.choose(loaded));
    const body = shown.body();
    this.noteRest(body, body.events.length);
  }
}
