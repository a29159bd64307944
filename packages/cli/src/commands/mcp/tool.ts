import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { CliError, exitCodes, reasonOf } from '../../errors/cli-error.ts';
import { errorDocument } from '../../output/report-error.ts';
import type { SandboxAccess } from './access.ts';

interface ToolDefinition<Input extends z.ZodRawShape> {
  name: string;
  title: string;
  /** Description for a model: the effect and the result. */
  description: string;
  input: Input;
  /** Fields of the result on which a caller may rely. */
  output: z.ZodRawShape;
  /** `reads` changes nothing; `deletes` can't be undone. */
  effect: 'reads' | 'changes' | 'deletes';
  run(input: z.output<z.ZodObject<Input>>, sandbox: SandboxAccess): Promise<Record<string, unknown>>;
}

export type AddTool = (server: McpServer, sandbox: SandboxAccess) => void;

const asError = (error: unknown): CliError =>
  error instanceof CliError
    ? error
    : new CliError(reasonOf(error), { code: 'UNEXPECTED', exitCode: exitCodes.failure, cause: error });

/** Creates the result for an error, with its code, message and next step. Only successful calls have structured content. */
const failed = (error: unknown): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text: JSON.stringify(errorDocument(asError(error)), null, 2) }],
});

/** Returns the same result as structure and as text, because some clients read only one of them. */
const succeeded = (result: Record<string, unknown>): CallToolResult => ({
  structuredContent: result,
  content: [{ type: 'text', text: JSON.stringify(result, null, 2) }],
});

/**
 * Defines a tool: its input and output as schemas, and its work. The model gets an error with its code, so that it can correct the call.
 */
export const defineTool =
  <Input extends z.ZodRawShape>({
    name,
    title,
    description,
    input,
    output,
    effect,
    run,
  }: ToolDefinition<Input>): AddTool =>
  (server, sandbox) => {
    // If a mistyped field were ignored, the order would differ from the model's intention.
    const inputSchema = z.strictObject<z.ZodRawShape>(input);
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema,
        outputSchema: z.looseObject(output),
        annotations: {
          readOnlyHint: effect === 'reads',
          destructiveHint: effect === 'deletes',
          idempotentHint: effect === 'reads',
          openWorldHint: false,
        },
      },
      (given) =>
        // Safe: the server has parsed the input with the schema.
        run(given as z.output<z.ZodObject<Input>>, sandbox).then(succeeded, failed),
    );
  };
