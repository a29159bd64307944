import type { FieldRule } from '@topup-kit/core/contract';
import { controls } from '@topup-kit/core/features/sandbox';
import * as z from 'zod';
import { type AddTool, defineTool } from './tool.ts';

function schemaOfValue(field: FieldRule): z.ZodType {
  if (field.type === 'string') return field.options ? z.enum(field.options) : z.string();
  const { min = 0, max } = field;
  const number = z.int().min(min);
  return typeof max === 'number' ? number.max(max) : number;
}

const schemaOf = (field: FieldRule): z.ZodType => {
  const value = schemaOfValue(field).describe(field.description);
  return field.required ? value : value.optional();
};

/** Tools of described controls: `add_fault` does the same as `topup sandbox add-fault`. */
export const describedTools: readonly AddTool[] = Object.entries(controls).map(
  ([name, { title, effect, fields, method, returns, printed }]) => {
    // A snapshot is too long for an assistant, which restores it by its id instead.
    const shown = method === 'GET' ? returns : returns.filter((part) => part !== printed);
    return defineTool({
      name: (method === 'GET' ? `show_${name}` : name).replaceAll('-', '_'),
      title: title.en,
      description: `${effect.en.charAt(0).toUpperCase()}${effect.en.slice(1)}.`,
      input: Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)])),
      output: Object.fromEntries(shown.map((part) => [part, z.unknown()])),
      effect: method === 'GET' ? 'reads' : 'changes',
      async run(input, sandbox) {
        const { controls: asked } = await sandbox.ready();
        const data = await asked.ask(`/${name}`, {}, method === 'POST' ? input : undefined);
        return Object.fromEntries(Object.entries(data).filter(([part]) => shown.includes(part)));
      },
    });
  },
);
