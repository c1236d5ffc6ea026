import { isUlid } from "../../base/ulid.ts";
import { listCronJobs } from "../../contract/cron-jobs.ts";
import { invalid, SvcError } from "../../contract/errors.ts";
import type { Output } from "../../contract/route.ts";
import { nearest } from "../../shared/nearest.ts";
import { arg } from "../flags/flags.ts";
import { DefinitionCommand } from "./definition-command.ts";

export const jobArg = () => arg("the job's name or uid");

export interface JobPlace {
  readonly project_id: number;
  readonly cron_uid: string;
}

/** Which job to choose if several have the same name. A restore prefers a deleted job. */
type PreferredState = "live" | "deleted";

export abstract class JobCommand extends DefinitionCommand {
  /**
   * Acts on the job that `text` names. A text that looks like a uid is first looked up as a uid, and only then as a
   * name. So a job whose name is the uid of another job cannot hide that job.
   */
  protected async onJob<T>(
    text: string,
    act: (place: JobPlace) => Promise<T>,
    {
      project_id = this.projectId(),
      preferred = "live",
    }: { readonly project_id?: number | Promise<number>; readonly preferred?: PreferredState } = {},
  ): Promise<T> {
    const project = await project_id;
    if (!isUlid(text))
      return await act({
        project_id: project,
        cron_uid: await this.uidOf(text, project, preferred),
      });
    const cron_uid = text.toUpperCase();
    try {
      return await act({ project_id: project, cron_uid });
    } catch (error) {
      if (!isMissing(error, cron_uid)) throw error;
      const named = await this.jobsNamed(text, project);
      if (named.length === 0) throw error;
      return await act({ project_id: project, cron_uid: onlyUid(text, named, preferred) });
    }
  }

  /**
   * Returns the uid of the job with this name, or of the preferred job if several have the name. Throws if no job has
   * the name, or if more than one is left to choose from.
   */
  protected async uidOf(
    name: string,
    project_id: number,
    preferred: PreferredState = "live",
  ): Promise<string> {
    const named = await this.jobsNamed(name, project_id);
    if (named.length > 0) return onlyUid(name, named, preferred);
    const all = (await this.call(listCronJobs, { params: { project_id } })).body().jobs;
    const near = nearest(
      name,
      all.map((job) => job.name),
    );
    throw new SvcError(
      "not_found",
      { name },
      {
        message: `no job is named ${name}`,
        hint: near === undefined ? "svc cron job list shows the jobs" : `did you mean ${near}?`,
      },
    );
  }

  private async jobsNamed(name: string, project_id: number): Promise<readonly NamedJob[]> {
    const wanted = name.trim();
    // An older daemon ignores the filter and lists all jobs.
    const filter = (await (await this.session()).hasApi("0.15.0")) ? { name: wanted } : {};
    const query = { include_deleted: true, ...filter };
    const { jobs } = (await this.call(listCronJobs, { params: { project_id }, query })).body();
    return jobs.filter((job) => job.name === wanted);
  }
}

type NamedJob = Output<typeof listCronJobs>["jobs"][number];

function onlyUid(name: string, named: readonly NamedJob[], preferred: PreferredState): string {
  const isPreferred = ({ deleted_at }: NamedJob): boolean =>
    (deleted_at === undefined) === (preferred === "live");
  const first = named.filter(isPreferred);
  const candidates = first.length > 0 ? first : named;
  const [job, ...others] = candidates;
  if (job !== undefined && others.length === 0) return job.uid;
  throw invalid(
    `${candidates.length} jobs are named ${name}: ${candidates.map(({ uid }) => uid).join(", ")}`,
    "name one by its uid; svc cron job list shows more of them",
  );
}

function isMissing(error: unknown, cron_uid: string): boolean {
  return (
    error instanceof SvcError && error.code === "not_found" && error.data["cron_uid"] === cron_uid
  );
}
