import type { FormProject, FormRecords } from "../form.ts";
import { ownerInDoubt } from "../forms/person.ts";
import { step } from "../step.ts";
import type { At } from "../writes/writes.ts";
import { newSeriesWrite } from "./new-series-form.ts";
import { requestDays } from "./series-days.ts";
import { emptySeries, seriesWrites } from "./series-form.ts";
import type { SeriesDays } from "./state.ts";

declare module "../forms/dialog.ts" {
  interface FormKinds {
    readonly cron: {
      readonly "new-series": {
        readonly project: FormProject;
        /** The idempotency key of the first issue. */
        readonly key: string;
        readonly days?: SeriesDays;
      };
      readonly series: {
        readonly series: {
          readonly at: At;
          readonly project: string;
          readonly revision: number;
          /** The day of the newest issue that the series has created, if it is known. */
          readonly last?: string;
        };
        /** Whether to save although somebody else has changed the series. The person was told about that change. */
        readonly force: boolean;
        readonly days?: SeriesDays;
      };
    };
  }
}

/** The forms for a new series and for an existing series. */
export const SERIES_FORMS: FormRecords<"cron"> = {
  "new-series": {
    problem: (state, dialog) => emptySeries(dialog) ?? ownerInDoubt(state, dialog),
    writes: (_state, dialog) => [newSeriesWrite(dialog)],
    project: (_state, { kind }) => kind.project,
    onUpdate: requestDays,
  },
  series: {
    problem: (state, dialog) => emptySeries(dialog) ?? ownerInDoubt(state, dialog),
    writes: seriesWrites,
    project: (_state, { kind: { series } }) => {
      return { id: series.at.project_id, name: series.project };
    },
    onRefusal: (state, dialog, { code }) => {
      if (code !== "revision_conflict") return undefined;
      const notes = ["send it again: what you changed is put over what is there now"];
      const kind = { ...dialog.kind, force: true };
      return step({ ...state, dialog: { ...dialog, kind, notes } });
    },
    onUpdate: requestDays,
  },
};
