import type { Output } from "../process-context.ts";

const WIDTH = 24;

/** A progress bar on a terminal. If the output is no terminal, nothing is drawn. */
export interface Progress {
  show(done: number, all: number): void;
  end(): void;
}

export function progressBar(output: Output, label: string): Progress {
  if (!output.isTerminal) return { show: () => undefined, end: () => undefined };
  let drawn = "";
  return {
    show: (done, all) => {
      const text = `${label} ${barText(done, all)}`;
      if (text === drawn) return;
      drawn = text;
      output.write(`\r\u001b[2K${text}`);
    },
    end: () => output.write("\r\u001b[2K"),
  };
}

export function barText(done: number, all: number): string {
  const share = all === 0 ? 1 : done / all;
  const full = Math.floor(share * WIDTH);
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  return `[${"#".repeat(full)}${"-".repeat(WIDTH - full)}] ${percent}`;
}
