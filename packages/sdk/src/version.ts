/** Version of this package. */
export const version = '0.1.0';

/** The project's page, as in package.json; undefined while it is a placeholder. */
export const homepage: string | undefined = undefined;
