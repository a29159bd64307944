import { judgeReceiver, serve, webhookSecret } from '../helpers.ts';

export async function judge(folder: string): Promise<void> {
  await using server = await serve(folder, ['node', 'server.mjs'], { TOPUP_WEBHOOK_SECRET: webhookSecret });
  await judgeReceiver(server);
}
