/** The build (`scripts/build.ts`) defines these constants; they do not exist when svc runs from source. */
declare const SVC_COMMIT: string | undefined;
declare const SVC_BUILT_AT: string | undefined;
declare const SVC_STORAGE_SCHEMA: number | undefined;

export const BUILD: {
  /** Commit of the repository; empty if unknown. */
  readonly commit: string;
  /** The instant of the build; empty when svc runs from source. */
  readonly built_at: string;
  /** The newest storage schema that this build knows; 0 when svc runs from source. */
  readonly schema_version: number;
} = {
  commit: typeof SVC_COMMIT === "undefined" ? "" : SVC_COMMIT,
  built_at: typeof SVC_BUILT_AT === "undefined" ? "" : SVC_BUILT_AT,
  schema_version: typeof SVC_STORAGE_SCHEMA === "undefined" ? 0 : SVC_STORAGE_SCHEMA,
};
