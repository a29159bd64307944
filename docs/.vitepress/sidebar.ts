interface Section {
  text: string;
  items: { text: string; link: string }[];
}

/** The sections of the site, in which each person finds the pages in the order in which they are needed. */
export const sidebar: readonly Section[] = [
  {
    text: 'Start',
    items: [
      { text: 'What it is', link: '/' },
      { text: 'Quick start', link: '/#quick-start' },
      { text: 'For integrators', link: '/docs/for-integrators' },
      { text: 'For frontend developers', link: '/docs/for-frontend-developers' },
      { text: 'For operators', link: '/docs/for-operators' },
      { text: 'For deployments', link: '/docs/for-deployments' },
    ],
  },
  {
    text: 'Build a shop',
    items: [
      { text: 'Use the SDK', link: '/docs/sdk' },
      { text: 'Errors and retries', link: '/docs/sdk#no-order-is-placed-twice' },
      { text: 'Error codes', link: '/docs/errors' },
      { text: 'Mock your frontend', link: '/docs/mock' },
      { text: 'Recipes', link: '/examples/recipes/README' },
      { text: 'The example shop', link: '/examples/storefront/README' },
      { text: 'Test your integration', link: '/docs/test-your-integration' },
      { text: 'Tools for an assistant', link: '/docs/mcp' },
      { text: 'Proxy in Next, Express, Hono, Node', link: '/docs/proxy' },
      { text: 'Generate a client', link: '/docs/generated-clients' },
      { text: 'Clients in Python, PHP and Go', link: '/docs/other-languages' },
      { text: 'Bruno and Postman', link: '/examples/collections/README' },
      { text: 'Simulators of providers', link: '/docs/simulators' },
      { text: 'Test a Python shop', link: '/docs/python' },
      { text: 'Test a PHP shop', link: '/docs/php' },
    ],
  },
  {
    text: 'Run a server',
    items: [
      { text: 'The sandbox', link: '/docs/sandbox' },
      { text: 'Settings', link: '/docs/settings' },
      { text: 'The command line', link: '/docs/cli' },
      { text: 'The catalogue', link: '/docs/catalog' },
      { text: 'Your own gateway and supplier', link: '/docs/adapters' },
      { text: 'Backup and restore', link: '/docs/backup' },
      { text: 'Going live', link: '/docs/going-live' },
      { text: 'Deployment', link: '/docs/deployment' },
      { text: 'Past one database', link: '/docs/past-one-database' },
      { text: 'Daily work', link: '/docs/daily-work' },
      { text: 'The console', link: '/docs/console' },
      { text: 'Operation', link: '/docs/operation' },
      { text: 'Reports', link: '/docs/reports' },
      { text: 'Webhooks', link: '/docs/webhooks' },
      { text: 'Rotating secrets', link: '/docs/secrets' },
      { text: 'Speed', link: '/bench/README' },
      { text: 'Threat model', link: '/docs/threat-model' },
      { text: 'Conformance', link: '/docs/conformance' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'SDK', link: '/packages/sdk/api' },
      { text: 'Command line', link: '/packages/cli/reference' },
      { text: 'The interface', link: '/docs/interface' },
      { text: 'What the interface leaves open', link: '/docs/open-points' },
      { text: 'Decisions', link: '/decisions/README' },
      { text: 'Glossary and contributing', link: '/CONTRIBUTING' },
    ],
  },
];
