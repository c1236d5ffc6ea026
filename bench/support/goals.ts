export class Goals {
  #missed = 0;

  atMost(what: string, figure: number, most: number, unit: string): void {
    const isMet = figure <= most;
    if (!isMet) this.#missed += 1;
    const shown = `${rounded(figure)} ${unit}`.padStart(12);
    console.log(
      `  ${what.padEnd(58)} ${shown}  goal ${rounded(most)}  ${isMet ? "met" : "NOT MET"}`,
    );
  }

  /** Prints a figure that has no goal. */
  tell(what: string, figure: number, unit: string): void {
    console.log(`  ${what.padEnd(58)} ${`${rounded(figure)} ${unit}`.padStart(12)}`);
  }

  end(): void {
    console.log(this.#missed === 0 ? "all goals are met" : `${this.#missed} goals are not met`);
    if (this.#missed > 0) process.exitCode = 1;
  }
}

function rounded(value: number): string {
  return value < 10 ? value.toFixed(2) : value.toFixed(1);
}
