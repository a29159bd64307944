import { fileURLToPath } from 'node:url';
import { judgeReceiver, serve, webhookSecret } from '../helpers.ts';

const harness = fileURLToPath(new URL('../harness/next.mjs', import.meta.url));

export async function judge(folder: string): Promise<void> {
  await using server = await serve(folder, ['node', harness], { TOPUP_WEBHOOK_SECRET: webhookSecret });
  await judgeReceiver(server);
}
