/** The URL of each script in web/workers, by the script's name. The build puts the values in. */
declare const WORKER_URLS: Readonly<Record<string, string>>;
/** The styles of the element `<svc-issue>`. The build puts the text in. */
declare const ELEMENT_CSS: string;
