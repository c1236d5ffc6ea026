export interface Target {
  readonly dialect: "sqlite" | "postgres";
  /** The path of the file, or the URL of the server with credentials. */
  readonly dsn: string;
  /** Schema on the server, PostgreSQL only. */
  readonly schema?: string;
}
