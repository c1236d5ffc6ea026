/**
 * The header that identifies the log to which a cursor belongs (docs/contract/events.md#52-the-epoch). Answers with a
 * cursor have it, with the epoch of the log. A reader sends it back together with the cursor, and adds the chain of the
 * event at the cursor if it knows this value.
 */
export const LOG_HEADER = "X-Svc-Log";

/** The header with its description, for `Route.responseHeaders`. */
export const logHeader = {
  [LOG_HEADER]: "the epoch of the log; send it back beside the cursor, with the chain of its event",
} as const;

export interface LogMark {
  readonly epoch: string;
  readonly chain?: string | undefined;
}

export function logMarkText({ epoch, chain }: LogMark): string {
  return chain === undefined ? epoch : `${epoch}/${chain}`;
}

const MARK = /^([0-9A-Z]{26})(?:\/([0-9a-f]{32}))?$/;

/** Returns the mark that the text of the header contains; `undefined` if the text is not valid. */
export function parseLogMark(text: string): LogMark | undefined {
  const [, epoch, chain] = MARK.exec(text) ?? [];
  return epoch === undefined ? undefined : { epoch, chain };
}
