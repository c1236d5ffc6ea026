import fc from "fast-check";

/** What people do here, there, and with the bridge. They may do it while a run is under way. */
export const DEEDS = [
  ...[
    "editHere",
    "sayHere",
    "sayHere",
    "rewordHere",
    "rewordHere",
    "dateHere",
    "dateHere",
    "labelHere",
  ],
  ...["closeHere", "reopenHere", "archive", "restore"],
  ...["editThere", "sayThere", "rewordThere", "rewordThere", "deleteThere", "dateThere"],
  ...["dateThere", "completeThere", "reopenThere"],
  ...["pause", "resume", "resume", "unbind", "bind", "bind", "remap", "resolveField"],
  ...["resolveComment", "runAsked", "fault", "fault", "weather", "wait"],
  ...["sayInVain", "sayInVain", "dateInVain"],
] as const;
export type Deed = (typeof DEEDS)[number];

/** A run happens about as often as a deed. */
const KINDS = [...DEEDS, ...DEEDS, ...Array.from({ length: 24 }, () => "run" as const)] as const;

const AWAITS = 70;

/** What happens next: a deed, or a run with deeds at its awaits, which may end by the death of the process. */
export const act = fc.record({
  kind: fc.constantFrom(...KINDS),
  number: fc.nat(10_000),
  meanwhile: fc.array(
    fc.record({ at: fc.nat(AWAITS), what: fc.constantFrom(...DEEDS), number: fc.nat(10_000) }),
    { maxLength: 3 },
  ),
  death: fc.option(fc.nat(AWAITS), { nil: undefined, freq: 2 }),
});

export type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;
/** One of them, chosen by the number. */
export function pick<T>(all: readonly T[], number: number): T | undefined {
  return all[number % Math.max(1, all.length)];
}
