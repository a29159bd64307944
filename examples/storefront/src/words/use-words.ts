import { createSignal } from '../signal.ts';
import { en } from './en.ts';
import { id, type Words } from './id.ts';

export type Language = 'id' | 'en';

const languages: Record<Language, Words> = { id, en };
const stored = 'kilat:language';
const language = createSignal<Language>(localStorage.getItem(stored) === 'en' ? 'en' : 'id');

export const useLanguage = language.use;
export const useWords = (): Words => languages[language.use()];

export function setLanguage(next: Language): void {
  localStorage.setItem(stored, next);
  language.set(next);
}
