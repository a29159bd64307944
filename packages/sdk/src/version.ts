/** Version of this package. */
export const version = '0.1.0';

/** The page about the project, as in package.json; undefined while that is a placeholder, which leads nowhere. */
export const homepage: string | undefined = undefined;
