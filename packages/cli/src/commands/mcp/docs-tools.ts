import { type ErrorDefinition, errors, suggestSimilar } from '@topup-kit/core/contract';
import * as z from 'zod';
import { type DocsPage, docsPages, sectionOf } from '../../docs/docs.ts';
import { CliError, exitCodes } from '../../errors/cli-error.ts';
import { defineTool } from './tool.ts';

const errorPage = docsPages.find(({ name }) => name === 'errors');

const codes: readonly string[] = errorPage?.sections.filter((title) => /^[A-Z_]+$/.test(title)) ?? [];

const notFound = (message: string, hint: string): CliError =>
  new CliError(message, { code: 'NOT_FOUND', exitCode: exitCodes.notFound, hint });

/** Returns the definition of a service error; undefined for a client error. */
const definitionOf = (code: string): ErrorDefinition | undefined =>
  Object.entries<ErrorDefinition>(errors).find(([known]) => known === code)?.[1];

const explainError = defineTool({
  name: 'explain_error',
  title: 'Explain an error code',
  description:
    'Explains an error code of the service (X-Error-Code) or of the SDK: its status, its messages, its cause and what to do.',
  input: { code: z.string().describe('The code, such as PROMO_QUOTA.') },
  output: {
    code: z.string(),
    status: z.number().nullable(),
    messages: z.object({ id: z.string(), en: z.string() }).nullable(),
    explanation: z.string(),
  },
  effect: 'reads',
  async run(input) {
    const code = input.code.trim().toUpperCase();
    const section = codes.includes(code) && errorPage && sectionOf(errorPage, code);
    if (!section)
      throw notFound(
        `There is no error code ${code}.`,
        `Similar codes: ${suggestSimilar(code, codes).join(', ') || 'none'}. read_docs with the page errors lists all.`,
      );
    const definition = definitionOf(code);
    return {
      code,
      status: definition?.status ?? null,
      messages: definition ? { id: definition.message.id, en: definition.message.en } : null,
      // Omits the heading, which is the code.
      explanation: section.slice(section.indexOf('\n')).trim(),
    };
  },
});

const overview = ({ name, title, summary }: DocsPage) => ({ page: name, title, summary });

const listDocs = defineTool({
  name: 'list_docs',
  title: 'List the documentation',
  description: 'Lists the pages of the documentation for people who write integrations.',
  input: {},
  output: { pages: z.array(z.object({ page: z.string(), title: z.string(), summary: z.string() })) },
  effect: 'reads',
  run: async () => ({ pages: docsPages.map(overview) }),
});

/** Matches `sdk`, `sdk.md` or `sdk.md#errors`, as pages link to each other. */
const linkPattern = /^(?<name>[^#]*?)(?:\.md)?(?:#(?<anchor>.*))?$/;

const readDocs = defineTool({
  name: 'read_docs',
  title: 'Read the documentation',
  description: `Reads a page of the documentation as Markdown, or one of its sections. Pages: ${docsPages
    .map(({ name, title }) => `${name} (${title})`)
    .join(', ')}.`,
  input: {
    page: z
      .string()
      .describe('Name of the page, such as interface, or a link of a page, such as sdk.md#errors.'),
    section: z
      .string()
      .optional()
      .describe('Title of a section; without it, the whole page, which may be long.'),
  },
  output: {
    page: z.string(),
    title: z.string(),
    text: z.string(),
    sections: z.array(z.string()).describe('The titles of all sections of the page.'),
  },
  effect: 'reads',
  async run({ page: link, section: title }) {
    const { name = link, anchor } = linkPattern.exec(link)?.groups ?? {};
    const section = title ?? anchor;
    const page = docsPages.find((known) => known.name === name);
    if (!page) throw notFound(`There is no page ${name}.`, 'list_docs lists them.');
    const text = section === undefined ? page.text : sectionOf(page, section);
    if (text === undefined)
      throw notFound(`The page ${name} has no section ${section}.`, `It has ${page.sections.join(', ')}.`);
    return { page: name, title: page.title, text, sections: page.sections };
  },
});

export const docsTools = [explainError, listDocs, readDocs];
