/** The addresses of the scripts in web/workers by their names, which the build fills in. */
declare const WORKER_URLS: Readonly<Record<string, string>>;
