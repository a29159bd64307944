import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { docsPages } from '../../docs/docs.ts';
import { version } from '../../version.ts';
import type { SandboxAccess } from './access.ts';
import { docsTools } from './docs-tools.ts';
import { sandboxTools } from './sandbox-tools.ts';
import { shopTools } from './shop-tools.ts';

const instructions = `Tools for a sandbox of Topup Kit, a service at which shops order game credit. Nothing here is real: no money moves, and nothing is delivered.

To write an integration: read_docs interface for the two routes that every such service has, sdk for the TypeScript client, errors for the codes. sandbox_status has the base URL and the key for code. To try a flow: list_games, show_game, place_order, act_on_order pay, show_order. To see what the code under development really sent: list_requests, show_request.`;

/** Creates a server of the Model Context Protocol with the tools of a sandbox, and the documentation as resources. */
export function createMcpServer(sandbox: SandboxAccess): McpServer {
  const server = new McpServer({ name: 'topup', title: 'Topup Kit sandbox', version }, { instructions });
  for (const addTo of [...shopTools, ...sandboxTools, ...docsTools]) addTo(server, sandbox);
  for (const { name, title, summary, text } of docsPages)
    server.registerResource(
      name,
      `topup://docs/${name}`,
      { title, description: summary, mimeType: 'text/markdown' },
      ({ href }) => ({ contents: [{ uri: href, mimeType: 'text/markdown', text }] }),
    );
  return server;
}
