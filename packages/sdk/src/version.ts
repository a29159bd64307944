/** Version of this package. */
export const version = '0.1.0';

/** The page about the project, as in package.json. */
const homepage = 'https://topup-kit.example';

/** The page with a section for each error code. */
export const errorPage: string = `${homepage}/docs/errors`;
