import type { OrderRequest } from '@topup-kit/sdk';
import type { Command } from 'commander';
import type { Service } from '../../client.ts';
import type { Io } from '../../io.ts';
import { jsonDocument } from '../../output/json.ts';
import { print, remark } from '../../output/print.ts';
import { printable } from '../../output/printable.ts';
import { checkOrder } from './check-order.ts';
import { refuseWrong } from './refuse-wrong.ts';

/** Shows what would be sent, after checking it against what the service shows; nothing is ordered. */
export async function dryRun(
  request: OrderRequest,
  service: Service,
  io: Io,
  command: Command,
): Promise<void> {
  const { objections, unchecked } = await checkOrder(request, service);
  refuseWrong(objections, request.game, service);
  const { baseUrl } = service.connection;
  await print(io, command, {
    document: request,
    screen: () => `POST ${printable(baseUrl.replace(/\/+$/, ''))}/order\n${jsonDocument(request)}`,
  });
  const left = unchecked.length === 0 ? '' : ` The service doesn't show ${unchecked.join(' and ')}.`;
  remark(io, command, `\nNothing was sent. As far as can be seen, this order would be made.${left}`);
}
