/** The arrows of the house: what may import what. `npx -y pnpm@12 arrows` checks them. */

import { roomLists as lists } from './scripts/room-lists.ts';

const published = '^packages/([^/]+)/src/';
const inside = (folder) => `^packages/core/src/${folder}/`;
const ours = '^packages/';

/** Inside core, each folder and the folders it may import besides itself. The folder of rooms may import all of them. */
const coreFolders = {
  contract: [],
  http: ['contract'],
  platform: [],
  store: ['contract'],
  callback: [],
  gateway: ['callback', 'contract', 'platform', 'store'],
  supplier: ['callback', 'contract', 'platform', 'store'],
  engine: ['callback', 'contract', 'http', 'platform', 'store', 'gateway', 'supplier'],
  app: ['callback', 'contract', 'http', 'platform', 'store', 'gateway', 'supplier', 'engine', 'pictures'],
  pictures: ['contract'],
  sandbox: ['contract', 'store', 'engine'],
  look: [],
};

/** Inside the other packages, the folders from the bottom up: each may import those before it. */
const layers = {
  sdk: ['errors', 'request', 'sending', 'validation', 'waiting', 'resources', 'proxy'],
  mock: ['catalog', 'world'],
  server: [
    'files',
    'config',
    'rows',
    'sql',
    'pages',
    'sqlite',
    'postgres',
    'observability',
    'copy',
    'edge',
    'service',
  ],
  cli: [
    'errors',
    'output',
    'input',
    'config',
    'service',
    'store',
    'pending-orders',
    'completion',
    'commands',
  ],
};

/** The files beside the folders that stand above all of them; the others are below. */
const tops = {
  sdk: ['client', 'index', 'internal', 'light'],
  mock: ['index'],
  server: ['index'],
  cli: ['bin', 'help', 'main', 'process', 'program'],
};

/** What each package may import of ours besides itself. */
const packages = {
  core: [],
  conformance: ['core'],
  suites: ['core'],
  sdk: ['core'],
  mock: ['core', 'conformance'],
  providers: ['core'],
  simulators: ['core', 'providers'],
  server: ['core', 'providers', 'suites'],
  cli: ['core', 'sdk', 'mock', 'providers', 'conformance', 'server', 'simulators'],
  'create-topup-shop': [],
};

/** What is made of the sandbox, and comes out with it (scripts/without.ts). */
const ofSandbox = ['^packages/mock/src/', '^packages/cli/src/commands/(sandbox|mcp)/'];

/** Folders of rooms; each has a rule of its own. */
const ofRooms = ['^packages/[^/]+/src/features/', '^packages/cli/src/commands/[^/]+/'];

const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: ours, pathNot: allowed },
});

export default {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolved',
      severity: 'error',
      comment: 'Every import must lead somewhere.',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-test-code-in-packages',
      severity: 'error',
      from: { path: published },
      to: { path: '(^packages/[^/]+/test/|node_modules/(vitest|fast-check|playwright-core)/)' },
    },
    {
      name: 'rooms-by-lists',
      severity: 'error',
      comment: 'A room can be taken out: only the lists, and its own folder, import it.',
      from: { path: published, pathNot: [...lists, ...ofSandbox, ...ofRooms] },
      to: { path: '^packages/[^/]+/src/features/[^/]+/' },
    },
    {
      name: 'commands-apart',
      severity: 'error',
      comment: 'The commands of a room import that room only.',
      from: { path: '^packages/cli/src/commands/([^/]+)/', pathNot: [...lists, ...ofSandbox] },
      to: { path: '^packages/[^/]+/src/features/[^/]+/', pathNot: '^packages/[^/]+/src/features/$1/' },
    },
    {
      name: 'sandbox-on-demand',
      severity: 'error',
      comment: 'A live server loads no sandbox: its list imports it when it is asked for.',
      from: {
        path: published,
        pathNot: [...ofSandbox, '/features/sandbox/'],
      },
      to: {
        path: '^packages/[^/]+/src/features/sandbox/',
        dependencyTypesNot: ['type-only'],
        dynamic: false,
      },
    },
    {
      name: 'rooms-apart',
      severity: 'error',
      comment: 'A room imports no other room.',
      from: {
        path: '^packages/[^/]+/src/features/([^/]+)/',
        pathNot: [...lists, '/features/console/[^/]+/'],
      },
      to: { path: '^packages/[^/]+/src/features/([^/]+)/', pathNot: '^packages/[^/]+/src/features/$1/' },
    },
    {
      name: 'pages-apart',
      severity: 'error',
      comment: 'The pages of a room in the console import that room and the console.',
      from: { path: '^packages/server/src/features/console/([^/]+)/' },
      to: {
        path: '^packages/[^/]+/src/features/([^/]+)/',
        pathNot: '^packages/[^/]+/src/features/(console|$1)/',
      },
    },
    {
      name: 'runs-anywhere',
      severity: 'error',
      comment: 'core, conformance, suites, sdk and mock run in browsers and at the edge too.',
      from: { path: '^packages/(core|conformance|suites|sdk|mock)/src/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'declared',
      severity: 'error',
      comment: 'A package names in its package.json what it imports.',
      from: { path: published },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'], pathNot: ours },
    },
    {
      name: 'sdk-bottom-of-core',
      severity: 'error',
      comment:
        'What the sdk takes of core is inlined into it: the contract, what its proxy shares with the app, and nothing heavier.',
      from: { path: '^packages/sdk/src/' },
      to: { path: '^packages/core/src/', pathNot: [inside('contract'), inside('http')] },
    },
    {
      name: 'providers-inside',
      severity: 'error',
      comment: 'Only its simulator may import what is inside a provider: its settings, signatures and codes.',
      from: { path: published, pathNot: '^packages/(providers|simulators)/' },
      to: { path: '^packages/providers/src/[^/]+/' },
    },
    ...Object.entries(coreFolders).map(([folder, imports]) =>
      only(
        `core-${folder}`,
        inside(folder),
        [folder, ...imports].map(inside),
        `core/${folder} may import ${imports.join(', ') || 'nothing of ours'}.`,
      ),
    ),
    ...Object.entries(layers).flatMap(([name, folders]) =>
      folders.slice(0, -1).map((folder, index) => ({
        name: `${name}-${folder}`,
        severity: 'error',
        comment: `${name}/${folder} may import nothing of ${folders.slice(index + 1).join(', ')}.`,
        from: { path: `^packages/${name}/src/${folder}/` },
        to: { path: `^packages/${name}/src/(${folders.slice(index + 1).join('|')})/` },
      })),
    ),
    ...Object.entries(tops).map(([name, files]) => ({
      name: `${name}-tops`,
      severity: 'error',
      comment: `No folder of ${name} may import ${files.join(', ')}.`,
      from: { path: `^packages/${name}/src/[^/]+/` },
      to: { path: `^packages/${name}/src/(${files.join('|')})\\.ts$` },
    })),
    ...Object.entries(packages).map(([name, imports]) =>
      only(
        `package-${name}`,
        `^packages/${name}/src/`,
        [name, ...imports].map((allowed) => `^packages/${allowed}/`),
        `${name} may import ${imports.join(', ') || 'no other package of ours'}.`,
      ),
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['@topup-kit/source', 'import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
