import { type ReactElement, useEffect, useState } from "react";
import { systemClock } from "../../src/base/clock.ts";
import type { State } from "../../src/screen/state.ts";
import { bannerOf, GAP, noticeOf } from "../notices.ts";
import { Sentences } from "../sentences.ts";

interface SpokenText {
  readonly times: number;
  readonly text: string;
}

/**
 * Tells screen readers each message and the text of the banner. The element exists before the first sentence, because
 * many readers do not announce a text that appears together with its element.
 */
export function Spoken({ state }: { readonly state: State }): ReactElement {
  const [said, setSaid] = useState<SpokenText>({ times: 0, text: "" });
  const [sentences] = useState(
    () =>
      new Sentences(systemClock, (text) => setSaid(({ times }) => ({ times: times + 1, text }))),
  );
  const notice = noticeOf(state);
  useEffect(() => {
    if (notice === undefined) return;
    const isError = notice.tone === "error";
    const text = notice.text.split(GAP).join(", ");
    sentences.add(isError ? `error: ${text}` : text, isError);
  }, [sentences, notice]);
  const banner = bannerOf(state);
  const isError = banner?.tone === "error";
  useEffect(() => {
    if (banner?.text !== undefined) sentences.add(banner.text, isError);
  }, [sentences, banner?.text, isError]);
  return (
    <div className="hidden" aria-live="polite" aria-atomic="true">
      {/* A repeated sentence gets a new element, because readers announce only changes. */}
      <span key={said.times}>{said.text}</span>
    </div>
  );
}
