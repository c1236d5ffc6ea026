/** A database that is exported or that a file is imported into. */
export interface Target {
  readonly dialect: "sqlite" | "postgres";
  /** The file, or the server's address with credentials. */
  readonly dsn: string;
  /** PostgreSQL only. */
  readonly schema?: string;
}
