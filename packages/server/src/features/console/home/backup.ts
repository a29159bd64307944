import { basename } from 'node:path';
import type { BackupState } from '@topup-kit/core/store';
import { html, type Markup } from '../../../pages/html.ts';
import { StoreFileError } from '../../../sqlite/index.ts';
import { actionLink, type ConsoleAction, InputError } from '../actions.ts';
import type { ConsoleDependencies, View } from '../view.ts';

const texts = {
  last: { id: 'Cadangan terakhir', en: 'Last backup' },
  never: { id: 'belum ada', en: 'none yet' },
  ago: { id: 'yang lalu', en: 'ago' },
  beside: {
    id: 'File cadangan dibuat di sebelah penyimpanan, di mesin server. Isinya semua data, juga data pelanggan.',
    en: 'The server creates the backup file next to the store, on its own machine. The file has all data, including customers’ data.',
  },
  move: {
    id: 'Salin ke mesin lain, lalu hapus cadangan lama: konsol tidak menghapusnya.',
    en: 'Copy it to another machine, and delete old backups: the console does not delete them.',
  },
  ownTools: { id: 'dengan pg_dump', en: 'by pg_dump' },
  stopping: {
    id: 'Cadangan tidak dibuat, karena server sedang berhenti. Coba lagi setelah server berjalan.',
    en: 'No backup was made, because the server is stopping. Try again when it runs.',
  },
  made: { id: 'Cadangan dibuat dan diperiksa:', en: 'Backed up and verified:' },
};

/** Creates the action that backs up a store file to a file next to it. Only one backup is made at a time. */
export function createBackupAction(deps: ConsoleDependencies): ConsoleAction | null {
  const { store, realClock, backUp, closing, resources } = deps;
  if (backUp === null) return null;
  let running: Promise<void> | null = null;
  let last: { file: string; bytes: number } | null = null;
  async function make(operator: string, make: NonNullable<typeof backUp>): Promise<void> {
    const at = realClock();
    last = await make();
    const { file } = last;
    try {
      await store.noteBackup({ at, operator, file: basename(file) });
    } catch (error) {
      if (!(error instanceof StoreFileError)) throw error;
      throw new InputError({
        id: `Cadangan dibuat: ${file}, tetapi penyimpanan tidak mencatatnya: ${error.message}`,
        en: `The backup was made: ${file}, but the store did not record it: ${error.message}`,
      });
    }
  }
  // Waits for the backup, because the request that started it may have ended.
  resources?.defer(async () => void (await Promise.allSettled([running])));
  return {
    path: '/backup',
    section: 'home',
    title: { id: 'Cadangkan sekarang', en: 'Back up now' },
    isWithoutNote: true,
    async preview(_input, view) {
      const words = view.words(texts);
      return html`<p>${words.beside}</p><p>${words.move}</p>`;
    },
    async perform(_input, { visitor: { operator } }) {
      running ??= make(operator, backUp).finally(() => {
        running = null;
      });
      try {
        await running;
      } catch (error) {
        if (error === closing?.reason) throw new InputError(texts.stopping);
        if (!(error instanceof StoreFileError) || error.isReported) throw error;
        throw new InputError({ id: `Cadangan tidak dibuat: ${error.message}`, en: error.message });
      }
      return '';
    },
    now: async (_params, view) =>
      last === null
        ? null
        : html`${view.text(texts.made)} <code>${last.file}</code>, ${view.number(Math.ceil(last.bytes / 1_000))} kB`,
  };
}

/** Renders the age of the last backup in a list of what works; nothing for a store in memory. */
export function backupLine(
  view: View,
  { backedUpAt, firstOrderAt }: BackupState,
  { storeKind, realClock }: ConsoleDependencies,
  action: ConsoleAction | null,
): Markup | '' {
  if (storeKind === 'memory') return '';
  const words = view.words(texts);
  const age =
    backedUpAt === null
      ? words.never
      : `${view.duration(Math.max(0, realClock() - backedUpAt), 1)} ${words.ago}`;
  const isMissing = storeKind === 'file' && backedUpAt === null && firstOrderAt !== null;
  const state = storeKind === 'postgres' ? words.ownTools : age;
  return html`<li class="${isMissing ? 'wait' : 'quiet'}"><span><b>${words.last}</b> <span class="${isMissing ? 'toned' : 'soft'}">${state}</span></span><span>${action ? actionLink(view, action, {}) : ''}</span></li>`;
}
