import { linkedPages, titleOf } from './sources.ts';

interface Item {
  text: string;
  link: string;
  /** The pages below this one, which are shown when a reader is on it or opens it. */
  items?: Item[];
  collapsed?: true;
}

interface Section {
  text: string;
  items: Item[];
  /** Closed until a reader is on one of its pages or opens it, so that all roles are in sight. */
  collapsed: boolean;
}

/** The pages of each role of README, in the order in which a person needs them. */
const sections = {
  Start: [
    'README.md',
    'docs/install.md',
    'docs/for-integrators.md',
    'docs/for-frontend-developers.md',
    'docs/for-operators.md',
    'docs/for-deployments.md',
  ],
  'Integrate a service': [
    'docs/sdk.md',
    'docs/errors.md',
    'docs/webhooks.md',
    'docs/sandbox.md',
    'docs/sandbox-files.md',
    'docs/proxy.md',
    'examples/proxy/README.md',
    'examples/proxy/next/README.md',
    'docs/test-your-integration.md',
    'docs/rendered-pages.md',
    'docs/conformance.md',
    'docs/php.md',
    'docs/python.md',
    'docs/go.md',
    'docs/other-languages.md',
    'docs/generated-clients.md',
    'examples/collections/README.md',
    'docs/mcp.md',
  ],
  'Build a frontend': [
    'docs/mock.md',
    'examples/recipes/README.md',
    'docs/test-runners.md',
    'examples/recipes/vitest/README.md',
    'examples/recipes/vitest-server/README.md',
    'examples/recipes/jest/README.md',
    'examples/recipes/playwright/README.md',
    'examples/recipes/next/README.md',
    'examples/recipes/sveltekit/README.md',
    'examples/recipes/react-native/README.md',
    'examples/recipes/storybook/README.md',
    'examples/recipes/vite-react/README.md',
    'examples/storefront/README.md',
  ],
  'Operate a shop': [
    'docs/runbook.md',
    'docs/console.md',
    'docs/cli.md',
    'docs/catalog.md',
    'docs/reports.md',
    'docs/backup.md',
    'docs/personal-data.md',
  ],
  'Run a server': [
    'docs/promises.md',
    'docs/deployment.md',
    'docs/settings.md',
    'docs/going-live.md',
    'docs/operation.md',
    'docs/secrets.md',
    'docs/simulators.md',
    'docs/adapters.md',
    'docs/past-one-database.md',
    'docs/threat-model.md',
    'docs/security-matrix.md',
    'bench/README.md',
  ],
  Reference: [
    'packages/sdk/api.md',
    'packages/cli/reference.md',
    'docs/interface.md',
    'docs/open-points.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'RECIPES.md',
    'docs/how-it-works.md',
    'docs/releasing.md',
    'decisions/README.md',
    'SECURITY.md',
  ],
};

const linkOf = (page: string): string => (page === 'README.md' ? '/' : `/${page.replace(/\.md$/, '')}`);

/** Pages that a folder of the same name continues: a page for each noun of the command line. */
const withParts = ['packages/cli/reference.md'];

function itemOf(page: string): Item {
  const item = { text: titleOf(page).replaceAll('`', ''), link: linkOf(page) };
  return withParts.includes(page)
    ? { ...item, collapsed: true, items: linkedPages(page, page.replace(/\.md$/, '/')).map(itemOf) }
    : item;
}

/** The sections of the site. Each page has its own title there, so that a reader finds what was clicked. */
export const sidebar: readonly Section[] = Object.entries(sections).map(([text, pages]) => ({
  text,
  items: pages.map(itemOf),
  collapsed: text !== 'Start',
}));

/** All pages of a section, in its order. */
export const pagesOf = (items: readonly Item[]): Item[] =>
  items.flatMap((item) => [item, ...pagesOf(item.items ?? [])]);
