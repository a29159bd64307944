import type { ProductProposal } from '@topup-kit/core/engine';
import { counted, namesAndMore } from '../../output/format.ts';
import { jsonDocument } from '../../output/print.ts';
import { type ColumnOf, tableOf } from '../../output/table.ts';
import { printable, shellWord } from '../../output/text.ts';
import { defineStoreCommand } from '../../store/define-store-command.ts';
import { describingEdits } from './changes.ts';
import { catalogFile, writeNewFile } from './files.ts';
import { listWords, readSupplierLists } from './supplier-list.ts';

const columns: readonly ColumnOf<[string, number]>[] = [
  [{ title: 'GAME' }, ([slug]) => slug],
  [{ title: 'PRODUCTS', align: 'right' }, ([, count]) => String(count)],
];

/** Maximum number of excluded products that are named; `--json` names all. */
const maxNamed = 5;

function remarks(
  { unknownGames, leftOut, otherKinds, keptOut }: ProductProposal,
  hadPaymentMethods: boolean,
): string[] {
  const [isOne, kinds] = [unknownGames.length === 1, [...otherKinds]];
  const named = keptOut.slice(0, maxNamed).map(({ code, why }) => `"${printable(code)}" (${printable(why)})`);
  const all: [boolean, string][] = [
    [
      unknownGames.length > 0,
      `Fill in the account fields of ${unknownGames.join(', ')}: the kit does not know ${isOne ? 'this game' : 'these games'}.`,
    ],
    [
      !hadPaymentMethods,
      "The payment methods are examples. Replace them with your gateway's methods and fees.",
    ],
    [
      kinds.length > 0,
      `Left out, because they are not games: ${kinds.map(([kind, count]) => `${count} of ${printable(kind)}`).join(', ')}. --brand includes them.`,
    ],
    [
      leftOut > 0,
      `${counted(leftOut, 'product')} left out, because the list has no game or no price for them.`,
    ],
    [
      keptOut.length > 0,
      `Kept out ${counted(keptOut.length, 'product')}, because the catalogue can't accept their rows: ${namesAndMore(named, keptOut.length)}.`,
    ],
  ];
  return all.flatMap(([applies, remark]) => (applies ? remark : []));
}

export const add = defineStoreCommand({
  name: 'add',
  description: "Propose the supplier's new products as a file to review",
  build: (command) =>
    command
      .requiredOption('--from <supplier>', 'the supplier, by its name in TOPUP_SUPPLIER')
      .requiredOption('--out <file>', 'file to write')
      .option('--brand <name...>', 'only these brands, as the supplier names them; default: all games')
      .option('--force', 'overwrite an existing file'),
  help: `The file is the whole catalogue with the proposed products, at the prices of
the margin rules. The products are for sale only after catalog import.`,
  example: "catalog add --from $TOPUP_SUPPLIER --brand 'MOBILE LEGENDS' --out new.json",
  async run(operating, context, options) {
    const { store, commandLine } = operating;
    const { proposeProducts } = await import('@topup-kit/core/engine');
    const { sandboxCatalog } = await import('@topup-kit/core/sandbox');
    const [read] = await readSupplierLists(context, operating, options.from);
    if (!read) return;
    const [catalog, margins] = await Promise.all([store.readCatalog(), store.readMargins()]);
    const proposal = await describingEdits(operating, async () =>
      proposeProducts({ catalog, margins }, read.list, {
        known: sandboxCatalog('en'),
        brands: options.brand ?? [],
      }),
    );
    const { added, unknownGames, leftOut, otherKinds, keptOut } = proposal;
    const count = [...added.values()].reduce((sum, of) => sum + of, 0);
    if (count > 0)
      await writeNewFile(
        options.out,
        jsonDocument(await catalogFile(proposal.catalog)),
        options.force === true,
      );
    await context.print({
      document: {
        file: count > 0 ? options.out : null,
        products: count,
        games: Object.fromEntries(added),
        unknown_games: unknownGames,
        left_out: leftOut,
        other_kinds: Object.fromEntries(otherKinds),
        kept_out: keptOut,
      },
      ids: [...added.keys()],
      screen: (style) => tableOf(columns, [...added], style),
    });
    if (count === 0) {
      const nothingNew = `${listWords(read)} The list has no new products for the catalogue.`;
      return context.remark([nothingNew, ...remarks(proposal, true)].join('\n'));
    }
    context.remark(
      [
        `\n${listWords(read)} Wrote ${counted(count, 'new product')} into ${printable(options.out)}.`,
        ...remarks(proposal, catalog !== null),
        `Then:\n  ${commandLine(`catalog import ${shellWord(options.out)}`)}`,
      ].join('\n'),
    );
  },
});
