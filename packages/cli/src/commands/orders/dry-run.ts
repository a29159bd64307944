import type { OrderRequest } from '@topup-kit/sdk';
import type { Service } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { jsonDocument } from '../../output/print.ts';
import { printable } from '../../output/text.ts';
import { checkOrder } from './check-order.ts';
import { refuseWrong } from './refuse-wrong.ts';

/** Shows what would be sent, after checking it against what the service shows; nothing is ordered. */
export async function dryRun(
  request: OrderRequest,
  service: Service,
  context: CommandContext,
): Promise<void> {
  const { objections, unchecked } = await checkOrder(request, service);
  refuseWrong(objections, request.game, service);
  const { baseUrl } = service.connection;
  await context.print({
    document: request,
    screen: () => `POST ${printable(baseUrl.replace(/\/+$/, ''))}/order\n${jsonDocument(request)}`,
  });
  const left = unchecked.length === 0 ? '' : ` The service doesn't show ${unchecked.join(' and ')}.`;
  context.remark(`\nNothing was sent. As far as can be seen, this order would be made.${left}`);
}
