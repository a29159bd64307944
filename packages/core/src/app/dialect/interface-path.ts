/** What this kit serves beside an interface that is mounted at the root. */
const beside = /^\/(sandbox|pay|assets|health|docs|openapi\.json)(\/|$)/;

/** Whether a path belongs to the interface; only there a dialect is spoken. */
export const isOfInterface = (path: string, basePath: string): boolean =>
  path.startsWith(`${basePath}/`) && !(basePath === '' && beside.test(path));
