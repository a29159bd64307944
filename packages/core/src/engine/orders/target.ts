import { type OrderInput, splitAccountId } from '../../contract/index.ts';
import type { CatalogGame } from '../../store/index.ts';
import { invalidFields } from '../errors.ts';

type Target = Pick<OrderInput, 'id' | 'server'>;
type Field = CatalogGame['fields'][number];

const matches = (pattern: string, text: string): boolean => new RegExp(`^(?:${pattern})$`, 'u').test(text);

/** The value of a field, without spaces, hyphens or brackets if only then it matches the pattern; the service of the game knows best. */
function inForm({ pattern }: Field, text: string): string {
  if (pattern === undefined || matches(pattern, text)) return text;
  const compact = text.replace(/[\s()[\]-]/g, '');
  return matches(pattern, compact) ? compact : text;
}

/** @throws DomainError VALIDATION_ERROR when the game's server is missing, or none of those that it has. */
function checkServer(field: Field, server: string | undefined): void {
  if (field.required && server === undefined) throw invalidFields({ server: [{ rule: 'required' }] });
  if (server !== undefined && field.options && !field.options.includes(server))
    throw invalidFields({ server: [{ rule: 'option' }] });
}

/**
 * The account to top up, as the fields of its game have it.
 *
 * @throws DomainError VALIDATION_ERROR when the server is missing, unknown, or another one than the id names.
 */
export function readTarget({ fields }: Pick<CatalogGame, 'fields'>, sent: Target): Target {
  const field = (name: Field['name']): Field | undefined => fields.find((one) => one.name === name);
  const [idField, serverField] = [field('id'), field('server')];
  const patterns = { id: idField?.pattern, server: serverField?.pattern };
  const split = serverField && !serverField.options ? splitAccountId(sent.id, patterns) : null;
  const server = serverField && sent.server !== undefined ? inForm(serverField, sent.server) : sent.server;
  if (split && server !== undefined && server !== split.server)
    throw invalidFields({ server: [{ rule: 'option' }] });
  const target = { ...sent, ...(server !== undefined && { server }), ...split };
  if (serverField) checkServer(serverField, target.server);
  return idField ? { ...target, id: inForm(idField, target.id) } : target;
}
